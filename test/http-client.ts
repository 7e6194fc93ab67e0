// Requests over real sockets: one that speaks HTTP, one that sends any bytes. Neither is ever sent
// the canary of a workspace that the key is not of.

import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectNoCanary, expectNoForeignCanary } from './access/canary.ts';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; an error has `error`, everything else `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every form
  readonly json: any;
}

export interface Request {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  /** A Buffer or string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly agent?: http.Agent;
  /** The secret of the key or session whose workspace the answer may show; else the one that is sent. */
  readonly owner?: string;
}

/** One request; never follows, retries or throws for a status. */
export function call(port: number, path: string, request: Request = {}): Promise<Answer> {
  const { method = 'GET', key, headers = {}, body, agent, owner } = request;
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const all = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(bytes === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { port, path, method, headers: all, host: '127.0.0.1', agent: agent ?? false };
    const sent = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve(received(response, Buffer.concat(chunks), owner ?? secretOf(all))),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

function secretOf({ authorization, cookie }: http.OutgoingHttpHeaders): string | undefined {
  const [, token] = /^(?:__Host-)?wrs-\d+=([\w-]{43})$/.exec(String(cookie ?? '')) ?? [];
  return /^bearer (\S+)$/i.exec(String(authorization ?? ''))?.[1] ?? token;
}

function received(
  response: http.IncomingMessage,
  body: Buffer,
  secret: string | undefined,
): Answer | Promise<never> {
  const answer = answerOf(response, body.toString());
  try {
    expectNoCanary(secret, `${response.rawHeaders.join('\n')}\n${answer.text}`);
    return answer;
  } catch (error) {
    // Thrown here, in an event of the socket, it would end the process.
    return Promise.reject(error);
  }
}

function answerOf(response: http.IncomingMessage, text: string): Answer {
  const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
  const json = isJson && text !== '' ? JSON.parse(text) : undefined;
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

export interface RawAnswer {
  /** All bytes received, as latin1. */
  readonly text: string;
  /** Status lines in order. */
  readonly statuses: readonly number[];
  /** True when the server closed the connection. */
  readonly closed: boolean;
}

export interface RawOptions {
  /** Milliseconds: without anything more, and for the first of it. */
  readonly wait?: number;
  readonly firstByteTimeoutMs?: number;
  /** True: each part in a packet of its own. */
  readonly apart?: boolean;
  /** True: end the sending side, and read on. */
  readonly half?: boolean;
}

/**
 * Send bytes and collect the answer until the server closes, or no byte arrives for `wait` milliseconds; the first
 * byte has `firstByteTimeoutMs`, for a busy machine.
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  { wait = 1000, firstByteTimeoutMs = 60_000, apart = false, half = false }: RawOptions = {},
): Promise<RawAnswer> {
  const parts = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes;
  return new Promise<RawAnswer>((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: half });
    let text = '';
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
      resolve({ text, statuses, closed });
    };
    let timer = setTimeout(() => finish(false), firstByteTimeoutMs);
    socket.on('data', (chunk) => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(false), wait);
      text += chunk.toString('latin1');
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(true));
    void sendParts(socket, parts, apart).then(() => half && socket.end());
  }).then((answer) => {
    expectNoForeignCanary(parts.join(''), answer.text);
    return answer;
  });
}

async function sendParts(
  socket: net.Socket,
  parts: readonly (string | Buffer)[],
  apart: boolean,
): Promise<void> {
  socket.setNoDelay(apart);
  for (const part of parts) {
    socket.write(part);
    if (apart) await sleep(20);
  }
}

// A client over keep-alive sockets that says what came of a request: an answer, or that there was none
// and why.

import { once } from 'node:events';
import http from 'node:http';
import type { Answer, Recorder } from './recorder.ts';

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string | undefined;
  readonly key?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/** An answer, or the system's name for why there is none. */
export type Outcome = Answer | Lost;

export interface Lost {
  readonly status: undefined;
  readonly lost: string;
  /** True on a connection that had served a request before: it may have been closed in between. */
  readonly reused: boolean;
}

export interface Wire {
  send(url: string, secret: string, sent: Sent): Promise<Outcome>;
  close(): void;
}

/** Longer than the service takes to say that it cannot answer. */
const TIMEOUT_MS = 10_000;

/** `forbidden`: text that no answer may hold. */
export function openWire(recorder: Recorder, forbidden: string): Wire {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  return {
    send: (url, secret, sent) =>
      new Promise((resolve) => {
        const { method, path, body } = sent;
        const headers = headersOf(secret, sent);
        const request = http.request(`${url}${path}`, { method, agent, headers }, (response) => {
          readAnswer(response).then((answer) => {
            clearTimeout(timer);
            recorder.note(answer, forbidden);
            resolve(answer);
          }, lose);
        });
        const timer = setTimeout(() => request.destroy(new Error('no answer in time')), TIMEOUT_MS);
        function lose(error: Error): void {
          clearTimeout(timer);
          const { code } = error as NodeJS.ErrnoException;
          const { reusedSocket: reused } = request;
          resolve({ status: undefined, lost: code ?? error.message, reused });
        }
        request.on('error', lose);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

async function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(response, 'end');
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: Buffer.concat(chunks).toString('utf8') };
}

function headersOf(secret: string, { body, key, ifMatch }: Sent): http.OutgoingHttpHeaders {
  return {
    authorization: `Bearer ${secret}`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
}

// A client for loads that the machine itself must carry: connections that are opened beforehand and kept,
// as a proxy in front of the service keeps them, and little work for each request.

import net from 'node:net';
import { CANARY } from './recorder.ts';
import type { Site } from './site.ts';
import type { Outcome, Sent } from './wire.ts';

export interface SteadyConnections {
  /** On a free connection, or the next that is free. */
  send(secret: string, sent: Sent): Promise<Outcome>;
  close(): void;
}

interface Task {
  readonly text: string;
  settle(outcome: Outcome): void;
}

interface Connection {
  readonly socket: net.Socket;
  received: Buffer;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Longer than the service takes to say that it cannot answer. */
const PATIENCE = 10_000;

const END_OF_HEAD = '\r\n\r\n';

/** Connections without a task, tasks without a connection, and where both are noted. */
interface Pool {
  readonly free: Connection[];
  readonly waiting: Task[];
  readonly recorder: Site['recorder'];
}

export async function openConnections(
  { url, recorder }: Pick<Site, 'url' | 'recorder'>,
  count: number,
): Promise<SteadyConnections> {
  const port = Number(new URL(url).port);
  const pool: Pool = { free: [], waiting: [], recorder };
  const { free, waiting } = pool;
  // Not all at once: the rate of accepting connections is not measured.
  for (let opened = 0; opened < count; opened += 1) free.push(await open(pool, port));
  const all = [...free];
  return {
    send: (secret, sent) =>
      new Promise((settle) => {
        const task = { text: print(secret, sent), settle };
        // In turn, so that none is idle for long.
        const connection = free.shift();
        if (connection === undefined) waiting.push(task);
        else start(connection, task);
      }),
    close: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}

function start(connection: Connection, task: Task): void {
  const { socket } = connection;
  connection.task = task;
  connection.timer = setTimeout(() => socket.destroy(), PATIENCE);
  socket.write(task.text);
}

function end({ free, waiting, recorder }: Pool, connection: Connection, outcome: Outcome): void {
  const { task } = connection;
  clearTimeout(connection.timer);
  connection.task = undefined;
  connection.received = Buffer.alloc(0);
  const next = waiting.shift();
  if (connection.socket.destroyed) {
    if (next !== undefined) waiting.unshift(next);
  } else if (next === undefined) free.push(connection);
  else start(connection, next);
  if (outcome.status !== undefined) recorder.note(outcome, CANARY);
  task?.settle(outcome);
}

function open(pool: Pool, port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
    const received = Buffer.alloc(0);
    const connection: Connection = { socket, received, task: undefined, timer: undefined };
    socket.once('connect', () => resolve(connection));
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      // The service closes a connection that is idle for too long, and says so.
      if (connection.task === undefined) return;
      connection.received = Buffer.concat([connection.received, chunk]);
      const answer = answerIn(connection.received);
      if (answer !== undefined) end(pool, connection, answer);
    });
    socket.on('close', () => {
      const place = pool.free.indexOf(connection);
      if (place >= 0) pool.free.splice(place, 1);
      else end(pool, connection, { status: undefined, lost: 'closed', reused: true });
    });
  });
}

function print(secret: string, { method, path, body, key }: Sent): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
  ];
  if (key !== undefined) lines.push(`Idempotency-Key: ${key}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}${END_OF_HEAD}${body ?? ''}`;
}

/** The answer, when all of it is there; every answer of the service has a Content-Length. */
function answerIn(received: Buffer): Extract<Outcome, { readonly status: number }> | undefined {
  const end = received.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const from = end + END_OF_HEAD.length;
  const to = from + Number(headers['content-length'] ?? 0);
  if (received.length < to) return undefined;
  return { status: Number(first.slice(9, 12)), headers, body: received.toString('utf8', from, to) };
}

// Measurements that are robust on a noisy machine: two sides in turns, a ratio for each turn, the median of the
// ratios. The client writes prepared text to sockets: its cost is small and the same for both sides.

import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  /** Length of one measurement. */
  readonly seconds: number;
  /** Measurements of each side, after one that does not count. */
  readonly rounds: number;
  /** Concurrent requests. */
  readonly connections: number;
}

export interface Request {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The part that changes each time. */
  readonly renew?: () => Pick<Request, 'headers' | 'body'>;
}

/** A server and the requests to send it, one after the other, again and again. */
export interface Side {
  readonly url: string;
  readonly requests: readonly Request[];
  /** `Authorization` of each connection, in turn; undefined: that of the requests. */
  readonly authorizations?: readonly string[] | undefined;
  /** Microseconds of processor time that the server has used since its start. */
  readonly processorTime?: () => number;
}

/** Medians: of each side, and of the ratio in each turn. */
export interface Comparison {
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

/** Requests a second, and microseconds of processor time of the server for each of them. */
export interface ComparedRates extends Comparison {
  readonly firstCost: number;
  readonly secondCost: number;
}

/** Requests per second of both sides, and how many times the second the first is. */
export async function compareRates(first: Side, second: Side, load: Load): Promise<ComparedRates> {
  const costs = new Map<Side, number[]>([first, second].map((side) => [side, []]));
  const measured = (side: Side) => async () => {
    const { rate, cost } = await rateOf(side, load);
    costs.get(side)?.push(cost);
    return rate;
  };
  const compared = await inTurns(load, measured(first), measured(second));
  // Those of the turn that does not count are left out.
  const costOf = (side: Side) => median((costs.get(side) ?? []).slice(1));
  return { ...compared, firstCost: costOf(first), secondCost: costOf(second) };
}

/** Median latencies in milliseconds, and how many times the second the first is. */
export function compareLatencies(first: Side, second: Side, load: Load): Promise<Comparison> {
  return inTurns(
    load,
    () => latencyOf(first, load),
    () => latencyOf(second, load),
  );
}

/** Send this many requests before anything is measured. */
export async function warmUp(
  { url, requests }: Side,
  count: number,
  concurrency: number,
): Promise<void> {
  const texts = requests.map(printRequest);
  let sent = 0;
  async function worker(): Promise<void> {
    const connection = await openConnection(url);
    while (sent < count) {
      const text = texts[sent % texts.length] as string;
      sent += 1;
      await connection.send(text);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Like `compareRates`, for answers that take long: every request that was begun is waited for. */
export async function compareSlowRates(first: Side, second: Side, load: Load): Promise<Comparison> {
  const rate = async (side: Side) => (1000 * load.connections) / (await latencyOf(side, load));
  return inTurns(
    load,
    () => rate(first),
    () => rate(second),
  );
}

/** Milliseconds for statements of requests that were cut off. */
const PAUSE = 500;

async function inTurns(
  { rounds }: Load,
  measureFirst: () => Promise<number>,
  measureSecond: () => Promise<number>,
): Promise<Comparison> {
  const firsts: number[] = [];
  const seconds: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const second = await measureSecond();
    await sleep(PAUSE);
    const first = await measureFirst();
    await sleep(PAUSE);
    if (round === 0) continue;
    firsts.push(first);
    seconds.push(second);
  }
  const ratios = firsts.map((first, index) => first / (seconds[index] as number));
  return { first: median(firsts), second: median(seconds), ratio: median(ratios) };
}

export function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] as number;
}

interface Measured {
  readonly rate: number;
  readonly cost: number;
}

async function rateOf(side: Side, { connections, seconds }: Load): Promise<Measured> {
  const started = performance.now();
  const spent = side.processorTime?.() ?? 0;
  const until = started + seconds * 1000;
  let answered = 0;
  async function worker(number: number): Promise<void> {
    const texts = side.requests.map((request) => printerOf(request, authorizationOf(side, number)));
    const connection = await openConnection(side.url);
    // Each begins at another request: no two connections send the same one at the same time.
    let next = Math.floor((number * texts.length) / connections);
    while (performance.now() < until) {
      const { status } = await connection.send((texts[next % texts.length] as () => string)());
      if (status < 200 || status > 299) throw new Error(`${side.requests[0]?.path}: ${status}`);
      next += 1;
      answered += 1;
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => worker(number)));
  const rate = (1000 * answered) / (performance.now() - started);
  return { rate, cost: ((side.processorTime?.() ?? 0) - spent) / answered };
}

function authorizationOf({ authorizations = [] }: Side, number: number): string | undefined {
  return authorizations[number % authorizations.length];
}

/** The text to send, printed once unless something of it is different each time. */
function printerOf(request: Request, authorization: string | undefined): () => string {
  const own = authorization === undefined ? {} : { authorization };
  const { renew, headers } = request;
  const always = { ...request, headers: { ...headers, ...own } };
  if (renew === undefined) {
    const text = printRequest(always);
    return () => text;
  }
  return () => {
    const renewed = renew();
    const all = { ...headers, ...renewed.headers, ...own };
    return printRequest({ ...always, ...renewed, headers: all });
  };
}

async function latencyOf({ url, requests }: Side, load: Load): Promise<number> {
  const sent = requests.map((request) => ({ path: request.path, text: printRequest(request) }));
  const until = performance.now() + load.seconds * 1000;
  const latencies: number[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    const connection = await openConnection(url);
    while (performance.now() < until) {
      const request = sent[next % sent.length] as { path: string; text: string };
      next += 1;
      const started = performance.now();
      const { status } = await connection.send(request.text);
      latencies.push(performance.now() - started);
      if (status < 200 || status > 299) throw new Error(`${request.path}: ${status}`);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: load.connections }, worker));
  return median(latencies);
}

function printRequest({ path, method = 'GET', headers = {}, body = '' }: Request): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`;
}

interface Connection {
  send(request: string): Promise<{ readonly status: number; readonly body: string }>;
  close(): void;
}

/** One request at a time on one socket; answers must have a Content-Length. */
async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let settle: ((answer: { status: number; body: string }) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the connection was closed')));
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
    if (received.length < end + 4 + length) return;
    const body = received.toString('utf8', end + 4, end + 4 + length);
    received = Buffer.alloc(0);
    settle?.({ status: Number(head.slice(9, 12)), body });
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = resolve;
        fail = reject;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Follow the cursors of a list; returns the path of the last requested page. */
export async function walk(
  url: string,
  start: Request,
  pages: number,
): Promise<{ readonly path: string; readonly page: number }> {
  const connection = await openConnection(url);
  let current = start.path;
  for (let page = 1; page < pages; page += 1) {
    const { status, body } = await connection.send(printRequest({ ...start, path: current }));
    if (status !== 200) throw new Error(`${current}: ${status} ${body}`);
    const cursor = (JSON.parse(body) as { pagination: { next_cursor: string | null } }).pagination
      .next_cursor;
    if (cursor === null) {
      connection.close();
      return { path: current, page };
    }
    current = `${start.path}&cursor=${cursor}`;
  }
  connection.close();
  return { path: current, page: pages };
}

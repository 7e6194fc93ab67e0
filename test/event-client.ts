// A client of the stream of live events: parses what comes as the rules of Server-Sent Events say, and
// waits for what should.

import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectNoCanary } from './access/canary.ts';

export interface StreamedEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of any form
  readonly data: any;
  /** The last id that had come with it. */
  readonly id: string;
  /** By `performance.now()`. */
  readonly at: number;
}

export interface EventClient {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** All that came, in order. */
  readonly events: readonly StreamedEvent[];
  /** All bytes that came. */
  text(): string;
  lastId(): string;
  isOpen(): boolean;
  /** Resolves when an event of this kind has come; rejects when the stream ends before. */
  next(isWanted: (event: StreamedEvent) => boolean): Promise<StreamedEvent>;
  /** Resolves when the service, or the network, has ended it. */
  ended(): Promise<void>;
  /** Read nothing for a while. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface EventClientOptions {
  readonly port: number;
  readonly secret: string;
  readonly lastEventId?: string | undefined;
  /** In the address: `?lastEventId=…`. */
  readonly query?: string | undefined;
  readonly headers?: http.OutgoingHttpHeaders;
}

/** Milliseconds that an event may take. */
const PATIENCE = 120_000;

/** Open a stream; resolves with the headers of the answer, whatever the answer is. */
export function openEvents(options: EventClientOptions): Promise<EventClient> {
  const { port, secret, lastEventId, query = '', headers = {} } = options;
  const sent = http.get({
    host: '127.0.0.1',
    port,
    path: `/v1/events/stream${query}`,
    agent: false,
    headers: {
      ...('cookie' in headers ? {} : { authorization: `Bearer ${secret}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  });
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => resolve(clientOf(sent, response, secret)));
  });
}

function clientOf(
  sent: http.ClientRequest,
  response: http.IncomingMessage,
  secret: string,
): EventClient {
  const events: StreamedEvent[] = [];
  const listeners = new Set<() => void>();
  let all = '';
  let rest = '';
  let lastId = '';
  let open = true;
  const changed = () => {
    for (const listener of listeners) listener();
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    all += chunk;
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const { name, data, id } = parseBlock(block);
      if (id !== undefined) lastId = id;
      if (data === '') continue;
      expectNoCanary(secret, block);
      events.push({ name, data: JSON.parse(data), id: lastId, at: performance.now() });
    }
    changed();
  });
  const end = () => {
    open = false;
    changed();
  };
  response.on('close', end).on('error', end);
  sent.on('error', end);
  const when = <Result>(find: () => Result | undefined) =>
    new Promise<Result>((resolve) => {
      const listener = () => {
        const found = find();
        if (found === undefined) return;
        listeners.delete(listener);
        resolve(found);
      };
      listeners.add(listener);
      listener();
    });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => all,
    lastId: () => lastId,
    isOpen: () => open,
    async next(isWanted) {
      const found = await Promise.race([
        when(() => events.find(isWanted) ?? (open ? undefined : 'ended')),
        sleep(PATIENCE, 'not sent', { ref: false }),
      ]);
      if (typeof found === 'string') throw new Error(`${found}: ${all.slice(-500)}`);
      return found;
    },
    async ended() {
      await when(() => (open ? undefined : true));
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void sent.destroy(),
  };
}

/** The fields of one block of lines; comments begin with a colon. */
function parseBlock(block: string) {
  const fields = { event: '', data: '', id: undefined as string | undefined };
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event' || field === 'data' || field === 'id') fields[field] = value;
  }
  return { name: fields.event, data: fields.data, id: fields.id };
}

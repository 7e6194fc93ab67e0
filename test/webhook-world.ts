// The named world with the process that sends webhooks, and receivers on this machine that note what they get.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { openWebhookTools } from '../src/cli/service/assemble.ts';
import { PRESENTER } from '../src/cli/service/sending-webhooks.ts';
import { startWebhooks, type WebhookRunner } from '../src/flow/webhooks/webhook-runner.ts';
import type { Database } from '../src/postgres/db.ts';
import { openWebhookSender, type WebhookSender } from '../src/webhooks/send.ts';
import type { Client } from './client.ts';
import { openWorld, type World } from './world.ts';

/** One request that a receiver got. */
export interface Received {
  readonly id: string;
  readonly attempt: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any event.
  readonly body: any;
}

/** The answer of a receiver; undefined: none, until it is closed. */
export type Answering = (received: Received) => number | Answer | undefined;

export interface Answer {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly after?: number;
}

export interface NotingReceiver {
  readonly url: string;
  /** Everything it got, pings included. */
  readonly all: Received[];
  /** Everything but pings. */
  events(): readonly Received[];
  /** Answer otherwise from now on. */
  answer(answering: Answering): void;
  close(): Promise<void>;
}

export async function openReceiver(first: Answering = () => 204): Promise<NotingReceiver> {
  let answering = first;
  const all: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { headers } = request;
    const received: Received = {
      ...{ id: String(headers['webhook-id']), attempt: Number(headers['webhook-attempt']) },
      ...{ headers, text, body: JSON.parse(text) },
    };
    all.push(received);
    const given = answering(received);
    if (given === undefined) return;
    const answer = typeof given === 'number' ? { status: given } : given;
    if (answer.after !== undefined) await new Promise((done) => setTimeout(done, answer.after));
    response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    all,
    events: () => all.filter(({ body }) => body.type !== 'ping'),
    answer(next) {
      answering = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A clock that tests move. */
export interface TestClock {
  now(): number;
  /** Let so many milliseconds pass. */
  pass(milliseconds: number): void;
}

export function openTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    pass(milliseconds) {
      ahead += milliseconds;
    },
  };
}

export interface WebhookWorld extends World {
  /** Start sending; what it returns stops it. */
  startSending(clock?: TestClock, db?: Database): Promise<Sending>;
}

export interface Sending extends WebhookRunner {
  readonly errors: readonly unknown[];
}

export const ALLOWED = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8 ::1/128' };

export async function openWebhookWorld(frozen?: string): Promise<WebhookWorld> {
  const world = await openWorld(ALLOWED, frozen);
  return { ...world, startSending: (...given) => startSending(world, ...given) };
}

/** `db`: the database as it sees it. */
export async function startSending(
  world: World,
  clock?: TestClock,
  db: Database = world.database.db,
): Promise<Sending> {
  const { rules, keys } = openWebhookTools(world.config);
  const sender: WebhookSender = openWebhookSender({ rules, proxy: undefined, userAgent: 'tests' });
  const errors: unknown[] = [];
  const { listeners } = world.database;
  const runner = await startWebhooks({
    ...{ db, listeners, feeds: world.events, sender, keys, present: PRESENTER },
    requestsInFlight: () => 0,
    ...(clock === undefined ? {} : { now: clock.now }),
    random: () => 0.5,
    poll: 100,
    onError: (error) => errors.push(error),
  });
  return {
    errors,
    look: runner.look,
    async stop() {
      await runner.stop();
      await sender.close();
    },
  };
}

/** A webhook for everything about records, unless it says otherwise; it was pinged when this resolves. */
export async function makeWebhook(client: Client, receiver: NotingReceiver, given: object = {}) {
  const body = { url: receiver.url, events: ['record.*'], ...given };
  const { status, body: answer } = await client.post('/webhooks', body);
  expect(status, JSON.stringify(answer)).toBe(201);
  const { data } = answer;
  await expect.poll(async () => (await stateOf(client, data.id)).verified_at).not.toBeNull();
  return data;
}

// biome-ignore lint/suspicious/noExplicitAny: states of any webhook.
export async function stateOf(client: Client, id: string): Promise<any> {
  return (await client.get(`/webhooks/${id}`)).body.data;
}

// biome-ignore lint/suspicious/noExplicitAny: deliveries of any event.
export async function deliveriesOf(client: Client, id: string, query = ''): Promise<any[]> {
  return (await client.get(`/webhooks/${id}/deliveries${query}`)).body.data;
}

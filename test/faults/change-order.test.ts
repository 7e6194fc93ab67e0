// Two processes are killed in turns while clients create and delete records through both, and readers follow the feed of
// changes: the events of a record come in the order of its revisions, and no event comes twice to a reader who keeps its
// cursor.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMMAND, PATIENCE } from '../cli/command-process.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const KILLS = timesOf(4);
const CLIENTS = 6;
const DEALS = '/objects/deals/records';

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly record_id: string;
  readonly revision: number;
}

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let world: World;
let secret: string;
const running: Running[] = [];
/** `rounds`: of all clients, once they are over. */
const isOver = { writing: false, rounds: Infinity };

beforeAll(async () => {
  world = await openWorld();
  ({ secret } = await world.key('ada'));
  for (const place of [0, 1]) running[place] = await start();
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await world.close();
});

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [COMMAND, 'start', '--port', '0', '--workers', '1'], {
    env: {
      ...{ ...process.env, ...world.database.environment },
      ...{ DEMO: 'off', REQUESTS_PER_MINUTE: '1000000' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const listening = /Listening on (http:\S+\/v1)/;
  await vi.waitFor(() => expect(output).toMatch(listening), { timeout: PATIENCE, interval: 20 });
  return { child, url: listening.exec(output)?.[1] as string };
}

/** Sends a request to one process or the other until one of these statuses answers it. */
async function insist(statuses: readonly number[], path: string, init: Sent = {}) {
  for (;;) {
    const { url } = running[Math.round(Math.random())] as Running;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(20_000);
    const sent = { ...init, headers: { ...headers, ...init.headers }, signal };
    const answer = await fetch(url + path, sent)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (answer !== undefined && statuses.includes(answer.status)) return JSON.parse(answer.text);
    expect([undefined, 409, 503], answer?.text).toContain(answer?.status);
    await sleep(20);
  }
}

async function createAndDelete(client: number): Promise<number> {
  let rounds = 0;
  for (; !isOver.writing; rounds += 1) {
    const label = `order-${client}-${rounds}`;
    const body = JSON.stringify({ fields: { name: label } });
    const made = { method: 'POST', body, headers: { 'idempotency-key': label } };
    const { data } = await insist([201], DEALS, made);
    if (rounds % 3 === 0) {
      const changed = { method: 'PATCH', body: JSON.stringify({ fields: { amount: 1 } }) };
      await insist([200], `${DEALS}/${data.id}`, changed);
    }
    await insist([200, 404], `${DEALS}/${data.id}`, { method: 'DELETE' });
  }
  return rounds;
}

/** All events in the order in which a reader gets them, who asks again with its cursor when an answer is lost. */
async function follow(cursor: string, limit: number): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  let next = cursor;
  let deleted = 0;
  // A transaction of a process that died delays the events after it, until PostgreSQL notices.
  while (deleted < isOver.rounds) {
    const { data, pagination } = await insist(
      [200],
      `/changes?cursor=${next}&limit=${limit}&wait=1`,
    );
    events.push(...data);
    deleted = events.filter(({ type }) => type === 'record.deleted').length;
    next = pagination.next_cursor;
  }
  return events;
}

test(
  'the events of a record come in order, however often processes die',
  async () => {
    const { pagination } = await insist([200], '/changes');
    const readers = [3, 50, 1000].map((limit) => follow(pagination.next_cursor, limit));
    const writers = Array.from({ length: CLIENTS }, (_, client) => createAndDelete(client));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(300 + Math.random() * 700);
      const { child } = running[kill % 2] as Running;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      running[kill % 2] = await start();
    }
    isOver.writing = true;
    const rounds = (await Promise.all(writers)).reduce((sum, one) => sum + one, 0);
    isOver.rounds = rounds;
    expect(rounds).toBeGreaterThan(CLIENTS * 3);
    for (const events of await Promise.all(readers)) {
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      const revisions = new Map<string, number[]>();
      for (const { record_id, revision } of events) {
        revisions.set(record_id, [...(revisions.get(record_id) ?? []), revision]);
      }
      expect(revisions.size).toBe(rounds);
      for (const own of revisions.values()) expect(own).toEqual([...own].sort((a, b) => a - b));
      expect(events.filter(({ type }) => type === 'record.deleted')).toHaveLength(rounds);
    }
  },
  PATIENCE,
);

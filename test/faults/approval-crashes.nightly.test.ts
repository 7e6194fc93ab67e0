// Approvals that are interrupted: the service is killed while approvers decide, and the database loses each statement of
// a decision in turn. The move and its decision are one transaction: both are there or neither, and the same request
// again ends in exactly one of each.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openConnections } from '../../src/postgres/connections.ts';
import { COMMAND, PATIENCE } from '../cli/command-process.ts';
import type { Client } from '../client.ts';
import { timesOf } from '../until.ts';
import { GATED_ACME, openWorldWith, serve, type World } from '../world.ts';
import { type DatabaseProxy, type Fault, openDatabaseProxy } from './database-proxy.ts';

let world: World;
let rob: Client;
/** The key of Mia, who approves. */
let secret: string;
/** Services that a failed test may leave. */
const children = new Set<ChildProcess>();

beforeAll(async () => {
  world = await openWorldWith(GATED_ACME);
  rob = await world.as('rob');
  ({ secret } = await world.key('mia'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await world?.close();
});

/** A request of Rob for a move that needs Mia. */
async function asked(): Promise<string> {
  const made = await rob.post('/objects/deals/records', { fields: { name: 'Asked' } });
  const path = `/objects/deals/records/${made.body.data.id}`;
  await rob.post(`${path}/status`, { status_id: 'lost' });
  const { status, body } = await rob.post(`${path}/status_requests`, { status_id: 'won' });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

const OUTCOMES = `select r.id, r.state, d.status,
    (select count(*)::integer from ws_acme._status_decisions s where s.request_id = r.id) as decisions,
    (select count(*)::integer from ws_acme._audit a
      where a.record_id = r.record_id and a.action = 'status' and a.status_request_id = r.id) as moves
  from ws_acme._status_requests r join ws_acme.deals d on d.id = r.record_id where r.id = any($1)`;

const APPROVED = { state: 'approved', status: 'won', decisions: 1, moves: 1 };
const PENDING = { state: 'pending', status: 'lost', decisions: 0, moves: 0 };

/** Each is decided and moved, or neither; answers how many are. */
async function approvedOf(ids: readonly string[]): Promise<number> {
  const rows = await world.database.rows(OUTCOMES, [ids]);
  expect(rows).toHaveLength(ids.length);
  for (const { id: _, ...outcome } of rows) expect([APPROVED, PENDING]).toContainEqual(outcome);
  return rows.filter(({ state }) => state === 'approved').length;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [COMMAND, 'start', '--port', '0'], {
    env: { ...process.env, ...world.database.environment, DEMO: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const listening = /Listening on (http:\S+\/v1)/;
  await vi.waitFor(() => expect(said).toMatch(listening), { timeout: PATIENCE, interval: 20 });
  return { child, url: listening.exec(said)?.[1] as string };
}

async function end({ child }: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Answers the status; undefined when there was no answer. */
async function approve(url: string, id: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/status_requests/${id}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'idempotency-key': id },
      signal: AbortSignal.timeout(60_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

test('kill -9 of the service while approvers decide', { timeout: PATIENCE }, async () => {
  let running = await start();
  let unanswered = 0;
  for (let round = 0; round < timesOf(3); round += 1) {
    const ids = await Promise.all(Array.from({ length: 8 }, asked));
    const { url } = running;
    const answers = ids.map((id) => approve(url, id));
    await sleep(round === 0 ? 5 : Math.random() * 60);
    await end(running, 'SIGKILL');
    unanswered += (await Promise.all(answers)).filter((status) => status === undefined).length;
    await approvedOf(ids);
    running = await start();
    const again = running.url;
    for (const id of ids) {
      // The backend of the dead process may hold the record until PostgreSQL notices that it is gone.
      await vi.waitFor(async () => expect(await approve(again, id)).toBe(200), {
        timeout: PATIENCE,
        interval: 50,
      });
    }
    expect(await approvedOf(ids)).toBe(ids.length);
  }
  await end(running, 'SIGTERM');
  // Otherwise the test would prove nothing.
  expect(unanswered).toBeGreaterThan(0);
});

/** Approve while the database loses a statement; answers whether there was such a one. */
async function interrupted(proxy: DatabaseProxy, url: string, fault: Fault): Promise<boolean> {
  const id = await asked();
  const send = () => approve(url, id);
  proxy.arm(fault);
  const status = await send();
  const hasStruck = proxy.hasStruck();
  proxy.arm();
  const approved = await approvedOf([id]);
  if (status === 200) expect(approved).toBe(1);
  else expect(status).toBe(503);
  await vi.waitFor(async () => expect(await send()).toBe(200), { timeout: 60_000 });
  expect(await approvedOf([id])).toBe(1);
  return hasStruck;
}

test.each(['lost_before', 'lost_after'] as const)(
  'each statement of a decision is %s once',
  {
    timeout: PATIENCE,
  },
  async (kind) => {
    const { connection } = world.database;
    const proxy = await openDatabaseProxy(connection);
    const { host: _, port: __, ...login } = connection;
    const through = { ...login, host: '127.0.0.1', port: proxy.port };
    const { close, ...connections } = openConnections({
      ...{ connection: through, hasPlaces: false, poolSize: 2, statementTimeout: 60_000 },
    });
    const own = { ...world.database, ...connections, drop: close };
    const proxied = await serve(own);
    const url = `http://127.0.0.1:${proxied.port}/v1`;
    let at = 1;
    for (; await interrupted(proxy, url, { kind, at }); at += 1);
    expect(at).toBeGreaterThan(4);
    await proxied.close();
    await proxy.close();
  },
);

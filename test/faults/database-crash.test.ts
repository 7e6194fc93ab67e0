// PostgreSQL loses its memory: transactions that were never written to its disk had numbers, which it assigns again.
// Data that a process caches by numbers, and events that readers have, must not be mistaken for later ones.

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, openCluster } from '../../faults/cluster.ts';
import { assembleService } from '../../src/cli/service/assemble.ts';
import { readConfig } from '../../src/config.ts';
import { putApiKey, revokeApiKeys } from '../../src/control/people/api-keys.ts';
import { putUsers } from '../../src/control/people/document-people.ts';
import { openChanges } from '../../src/control/workspace/changes.ts';
import type { WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import type { RunningServer } from '../../src/http/socket/server.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import { hashOf, makeSecret, prefixOf } from '../../src/model/rights/api-key-form.ts';
import { type Connections, openConnections } from '../../src/postgres/connections.ts';
import type {
  ConnectionOptions,
  Database,
  DatabaseOptions,
  Queryable,
} from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';

const ANN = { email: 'ann@acme.example', name: 'Ann', roles: ['admin'] };
const BOB = { email: 'bob@acme.example', name: 'Bob', roles: ['admin'] };
const DEFINITION = {
  name: 'Acme',
  users: Object.fromEntries([ANN, BOB].map(({ email, ...person }) => [email, person])),
};
const COMPANIES = '/v1/objects/companies/records';

let cluster: Cluster;
let connection: ConnectionOptions;
/** Of the service, and of those who change things behind its back. */
let own: Connections;
let ops: Database;
let acme: WorkspaceRow;
let server: RunningServer;
let port: number;

beforeAll(async () => {
  cluster = await openCluster({ prepare: writeLate });
  const root = open(cluster.connection('postgres'));
  await root.query({
    text: `create database crash template template0 encoding 'UTF8'`,
    values: [],
  });
  await root.close();
  connection = cluster.connection('crash');
  own = openConnections(optionsOf(connection));
  ops = open(connection);
  await migrate(own.db);
  // Once a minute a key's use is noted, on the disk with all numbers before it.
  await run('alter table workspace_records.rate_windows disable trigger user');
  acme = await createWorkspace(own.db, { slug: 'acme', document: DEFINITION });
  const logger = pino({ level: 'silent' });
  server = await assembleService({ ...own, config: readConfig({}), logger });
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});

/**
 * Only commits that a client waits for are written to the disk, and no client waits for reads: the first change of a
 * page would be logged with it.
 */
function writeLate(directory: string): void {
  const settings = ['wal_level = minimal', 'max_wal_senders = 0', 'autovacuum = off'];
  const lines = [...settings, 'bgwriter_lru_maxpages = 0', 'full_page_writes = off', ''].join('\n');
  appendFileSync(join(directory, 'postgresql.conf'), lines);
}

afterAll(async () => {
  await server?.close();
  await Promise.all([own?.close(), ops?.close()]);
  await cluster?.close();
});

const streams: EventClient[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

function optionsOf(to: ConnectionOptions): DatabaseOptions {
  return { connection: to, poolSize: 4, statementTimeout: 10_000 };
}

function open(to: ConnectionOptions): Database {
  return openDatabase(optionsOf(to));
}

const run = (text: string, values: readonly unknown[] = []) =>
  ops.query({ text, values }, { prepare: false });

async function newestNumber(): Promise<bigint> {
  const [row] = await run('select pg_snapshot_xmax(pg_current_snapshot())::text as newest');
  return BigInt(row?.newest as string);
}

/** The process that writes asynchronous commits to the disk. */
let lateWriter: number;

/** Stopped while it writes, it would keep the lock that every commit needs. */
async function stopLateWriter(): Promise<void> {
  const text = `select pid, wait_event from pg_stat_activity where backend_type = 'walwriter'`;
  for (;;) {
    lateWriter = Number((await run(text))[0]?.pid);
    process.kill(lateWriter, 'SIGSTOP');
    if ((await run(text))[0]?.wait_event === 'WalWriterMain') return;
    process.kill(lateWriter, 'SIGCONT');
  }
}

/** Assign numbers, none of which reaches the disk: by transactions that write no row. */
async function useNumbers(count: number): Promise<void> {
  await stopLateWriter();
  for (let used = 0; used < count; used += 1) await run('select pg_current_xact_id()');
}

/** Kill a process of PostgreSQL: it ends all of them and recovers. Numbers must have come back. */
async function crash(): Promise<void> {
  const before = await newestNumber();
  const witness = new pg.Client(connection as pg.ClientConfig);
  const ended = new Promise<void>((resolve) =>
    witness.on('error', () => resolve()).on('end', resolve),
  );
  await witness.connect();
  process.kill(lateWriter, 'SIGKILL');
  await ended;
  await ops.close();
  ops = open(connection);
  await vi.waitFor(() => run('select 1'), { timeout: 30_000, interval: 5 });
  expect(await newestNumber()).toBeLessThan(before);
}

async function makeKey(email: string): Promise<{ readonly id: string; readonly secret: string }> {
  const secret = makeSecret('personal');
  const id = randomUUID();
  const [user] = await run('select id from ws_acme._users where email = $1', [email]);
  await putApiKey(ops, {
    id,
    workspace_id: acme.id,
    user_id: Number(user?.id),
    type: 'personal',
    name: 'crash',
    prefix: prefixOf(secret),
    secret_hash: hashOf(secret),
    scopes: SCOPES,
    requests_per_minute: 1_000_000,
    expires: null,
  });
  return { id, secret };
}

/** The service remembers whose these keys are, and then sees numbers given out that never reach the disk. */
async function beSeen(keys: readonly string[]): Promise<void> {
  for (const key of keys) expect(await status('/v1/me', key)).toBe(200);
  await useNumbers(300);
  await sleep(1000);
  // It looks for a stranger, and counts none: a count could take the numbers before it to the disk.
  expect(await status('/v1/me', makeSecret('personal'))).toBe(401);
}

const create = (key: string, name: string) =>
  call(port, COMPANIES, { method: 'POST', key, body: { fields: { name } } });

/** A request that failed because its connection had died is sent again; the id. */
const insist = (key: string, name: string): Promise<string> =>
  vi.waitFor(async () => {
    const { status, text, json } = await create(key, name);
    expect(status, text).toBe(201);
    return json.data.id as string;
  }, SOON);

const status = async (path: string, key: string) => (await call(port, path, { key })).status;

/** Far below a minute, the longest time that data is cached. */
const SOON = { timeout: 10_000, interval: 50 };

test('a check reports that everything may have changed', async () => {
  const told: unknown[] = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    // Those of the pool that have died are found out by sending.
    const at: Queryable = { query: (statement) => ops.query(statement) };
    const changes = openChanges(at);
    changes.onChange((changed) => told.push(changed));
    const look = async () => {
      vi.advanceTimersByTime(900);
      await changes.catchUp();
    };
    await look();
    await useNumbers(300);
    await look();
    told.splice(0);
    await crash();
    await putUsers(ops, acme.schema, [{ ...BOB, name: 'Bobby' }]);
    await look();
    expect(told).toEqual(['everything']);
    await putUsers(ops, acme.schema, [BOB]);
    await look();
    expect(told).toEqual(['everything', [acme.id]]);
    await look();
    expect(told).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

describe('changes right after a crash are visible soon', () => {
  test('a key is revoked, a person loses a role or leaves, a definition is put in force', async () => {
    const [revoked, ann, bob] = [
      await makeKey(ANN.email),
      await makeKey(ANN.email),
      await makeKey(BOB.email),
    ];
    for (const { secret } of [revoked, ann, bob]) {
      expect(await status(COMPANIES, secret)).toBe(200);
    }
    await beSeen([ann.secret, bob.secret]);
    await crash();
    await revokeApiKeys(ops, acme.id, revoked.id);
    await vi.waitFor(async () => expect(await status('/v1/me', revoked.secret)).toBe(401), SOON);

    await beSeen([ann.secret, bob.secret]);
    await crash();
    await applyDefinition(
      ops,
      'acme',
      {
        ...DEFINITION,
        objects: {
          boats: {
            name: 'Boats',
            singular_name: 'Boat',
            fields: { name: { type: 'text' } },
            display_field: 'name',
          },
        },
      },
      {},
    );
    await vi.waitFor(
      async () => expect(await status('/v1/objects/boats', ann.secret)).toBe(200),
      SOON,
    );

    await beSeen([ann.secret, bob.secret]);
    await crash();
    await putUsers(ops, acme.schema, [{ ...BOB, active: false }]);
    await vi.waitFor(async () => expect(await status('/v1/me', bob.secret)).toBe(401), SOON);
    expect(await status('/v1/me', ann.secret)).toBe(200);
  });
});

describe('readers of events', () => {
  async function listen(key: string, lastEventId?: string): Promise<EventClient> {
    const stream = await vi.waitFor(async () => {
      const answered = await openEvents({ port, secret: key, lastEventId });
      streams.push(answered);
      expect(answered.status, answered.text()).toBe(200);
      return answered;
    }, SOON);
    await vi.waitFor(() => expect(stream.lastId()).not.toBe(''), 60_000);
    return stream;
  }

  const names = ({ events }: EventClient) => events.map(({ name }) => name);

  test('get all events over a crash, although transaction numbers are used again', async () => {
    const { secret } = await makeKey(ANN.email);
    const open = await listen(secret);
    const gone = await listen(secret);
    await useNumbers(300);
    // The id of the event covers all of the numbers.
    await create(secret, 'Before');
    await Promise.all([open, gone].map((one) => one.next(({ name }) => name === 'record.created')));
    gone.close();
    await useNumbers(300);
    const reader = await listen(secret);
    const known = reader.lastId();
    reader.close();
    await crash();
    const made: string[] = [];
    for (let number = 0; number < 30; number += 1) {
      made.push(await insist(secret, `After ${number}`));
    }
    const back = await listen(secret, gone.lastId());
    const late = await listen(secret, known);
    const end = await create(secret, 'The end');
    for (const stream of [open, back, late]) {
      await stream.next(({ data }) => data.record_id === end.json.data.id);
      const ids = new Set(stream.events.map(({ data }) => data.record_id));
      expect(names(stream)).not.toContain('reset');
      expect(made.filter((id) => !ids.has(id))).toEqual([]);
    }
    const again = await listen(secret, back.lastId());
    const last = await create(secret, 'Once more');
    await again.next(({ data }) => data.record_id === last.json.data.id);
    expect(names(again)).toEqual(['record.created']);
  });

  test('continue after PostgreSQL was stopped in order', async () => {
    const { secret } = await makeKey(ANN.email);
    const stream = await listen(secret);
    cluster.signal('INT');
    await cluster.gone();
    await cluster.start();
    await vi.waitFor(async () => expect(await status('/v1/me', secret)).toBe(200), SOON);
    const { json } = await create(secret, 'Restarted');
    await stream.next(({ data }) => data.record_id === json.data.id);
    expect(names(stream)).toEqual(['record.created']);
  });
});

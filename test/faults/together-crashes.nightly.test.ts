// Several single writes in one transaction, interrupted at each of its statements: all of them are made or none, each
// client gets that answer, and writes that PostgreSQL refuses once are made after all, each on its own.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import type { Written } from '../../src/flow/records/write-flow.ts';
import { writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database, Row } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { type DatabaseProxy, type Fault, openDatabaseProxy } from './database-proxy.ts';

const COUNT = 4;

let sample: SampleWorkspace;
let proxy: DatabaseProxy;
/** The service's pool; `sample.db` does not go through the proxy. */
let db: Database;
let ids: readonly string[];

beforeAll(async () => {
  sample = await openSampleWorkspace();
  proxy = await openDatabaseProxy(sample.own.connection);
  const { host: _, port: __, ...login } = sample.own.connection;
  const connection = { ...login, host: '127.0.0.1', port: proxy.port };
  db = openDatabase({ connection, poolSize: COUNT, statementTimeout: 60_000 });
});

afterAll(async () => {
  await db?.close();
  await proxy?.close();
  await sample?.own.drop();
});

beforeEach(restore);

/** Run SQL in which `s.` means the schema of the workspace. */
function rows(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return sample.own.rows(text.replaceAll(/\bs\./g, `"${sample.model.schema}".`), values);
}

async function restore(): Promise<void> {
  proxy.arm();
  await rows('truncate s.gadgets, s._audit, s._search, s._idempotency cascade');
  const author = sample.caller('anna').user.id;
  const made = await rows(
    `insert into s.gadgets (id, name, status, created_by_user_id, owner_user_id)
      select gen_random_uuid(), 'seed', 'new', $1, $1 from generate_series(1, $2) returning id`,
    [author, COUNT],
  );
  ids = made.map(({ id }) => String(id));
}

function respond({ results }: Written) {
  return { status: 201, body: { id: results[0]?.id }, fields: [] };
}

async function send(operation: WriteOperation, key?: string): Promise<string> {
  const { model } = sample;
  const context = { db, model, caller: sample.caller('anna'), requestId: 'req_1' };
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const object = sample.object('gadgets');
  try {
    if (key === undefined) {
      await writeRecords(context, object, request);
      return 'ok';
    }
    const fingerprint = createHash('sha256').update(key).digest();
    const once = { claim: { key, fingerprint }, respond };
    const { replayed } = await writeOnce(context, object, request, once);
    return replayed === true ? 'replayed' : 'ok';
  } catch (error) {
    return error instanceof ApiError ? error.code : `internal_error ${error}`;
  }
}

const numbers = Array.from({ length: COUNT }, (_, index) => index);
const sendAll = (send: (index: number) => Promise<string>) => Promise.all(numbers.map(send));

interface Path {
  readonly name: string;
  /** The key of a repeated request whose first effect had no answer. */
  readonly again: string;
  attempt(): Promise<readonly string[]>;
}

const PATHS: readonly Path[] = [
  {
    name: 'updates',
    again: 'ok',
    attempt: () =>
      sendAll((index) => {
        const id = ids[index] as string;
        return send({ action: 'update', id, fields: { a_integer: index } });
      }),
  },
  {
    name: 'creates',
    again: 'ok',
    attempt: () =>
      sendAll((index) => send({ action: 'create', fields: { name: 'made', a_integer: index } })),
  },
  {
    name: 'creates under keys',
    again: 'replayed',
    attempt: () =>
      sendAll((index) => {
        const fields = { name: 'made', a_integer: index };
        return send({ action: 'create', fields }, `key ${index}`);
      }),
  },
];

const FAULTS: readonly ((at: number) => Fault)[] = [
  (at) => ({ kind: 'lost_before', at }),
  (at) => ({ kind: 'lost_after', at }),
  (at) => ({ kind: 'fails', at, sqlstate: '57014' }),
  (at) => ({ kind: 'fails', at, sqlstate: '40001' }),
  (at) => ({ kind: 'fails', at, sqlstate: '23514' }),
];

/** The number of records with the requested effect, each with its audit row. */
async function effects(): Promise<number> {
  const [count] = await rows(
    `select count(*)::integer as written, count(distinct a_integer)::integer as numbers,
        (select count(*)::integer from s._audit) as audited
      from s.gadgets where a_integer is not null`,
  );
  expect(count?.audited).toBe(count?.written);
  expect(count?.numbers).toBe(count?.written);
  return Number(count?.written);
}

/** Backends that were cut off have noticed, and no lock remains. */
async function requireRest(): Promise<void> {
  await expect
    .poll(
      async () =>
        rows(
          `select 'cut' as what from pg_stat_activity where pid = any($1)
            union all select state from pg_stat_activity
              where datname = current_database() and state like 'idle in transaction%'
            union all select locktype from pg_locks where locktype = 'advisory'
              and database = (select oid from pg_database where datname = current_database())`,
          [proxy.cutBackends()],
        ),
      { timeout: 60_000 },
    )
    .toEqual([]);
}

const all = (code: string) => Array(COUNT).fill(code);

describe.each(PATHS)('$name', ({ attempt, again }) => {
  test('all or none, and each client gets that answer', async () => {
    // Twice: the first time it is not yet known which texts come again.
    for (const _ of [1, 2]) {
      await restore();
      expect(await attempt()).toEqual(all('ok'));
      expect(await effects()).toBe(COUNT);
    }
    const texts = proxy.seen();
    expect(texts.length).toBeLessThanOrEqual(8);
    for (let at = 1; at <= texts.length; at += 1) {
      for (const faultAt of FAULTS) {
        const fault = faultAt(at);
        const about = `${JSON.stringify(fault)}: ${texts[at - 1]?.slice(0, 60)}`;
        await restore();
        proxy.arm(fault);
        const codes = await attempt();
        expect(proxy.hasStruck(), about).toBe(true);
        proxy.arm();
        await requireRest();
        const isMade = fault.kind === 'fails' && fault.sqlstate !== '57014';
        const isLost = fault.kind === 'lost_after' && at === texts.length;
        expect(codes, about).toEqual(all(isMade ? 'ok' : 'service_unavailable'));
        expect(await effects(), about).toBe(isMade || isLost ? COUNT : 0);
        if (isMade) continue;
        if (isLost && again === 'ok') continue;
        expect(await attempt(), about).toEqual(all(isLost ? again : 'ok'));
        expect(await effects(), about).toBe(COUNT);
      }
    }
  });
});

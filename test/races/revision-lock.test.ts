// A write and a change of the definition that needs no table, one held just before its COMMIT: the other
// waits for it. So no write is made by a definition that is no longer in force.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../faults/database-proxy.ts';
import { LINKED_DOCUMENT } from '../linked-definition.ts';
import { lacks } from '../own-database.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;
let proxy: DatabaseProxy;
/** Goes through the proxy. */
let held: Database;
let gadget: string;

beforeEach(async () => {
  sample = await openSampleWorkspace(LINKED_DOCUMENT);
  proxy = await openDatabaseProxy(sample.own.connection);
  const { host: _, port: __, ...login } = sample.own.connection;
  const connection = { ...login, host: '127.0.0.1', port: proxy.port };
  held = openDatabase({ connection, poolSize: 4, statementTimeout: 0 });
  gadget = await write(sample.db, { action: 'create', fields: { name: 'n' } });
});

afterEach(async () => {
  proxy?.release();
  await held?.close();
  await proxy?.close();
  await sample?.own.drop();
});

async function write(db: Database, operation: WriteOperation): Promise<string> {
  const context = { db, model: sample.model, caller: sample.caller('anna'), requestId: null };
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const { results } = await writeRecords(context, sample.object('gadgets'), request);
  return results[0]?.id as string;
}

/** The move from new to built is allowed no more. */
const CHANGED = mergePatch(LINKED_DOCUMENT, {
  workflows: { assembly: { statuses: { new: { transitions: ['new'] } } } },
});

const move = (): WriteOperation => ({ action: 'status', id: gadget, status_id: 'built' });

const apply = (db: Database) => applyDefinition(db, 'sample', CHANGED);

/** Start it and wait until its COMMIT is held. */
async function holdCommit<Result>(run: () => Promise<Result>): Promise<{
  readonly outcome: Promise<Result>;
}> {
  proxy.arm({ kind: 'held', at: /^commit$/ });
  const outcome = run();
  await expect.poll(() => proxy.hasStruck(), { timeout: 60_000 }).toBe(true);
  return { outcome };
}

/** Backends that wait for a lock, of a row or an advisory one. */
async function waiting(): Promise<number> {
  const [row] = await sample.own.rows(
    `select count(*) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return Number(row?.count);
}

/** Wait until `later` waits for a lock; it must not be over before. */
async function requireWaiting(later: Promise<unknown>): Promise<void> {
  let isOver = false;
  const note = () => {
    isOver = true;
  };
  later.then(note, note);
  await expect.poll(async () => isOver || (await waiting()) > 0, { timeout: 60_000 }).toBe(true);
  expect(isOver, 'it has not waited').toBe(false);
}

test.skipIf(lacks('locks'))(
  'a change of the definition waits for a write that was validated by the old one',
  async () => {
    const { outcome } = await holdCommit(() => write(held, move()));
    const applied = apply(sample.db);
    await requireWaiting(applied);
    proxy.release();
    await outcome;
    await applied;
    const [row] = await sample.own.rows('select status, version from ws_sample.gadgets');
    expect(row).toEqual({ status: 'built', version: 2 });
  },
);

test.skipIf(lacks('locks'))(
  'a write waits for a change of the definition and is not made by the old one',
  async () => {
    const { outcome } = await holdCommit(() => apply(held));
    const moved = write(sample.db, move());
    await requireWaiting(moved);
    proxy.release();
    await outcome;
    await expect(moved).rejects.toMatchObject({ code: 'service_unavailable' });
    const [row] = await sample.own.rows('select status, version from ws_sample.gadgets');
    expect(row).toEqual({ status: 'new', version: 1 });
    const audited = await sample.own.rows(
      'select action from ws_sample._audit where record_id is not null',
    );
    expect(audited).toEqual([{ action: 'create' }]);
  },
);

test('writes do not wait for each other', async () => {
  const other = await write(sample.db, { action: 'create', fields: { name: 'o' } });
  const { outcome } = await holdCommit(() => write(held, move()));
  await write(sample.db, { action: 'update', id: other, fields: { name: 'p' } });
  proxy.release();
  await outcome;
});

test('once a change is in force no write uses the model before it', async () => {
  await apply(sample.db);
  const writes: readonly WriteOperation[] = [
    { action: 'create', fields: { name: 'n' } },
    { action: 'update', id: gadget, fields: { name: 'm' } },
    move(),
    { action: 'delete', id: gadget },
  ];
  for (const operation of writes) {
    await expect(write(sample.db, operation)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  }
  const [row] = await sample.own.rows('select name, status, version from ws_sample.gadgets');
  expect(row).toEqual({ name: 'n', status: 'new', version: 1 });
});

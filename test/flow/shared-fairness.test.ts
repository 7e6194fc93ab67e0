// Statements and transactions of several principals wait in the fair queue for none of them: a principal that holds
// all of its own connections does not delay those in the same statement.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGroups, readRecord } from '../../src/flow/records/read/read-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { recordQuery } from '../../src/plan/read/record-query.ts';
import { type Connections, openConnections } from '../../src/postgres/connections.ts';
import { SAMPLE_KEY } from '../sample-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { until } from '../until.ts';

/** Of ten connections a principal has six, and its workspace seven. */
const OF_A_PRINCIPAL = 6;

let sample: SampleWorkspace;
let connections: Connections;
let ids: readonly string[];

beforeAll(async () => {
  sample = await openSampleWorkspace();
  const { connection } = sample.own;
  connections = openConnections({ connection, poolSize: 10, statementTimeout: 60_000 });
  const create = { action: 'create', fields: { name: 'n' } } as const;
  const request = { operations: [create, create], source: 'api', batch: true } as const;
  const context = { ...contextOf('anna', 0), db: sample.db };
  const { results } = await writeRecords(context, sample.object('gadgets'), request);
  ids = results.map(({ id }) => id);
});

afterAll(async () => {
  await connections?.close();
  await sample?.own.drop();
});

/** A key of the same person; each has a share of its own. */
function contextOf(name: string, key: number) {
  const { model } = sample;
  const caller: Caller = {
    ...sample.caller(name),
    principal: { ...SAMPLE_KEY, id: `01900000-0000-7000-8000-00000000000${key}` },
  };
  const tenant = { workspace: model.workspace.id, principal: `key ${key}` };
  return { db: connections.tenants.forTenant(tenant), model, caller, requestId: null };
}

/** While all connections of the first key wait for a lock. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const wait = { text: 'select pg_advisory_xact_lock_shared(7)', values: [] };
  const { db } = contextOf('anna', 1);
  const holding = await sample.own.db.transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock(7)', values: [] });
    const held = Array.from({ length: OF_A_PRINCIPAL }, () => db.query(wait));
    await until(() => connections.tenants.load().held === OF_A_PRINCIPAL);
    await work();
    return held;
  });
  await Promise.all(holding);
}

const gadgets = () => sample.object('gadgets');
const KINDS: readonly [string, (key: number) => Promise<unknown>][] = [
  ['gets', (key) => readRecord(contextOf('anna', key), gadgets(), { id: idOf(key), fields: [] })],
  ['the same aggregate', (key) => readGroups(contextOf('anna', key), gadgets(), COUNT)],
  [
    'updates',
    (key) =>
      writeRecords(contextOf('anna', key), gadgets(), {
        operations: [{ action: 'update', id: idOf(key), fields: { a_text: `by ${key}` } }],
        ...{ source: 'api', batch: false },
      }),
  ],
  [
    'creates',
    (key) =>
      writeRecords(contextOf('anna', key), gadgets(), {
        operations: [{ action: 'create', fields: { name: `by ${key}` } }],
        ...{ source: 'api', batch: false },
      }),
  ],
];

const COUNT = {
  query: recordQuery({}),
  group_by: [],
  metrics: [{ name: 'n', op: 'count' }],
  ...{ order_by: undefined, limit: 25, cursor: undefined },
} as const;

function idOf(key: number): string {
  return ids[key - 1] as string;
}

test.each(KINDS)('%s of two keys, one of which has used up its share', async (_, send) => {
  await whileHeld(async () => {
    const answers = await Promise.allSettled([send(1), send(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});

test.each(KINDS)('%s of the key alone wait for its share', async (_, send) => {
  await whileHeld(async () => {
    await expect(send(1)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

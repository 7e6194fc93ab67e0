// The cost of a trash: one statement more for a delete, in the same message; of an object without one nothing at all.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreDeleted } from '../../src/flow/records/restore-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WriteContext } from '../../src/flow/records/write-group.ts';
import { requireTrash } from '../../src/plan/write/trash-plan.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database, QueryStats } from '../../src/postgres/db.ts';
import { openDatabases } from '../../src/postgres/places.ts';
import { SAMPLE_DOCUMENT } from '../sample-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

const { gadgets, ...objects } = SAMPLE_DOCUMENT.objects;
const PINS = {
  name: 'Pins',
  singular_name: 'Pin',
  fields: {
    name: { type: 'text' },
    gadget_id: { type: 'reference', reference_object_type: 'gadgets' },
  },
};
const PLAIN = { ...SAMPLE_DOCUMENT, objects: { ...objects, pins: PINS, gadgets } };
const KEPT = {
  ...PLAIN,
  objects: { ...PLAIN.objects, gadgets: { ...gadgets, trash: { keep: '30d' } } },
};

interface Counted {
  readonly sample: SampleWorkspace;
  readonly db: Database;
  readonly stats: QueryStats;
}

let without: Counted;
let kept: Counted;

beforeAll(async () => {
  without = await openCounted(PLAIN);
  kept = await openCounted(KEPT);
});
afterAll(async () => {
  for (const { db, sample } of [without, kept]) {
    await db.close();
    await sample.own.drop();
  }
});

async function openCounted(document: object): Promise<Counted> {
  const sample = await openSampleWorkspace(document);
  const stats: QueryStats = { statements: 0, roundTrips: 0 };
  const { connection } = sample.own;
  const db = openDatabases({ connection, poolSize: 2, statementTimeout: 60_000, stats });
  return { sample, db, stats };
}

function contextOf({ sample, db }: Counted): WriteContext {
  return { db, model: sample.model, caller: sample.caller('anna'), requestId: 'req' };
}

async function write(
  counted: Counted,
  operation: WriteOperation,
  type = 'gadgets',
): Promise<string> {
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const object = counted.sample.object(type);
  const { results } = await writeRecords(contextOf(counted), object, request);
  return String(results[0]?.id);
}

async function costOf({ stats }: Counted, work: () => Promise<unknown>) {
  const before = { ...stats };
  await work();
  const { statements, roundTrips } = stats;
  return {
    statements: statements - before.statements,
    roundTrips: roundTrips - before.roundTrips,
  };
}

async function costOfDelete(counted: Counted) {
  const id = await write(counted, { action: 'create', fields: { name: 'Brief' } });
  const cost = await costOf(counted, () => write(counted, { action: 'delete', id }));
  return { id, cost };
}

test('a delete with a trash takes one statement more, and no round trip', async () => {
  const plain = (await costOfDelete(without)).cost;
  const { cost } = await costOfDelete(kept);
  expect(cost).toEqual({ ...plain, statements: plain.statements + 1 });
});

function costOfRestore(id: string) {
  const { model, caller } = contextOf(kept);
  const scope = requireTrash(model, caller, 'gadgets');
  const respond = () => ({ status: 200, body: null, fields: [] });
  const request = { scope, id, claim: undefined, respond };
  return costOf(kept, () => restoreDeleted(contextOf(kept), request));
}

test('a restore takes one round trip more than a delete', async () => {
  const { id, cost } = await costOfDelete(kept);
  const restored = await costOfRestore(id);
  // Without references and links there is nothing to look up.
  expect(restored.roundTrips).toBeLessThanOrEqual(cost.roundTrips + 1);
});

test('a restore takes as many statements for many records that refer to it as for one', async () => {
  const costs = [];
  for (const count of [1, 20]) {
    const id = await write(kept, { action: 'create', fields: { name: 'Board' } });
    for (let index = 0; index < count; index += 1) {
      const fields = { name: `Pin ${index}`, gadget_id: id };
      await write(kept, { action: 'create', fields }, 'pins');
    }
    await write(kept, { action: 'delete', id });
    costs.push(await costOfRestore(id));
    const { table } = kept.sample.object('pins');
    const back = await kept.sample.own.rows(
      `select count(*)::integer as count from "${kept.sample.model.schema}"."${table}" where gadget_id = $1`,
      [id],
    );
    expect(back[0]?.count).toBe(count);
  }
  expect(costs[1]).toEqual(costs[0]);
});

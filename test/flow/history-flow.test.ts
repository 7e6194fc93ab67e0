// The cost of the history for a write, and the values of every field type in it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHistory, restoreValues } from '../../src/flow/records/read/history-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { FieldType } from '../../src/model/values/field-types.ts';
import type {
  FieldValues,
  WriteOperation,
  WriteRequest,
} from '../../src/plan/write/write-operation.ts';
import type { Row } from '../../src/postgres/db.ts';
import { PLAIN_TYPES, SAMPLE_DOCUMENT } from '../sample-definition.ts';
import { ACCEPTED } from '../sample-values.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

const HISTORY = { history: { keep: 'forever' } };
const DOCUMENT = mergePatch(SAMPLE_DOCUMENT, { objects: { gadgets: HISTORY, fittings: HISTORY } });

let sample: SampleWorkspace;

beforeAll(async () => {
  sample = await openSampleWorkspace(DOCUMENT);
});
afterAll(() => sample?.own.drop());

const contextOf = (name = 'anna') => ({
  ...{ db: sample.db, model: sample.model, caller: sample.caller(name) },
  requestId: null,
});

async function write(
  object: string,
  operations: readonly WriteOperation[],
  more: Partial<WriteRequest> = {},
): Promise<readonly string[]> {
  const request = { operations, source: 'api', batch: operations.length > 1, ...more } as const;
  const { results } = await writeRecords(contextOf(), sample.object(object), request);
  return results.map(({ id }) => id);
}

const create = async (fields: FieldValues) =>
  (await write('gadgets', [{ action: 'create', fields }]))[0] as string;

const update = (id: string, fields: FieldValues) =>
  ({ action: 'update', id, fields }) satisfies WriteOperation;

const kept = (id: string): Promise<readonly Row[]> =>
  sample.own.rows(
    `select revision, action, source, fields, old_values, new_values from ws_sample._history
      where record_id = $1 order by revision`,
    [id],
  );

async function costOf(work: () => Promise<unknown>): Promise<readonly [number, number]> {
  const { stats } = sample.own;
  const before = [stats.roundTrips, stats.statements] as const;
  await work();
  return [stats.roundTrips - before[0], stats.statements - before[1]];
}

describe('a write', () => {
  test('keeps what it replaces by one statement more, in the same message', async () => {
    const [id, other, made] = [await create({ name: 'A' }), await create({ name: 'B' }), 'C'];
    expect(await costOf(() => create({ name: made }))).toEqual([1, 4]);
    expect(await costOf(() => write('gadgets', [update(id, { a_text: 'x' })]))).toEqual([2, 4]);
    expect(await costOf(() => write('gadgets', [update(id, { a_text: 'x' })]))).toEqual([2, 1]);
    const two = [update(id, { a_text: 'y' }), update(other, { a_text: 'z' })];
    expect(await costOf(() => write('gadgets', two))).toEqual([2, 4]);
    const status = { action: 'status', id, status_id: 'built' } as const;
    expect(await costOf(() => write('gadgets', [status]))).toEqual([2, 4]);
    expect(await kept(id)).toMatchObject([
      { revision: 2, action: 'update', old_values: { a_text: null }, new_values: { a_text: 'x' } },
      { revision: 3, old_values: { a_text: 'x' }, new_values: { a_text: 'y' } },
      { revision: 4, action: 'status', fields: ['status'], old_values: { status: 'new' } },
    ]);
  });

  test('by an import is kept, without the time that it brings', async () => {
    const id = await create({ name: 'Old' });
    const fields = { name: 'New', updated_at: '2020-01-01T00:00:00.000Z' };
    await write('gadgets', [update(id, fields)], { source: 'import' });
    expect(await kept(id)).toEqual([
      {
        ...{ revision: 2, action: 'update', source: 'import', fields: ['name'] },
        ...{ old_values: { name: 'Old' }, new_values: { name: 'New' } },
      },
    ]);
  });

  test('that clears a reference keeps it, and a delete takes the history along', async () => {
    const id = await create({ name: 'Held' });
    const [part] = await write('parts', [{ action: 'create', fields: { label: 'P' } }]);
    const fields = { part_id: part, gadget_id: id, custom_fields: { note: 'n' } };
    const [fitting = ''] = await write('fittings', [{ action: 'create', fields }]);
    await write('gadgets', [update(id, { a_text: 'x' })]);
    await write('gadgets', [{ action: 'delete', id }]);
    expect(await kept(id)).toEqual([]);
    expect(await kept(fitting)).toMatchObject([
      {
        revision: 2,
        fields: ['gadget_id'],
        old_values: { gadget_id: id },
        new_values: { gadget_id: null },
      },
    ]);
  });

  test('of an object without history leaves no row', async () => {
    const [part = ''] = await write('parts', [{ action: 'create', fields: { label: 'P' } }]);
    await write('parts', [update(part, { label: 'Q' })]);
    expect(await kept(part)).toEqual([]);
  });
});

test('values of every type come back as they were', async () => {
  const [part = ''] = await write('parts', [{ action: 'create', fields: { label: 'P' } }]);
  const sampleOf = (type: FieldType) => {
    if (type === 'reference') return part;
    if (type === 'user') return sample.caller('anna').user.id;
    return ACCEPTED[type].find(([, canonical]) => canonical !== null)?.[0];
  };
  const physical = PLAIN_TYPES.map((type) => [`a_${type}`, sampleOf(type)] as const);
  const custom = PLAIN_TYPES.flatMap((type) =>
    type === 'reference' || type === 'user' ? [] : [[`x_${type}`, sampleOf(type)] as const],
  );
  const fields = {
    ...Object.fromEntries(physical),
    custom_fields: Object.fromEntries(custom),
  };
  const id = await create({ name: 'All', ...fields });
  const keys = [...physical, ...custom].map(([key]) => key);
  const emptied = (some: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(some.map(([key]) => [key, null]));
  await write('gadgets', [update(id, { ...emptied(physical), custom_fields: emptied(custom) })]);
  const context = contextOf();
  const gadgets = sample.object('gadgets');
  const request = { id, revision: 1, fields: keys, precondition: undefined };
  const read = () =>
    sample.own.rows('select * from ws_sample.gadgets where id = $1', [id]).then(([row]) => row);
  await restoreValues(context, gadgets, request, (operation) => write('gadgets', [operation]));
  const after = (await read()) as Row;
  const page = await readHistory(context, gadgets, {
    ...{ id, field: undefined, limit: 100, cursor: undefined },
  });
  expect(page.rows.map(({ revision }) => revision)).toEqual([3, 2]);
  const [last, first] = page.rows.map(
    ({ changes }) => new Map(changes.map((one) => [one.field, one])),
  );
  for (const [key] of [...physical, ...custom]) {
    expect(last?.get(key)?.new, key).toEqual(first?.get(key)?.old);
    expect(first?.get(key)?.old, key).not.toBeNull();
  }
  for (const [key] of physical) expect(after[key], key).toEqual(first?.get(key)?.old);
});

// Writes against a database: the stored values are the sent ones, a failure leaves no trace, and of racing writes the
// right ones win.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { readRecord } from '../../src/flow/records/read/read-flow.ts';
import type { WriteResult, Written } from '../../src/flow/records/write-flow.ts';
import { writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import type { FieldType } from '../../src/model/values/field-types.ts';
import type {
  FieldValues,
  WriteOperation,
  WriteSource,
} from '../../src/plan/write/write-operation.ts';
import type { Row } from '../../src/postgres/db.ts';
import { JSONB_TYPES, PLAIN_TYPES } from '../sample-definition.ts';
import { ACCEPTED } from '../sample-values.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { digestOf } from '../world.ts';

const PART = '01900000-0000-7000-8000-00000000000a';
const ABSENT = '01900000-0000-7000-8000-0000000000ff';
const LARGEST_ID = 2_147_483_647;

let sample: SampleWorkspace;

beforeAll(async () => {
  sample = await openSampleWorkspace();
  await rows(
    `insert into s._users (id, email, name) overriding system value values ($1, 'z@z.z', 'Z')`,
    [LARGEST_ID],
  );
  await rows('insert into s.parts (id, created_by_user_id) values ($1, $2)', [PART, id('anna')]);
});

afterAll(() => sample?.own.drop());

/** Run SQL in which `s.` means the schema of the workspace. */
function rows(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return sample.own.rows(text.replaceAll(/\bs\./g, `"${sample.model.schema}".`), values);
}

function id(name: string): number {
  return sample.caller(name).user.id;
}

interface Setting {
  readonly caller?: Caller;
  readonly objectType?: string;
  readonly batch?: boolean;
  readonly source?: WriteSource;
}

function writeAll(
  operations: readonly WriteOperation[],
  { caller = sample.caller('anna'), objectType = 'gadgets', batch, source = 'api' }: Setting = {},
): Promise<Written> {
  const { db, model } = sample;
  const context = { db, model, caller, requestId: 'req_1' };
  const request = { operations, source, batch: batch ?? operations.length > 1 };
  return writeRecords(context, sample.object(objectType), request);
}

async function write(operation: WriteOperation, setting?: Setting): Promise<WriteResult> {
  const { results } = await writeAll([operation], setting);
  return results[0] as WriteResult;
}

function rowOf({ row }: WriteResult): Row {
  if (row === undefined) throw new Error('the write shows no record');
  return row;
}

const create = (fields: FieldValues): WriteOperation => ({ action: 'create', fields });

const update = (recordId: string, fields: FieldValues, token?: string): WriteOperation => ({
  action: 'update',
  id: recordId,
  fields,
  precondition: token === undefined ? undefined : { any_of: [token] },
});

const upsert = (match: FieldValues, fields: FieldValues = {}): WriteOperation => ({
  action: 'upsert',
  target: 'gadgets',
  match,
  fields,
});

async function read(recordId: string, name = 'anna', objectType = 'gadgets'): Promise<Row> {
  const { db, model } = sample;
  const context = { db, model, caller: sample.caller(name) };
  const request = { id: recordId, fields: undefined };
  return (await readRecord(context, sample.object(objectType), request)).row;
}

async function newGadget(fields: FieldValues = {}, name = 'anna'): Promise<Row> {
  return rowOf(await write(create({ name: 'n', ...fields }), { caller: sample.caller(name) }));
}

function audit(recordId: unknown): Promise<readonly Row[]> {
  return rows('select * from s._audit where record_id = $1 order by id', [recordId]);
}

/** Everything in the schema, as one text. */
const digest = () => digestOf(sample.own, [sample.model.schema]);

/** The error of an attempt, which must leave everything as it was. */
async function refused(attempt: () => Promise<unknown>): Promise<ApiError> {
  const before = await digest();
  const error = await attempt().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(await digest()).toBe(before);
  if (error instanceof ApiError) return error;
  return expect.fail(`not refused as expected: ${error}`);
}

function codeOf(outcome: PromiseSettledResult<unknown>): string {
  if (outcome.status === 'fulfilled') return 'ok';
  return outcome.reason instanceof ApiError ? outcome.reason.code : String(outcome.reason);
}

async function race(attempts: readonly (() => Promise<unknown>)[]): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
  return outcomes.map(codeOf).sort();
}

function tally(codes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

describe('a written value is the value read', () => {
  /** The values of a type, each in a field of this prefix. */
  function fieldsOf(type: FieldType, prefix: 'a' | 'x') {
    return ACCEPTED[type].map(([given, canonical]) => {
      const field = { [`${prefix}_${type}`]: given };
      const key = `${prefix}_${type}`;
      return { key, canonical, fields: prefix === 'a' ? field : { custom_fields: field } };
    });
  }

  function valueIn(row: Row, key: string): unknown {
    if (key.startsWith('a_')) return row[key];
    return (row.custom_fields as Row)[key] ?? null;
  }

  const cases = [
    ...PLAIN_TYPES.map((type) => ({ type, prefix: 'a' as const, storage: 'physical' })),
    ...JSONB_TYPES.map((type) => ({ type, prefix: 'x' as const, storage: 'jsonb' })),
  ];

  test.each(cases)('$type in $storage storage', async ({ type, prefix }) => {
    const values = fieldsOf(type, prefix);
    const created = await writeAll(values.map(({ fields }) => create({ name: 'n', ...fields })));
    const empty = await newGadget();
    for (const [index, { key, canonical, fields }] of values.entries()) {
      const row = rowOf(created.results[index] as WriteResult);
      expect(valueIn(row, key)).toEqual(canonical);
      const found = await read(String(row.id));
      expect(valueIn(found, key)).toEqual(canonical);
      const again = await write(update(String(row.id), fields));
      expect(again).toMatchObject({ changed: false, row: { version: 1 } });

      const updated = rowOf(await write(update(String(empty.id), fields)));
      expect(valueIn(updated, key)).toEqual(canonical);
      expect(valueIn(await read(String(empty.id)), key)).toEqual(canonical);
      const cleared = prefix === 'a' ? { [key]: null } : { custom_fields: { [key]: null } };
      expect(valueIn(rowOf(await write(update(String(empty.id), cleared))), key)).toBeNull();
    }
  });

  // The later tests compare all rows, so fewer rows are faster.
  afterAll(() => rows('truncate s.gadgets, s.fittings, s._audit'));

  test('all at once, in create and in update', async () => {
    const all = Object.fromEntries(
      PLAIN_TYPES.map((type) => [`a_${type}`, ACCEPTED[type][0]?.[0]] as const),
    );
    const custom_fields = Object.fromEntries(
      JSONB_TYPES.map((type) => [`x_${type}`, ACCEPTED[type][0]?.[0]] as const),
    );
    const created = await newGadget({ ...all, custom_fields });
    const target = await newGadget({ custom_fields: { x_level: null } });
    const updated = rowOf(await write(update(String(target.id), { ...all, custom_fields })));
    for (const key of Object.keys(all)) expect(updated[key]).toEqual(created[key]);
    expect({ ...(updated.custom_fields as Row), x_level: 'red' }).toEqual(created.custom_fields);
  });
});

describe('create', () => {
  test('sets author, owner, initial status, defaults, times and version', async () => {
    const row = await newGadget({}, 'ben');
    expect(row).toMatchObject({
      version: 1,
      status: 'new',
      owner_user_id: id('ben'),
      rating: 3,
      due: '2030-01-01T00:00:00.000Z',
      custom_fields: { x_level: 'red' },
      a_text: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(row.updated_at).toBe(row.created_at);
    const [stored] = await rows('select created_by_user_id a from s.gadgets where id = $1', [
      row.id,
    ]);
    expect(stored?.a).toBe(id('ben'));
  });

  test('a default person is looked up like one that was sent', async () => {
    const row = rowOf(
      await write(create({}), { objectType: 'checks', caller: sample.caller('bot') }),
    );
    expect(row.inspector_id).toBe(1);
  });

  test('many at once keep their order and their own columns', async () => {
    const operations = Array.from({ length: 100 }, (_, index) =>
      create({ name: `many ${index}`, ...(index % 2 ? { a_integer: index } : { rating: null }) }),
    );
    const { results } = await writeAll(operations);
    results.forEach(({ row }, index) => {
      expect(row?.name).toBe(`many ${index}`);
      expect(row?.a_integer).toBe(index % 2 ? index : null);
      expect(row?.rating).toBe(index % 2 ? 3 : null);
    });
  });

  test('an import sets status, author and time, and needs no capability', async () => {
    const fields = {
      name: 'n',
      status: 'sold',
      created_at: '2020-01-01T00:00:00.123Z',
      created_by_user_id: id('ben'),
      serial: 's',
    };
    const result = await write(create(fields), { source: 'import' });
    expect(result.row).toMatchObject({
      status: 'sold',
      created_at: '2020-01-01T00:00:00.123Z',
      serial: 's',
    });
    const [entry] = await audit(result.id);
    expect(entry).toMatchObject({ source: 'import', user_id: id('anna') });
    const [stored] = await rows('select created_by_user_id a from s.gadgets where id = $1', [
      result.id,
    ]);
    expect(stored?.a).toBe(id('ben'));
  });
});

describe('update', () => {
  test('raises the version by one and touches only what was sent', async () => {
    const row = await newGadget({
      a_text: 'a',
      a_number: 1,
      custom_fields: { x_text: 'x', x_number: 1 },
    });
    const fields = { a_number: 2, custom_fields: { x_number: null } };
    const changed = rowOf(await write(update(String(row.id), fields)));
    expect(changed).toMatchObject({
      version: 2,
      a_text: 'a',
      a_number: 2,
      custom_fields: { x_text: 'x', x_level: 'red' },
      created_at: row.created_at,
    });
    expect(changed.custom_fields).not.toHaveProperty('x_number');
  });

  test('without a change keeps version, time and audit (D46)', async () => {
    const row = await newGadget({
      a_json: { b: 1, a: 2 },
      custom_fields: { x_multi_select: ['red'] },
    });
    const before = await digest();
    const same = await write(
      update(String(row.id), {
        name: 'n',
        a_text: null,
        a_json: { a: 2, b: 1 },
        owner_user_id: row.owner_user_id,
        custom_fields: { x_multi_select: ['red', 'red'], x_text: '' },
      }),
    );
    expect(same).toMatchObject({ changed: false, created: false });
    expect(same.row).toMatchObject({ version: 1, updated_at: row.updated_at });
    expect(await digest()).toBe(before);
  });

  test('is answered even when it ends the read access of its author (D48)', async () => {
    const caller = sample.caller('dora', ['own', 'assigner']);
    const row = rowOf(await write(create({ name: 'n' }), { caller }));
    const given = await write(update(String(row.id), { owner_user_id: id('ben') }), { caller });
    expect(given.row).toMatchObject({ version: 2, owner_user_id: id('ben') });
    await expect(read(String(row.id), 'dora')).rejects.toMatchObject({ code: 'record_not_found' });
  });

  test('fields not sent survive writers at the same time (D46)', async () => {
    const row = await newGadget();
    const parts = [
      ...Array.from({ length: 8 }, (_, index) => ({
        custom_fields: { [`x_${JSONB_TYPES[index]}`]: sent(index) },
      })),
      { a_text: 't' },
      { a_number: 7 },
      { a_boolean: true },
    ];
    function sent(index: number): unknown {
      return ACCEPTED[JSONB_TYPES[index] as FieldType][0]?.[0];
    }
    const codes = await race(parts.map((fields) => () => write(update(String(row.id), fields))));
    expect(tally(codes)).toEqual({ ok: parts.length });
    const after = await read(String(row.id));
    expect(after).toMatchObject({ a_text: 't', a_number: 7, a_boolean: true });
    const changed = (await audit(row.id)).filter(({ action }) => action === 'update');
    expect(after.version).toBe(1 + changed.length);
    const custom = after.custom_fields as Row;
    for (let index = 0; index < 8; index += 1) {
      const type = JSONB_TYPES[index] as FieldType;
      expect(custom[`x_${type}`]).toEqual(ACCEPTED[type][0]?.[1]);
    }
  });
});

describe('audit (D60)', () => {
  test('one row for each effective write, with keys and never values', async () => {
    const canary = 'canary-value';
    const row = await newGadget({ a_text: canary, custom_fields: { x_text: canary } }, 'ben');
    const recordId = String(row.id);
    await write(update(recordId, { a_text: `${canary} 2`, secret: canary }));
    await write({ action: 'status', id: recordId, status_id: 'built' });
    await write({ action: 'delete', id: recordId });
    const entries = await audit(recordId);
    expect(
      entries.map(({ action, changed_fields, user_id }) => [action, changed_fields, user_id]),
    ).toEqual([
      [
        'create',
        ['name', 'a_text', 'x_text', 'rating', 'due', 'x_level', 'owner_user_id'],
        id('ben'),
      ],
      ['update', ['a_text', 'secret'], id('anna')],
      ['status', ['status'], id('anna')],
      ['delete', [], id('anna')],
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        api_key_id: '01900000-0000-7000-8000-000000000001',
        api_key_prefix: 'wrs_p_sample',
        object_type: 'gadgets',
        source: 'api',
        request_id: 'req_1',
        batch_id: null,
      });
    }
    expect(JSON.stringify(entries)).not.toContain(canary);
  });

  test('a batch shares an id and counts only what has an effect', async () => {
    const row = await newGadget();
    const other = await newGadget();
    const { results } = await writeAll([
      update(String(row.id), { a_text: 'x' }),
      update(String(other.id), { name: 'n' }),
      create({ name: 'new' }),
    ]);
    expect(results.map(({ changed }) => changed)).toEqual([true, false, true]);
    const [first] = (await audit(row.id)).slice(1);
    const [second] = await audit(results[2]?.id);
    expect(first?.batch_id).toEqual(expect.any(String));
    expect(second?.batch_id).toBe(first?.batch_id);
    expect(await audit(other.id)).toHaveLength(1);
  });
});

// The behaviour for every client is in test/api/records-write.test.ts: values, owners, statuses, unique values,
// permissions.
describe('a refusal leaves no trace, alone and in a batch', () => {
  interface Case {
    readonly title: string;
    readonly operation: (known: Known) => WriteOperation;
    readonly code: string;
    readonly param?: string;
    readonly setting?: () => Setting;
  }
  interface Known {
    readonly mine: string;
    readonly other: string;
    readonly stale: string;
  }

  const as = (name: string, roles?: readonly string[]) => () => ({
    caller: sample.caller(name, roles),
  });

  const cases: readonly Case[] = [
    {
      title: 'unknown custom field',
      operation: ({ mine }) => update(mine, { a_text: 'x', custom_fields: { nope: 1 } }),
      code: 'invalid_filter',
      param: 'fields.custom_fields.nope',
    },
    {
      title: 'field without permission',
      operation: ({ other }) => update(other, { a_number: 9, secret: 'x' }),
      code: 'permission_denied',
      param: 'fields.secret',
      setting: as('cleo', ['veiled']),
    },
    {
      title: 'field that may only be read',
      operation: () => create({ name: 'n', a_text: 'x' }),
      code: 'permission_denied',
      param: 'fields.a_text',
      setting: as('cleo', ['veiled']),
    },
    {
      title: 'readable record out of reach',
      operation: ({ mine }) => update(mine, { a_text: 'x' }),
      code: 'permission_denied',
      setting: as('dora', ['updater']),
    },
    {
      title: 'stale version and unknown field (G08)',
      operation: ({ mine, stale }) => update(mine, { nope: 'x' }, stale),
      code: 'invalid_filter',
    },
    {
      title: 'stale version and absent record (G08)',
      operation: ({ stale }) => update(ABSENT, {}, stale),
      code: 'record_not_found',
    },
    {
      title: 'stale version and out of reach (G08)',
      operation: ({ mine, stale }) => update(mine, { a_text: 'x' }, stale),
      code: 'permission_denied',
      setting: as('dora', ['updater']),
    },
    {
      title: 'stale version and a broken rule',
      operation: ({ mine, stale }) => update(mine, { rating: 9 }, stale),
      code: 'stale_record',
    },
    {
      title: 'version of another record with the same counter (G10)',
      operation: ({ mine, other }) => update(mine, { a_text: 'x' }, `1-${other.slice(-12)}`),
      code: 'stale_record',
    },
    {
      title: 'U+0000',
      operation: ({ mine }) => update(mine, { custom_fields: { x_json: { a: '\0' } } }),
      code: 'invalid_write',
      param: 'fields.custom_fields.x_json',
    },
    {
      title: 'reference to an unreadable record',
      operation: () => create({ name: 'n', a_reference: PART }),
      code: 'invalid_write',
      param: 'fields.a_reference',
      setting: as('dora'),
    },
    {
      title: 'reference to a record of another type',
      operation: ({ mine }) => create({ name: 'n', a_reference: mine }),
      code: 'invalid_write',
      param: 'fields.a_reference',
    },
    {
      title: 'unknown person',
      operation: () => create({ name: 'n', a_user: 9999 }),
      code: 'invalid_write',
      param: 'fields.a_user',
    },
    {
      title: 'value that is taken, in an update',
      operation: ({ mine }) => update(mine, { code: 'TAKEN' }),
      code: 'conflict',
      param: 'fields.code',
    },
    {
      title: 'upsert that matches two',
      operation: () => upsert({ name: 'twins' }),
      code: 'conflict',
      param: 'match',
    },
    {
      title: 'upsert whose unique match somebody has who cannot be read',
      operation: () => upsert({ code: 'TAKEN' }, { name: 'n' }),
      code: 'conflict',
      param: 'match.code',
      setting: as('dora'),
    },
    {
      title: 'upsert on an id',
      operation: () => upsert({ id: ABSENT }, { name: 'n' }),
      code: 'invalid_write',
      param: 'match.id',
    },
  ];

  let known: Known;
  beforeAll(async () => {
    const mine = await newGadget();
    const other = await newGadget();
    await newGadget({ code: 'TAKEN' });
    await writeAll([create({ name: 'twins' }), create({ name: 'twins' })]);
    const fitting = create({ part_id: PART, custom_fields: { note: 'n' } });
    await write(fitting, { objectType: 'fittings' });
    known = {
      mine: String(mine.id),
      other: String(other.id),
      stale: `9-${String(mine.id).slice(-12)}`,
    };
  });

  test.each(cases)('$title: $code', async ({ operation, code, param, setting }) => {
    const error = await refused(() => write(operation(known), setting?.()));
    expect({ code: error.code, param: error.param }).toEqual({ code, param: param ?? error.param });
    expect(error.message).not.toMatch(/select|insert|gadgets_|pg_|violates/);
  });

  test.each(cases)(
    '$title, after writes that are fine in a batch',
    async ({ operation, code, setting }) => {
      const inside = setting?.() ?? {};
      const caller = inside.caller ?? sample.caller('anna');
      const isOwn =
        inside.objectType === undefined && caller.access.objects.get('gadgets')?.reach.create;
      const fine = isOwn ? [create({ name: 'fine' }), create({ name: 'fine', rating: 1 })] : [];
      const attempt = () => writeAll([...fine, operation(known)], { ...inside, batch: true });
      const error = await refused(attempt);
      expect(error.code).toBe(code);
    },
  );

  test('a failure in the middle undoes what came before and keeps off what comes after', async () => {
    const operations: WriteOperation[] = [
      update(known.mine, { a_text: 'first' }),
      create({ name: 'n', code: 'TAKEN' }),
      { action: 'delete', id: known.other },
    ];
    const error = await refused(() => writeAll(operations));
    expect(error.code).toBe('conflict');
  });
});

describe('batches', () => {
  test('run in the order of their operations', async () => {
    const first = await newGadget({ code: 'AAAA' });
    const second = await newGadget({ code: 'BBBB' });
    const { results } = await writeAll([
      { action: 'delete', id: String(first.id) },
      update(String(second.id), { code: 'AAAA' }),
      create({ name: 'n', code: 'BBBB' }),
    ]);
    expect(results.map(({ action, row }) => [action, row?.code])).toEqual([
      ['delete', undefined],
      ['update', 'AAAA'],
      ['create', 'BBBB'],
    ]);
  });

  test('mix every kind of operation', async () => {
    const [a, b, c] = [await newGadget(), await newGadget(), await newGadget({ code: 'MIX' })];
    const { results } = await writeAll([
      upsert({ code: 'MIX' }, { a_text: 'matched' }),
      { action: 'delete', id: String(b.id) },
      create({ name: 'made' }),
      { action: 'status', id: String(a.id), status_id: 'built' },
      upsert({ code: 'MIX2' }, { name: 'made too' }),
    ]);
    expect(results).toMatchObject([
      { action: 'upsert', id: c.id, created: false, row: { a_text: 'matched', version: 2 } },
      { action: 'delete', id: b.id, row: undefined },
      { action: 'create', created: true, row: { name: 'made', version: 1 } },
      { action: 'status', id: a.id, row: { status: 'built', version: 2 } },
      { action: 'upsert', created: true, row: { code: 'MIX2', name: 'made too' } },
    ]);
  });

  test('of the same records in opposite orders do not block each other', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => newGadget()));
    const ids = records.map((row) => String(row.id));
    const batch = (list: readonly string[], text: string) => () =>
      writeAll(list.map((recordId) => update(recordId, { a_text: text })));
    const codes = await race(
      Array.from({ length: 6 }, (_, index) =>
        batch(index % 2 ? ids : ids.toReversed(), `t${index}`),
      ),
    );
    expect(tally(codes)).toEqual({ ok: 6 });
    const after = await Promise.all(ids.map((recordId) => read(recordId)));
    expect(new Set(after.map((row) => row.a_text)).size).toBe(1);
    expect(new Set(after.map((row) => row.version))).toEqual(new Set([7]));
  });
});

describe('races', () => {
  test('two moves to the same status: the second is validated against the first (D49)', async () => {
    const row = await newGadget();
    const move = () => write({ action: 'status', id: String(row.id), status_id: 'built' });
    expect(tally(await race([move, move, move]))).toEqual({ ok: 1, invalid_write: 2 });
  });

  test('upserts of one match make one record, whatever the order of its keys (D52)', async () => {
    const match = { name: 'raced', a_integer: 7 };
    const turned = { a_integer: 7, name: 'raced' };
    const attempts = Array.from(
      { length: 16 },
      (_, index) => () => write(upsert(index % 2 ? match : turned, { a_text: `t${index}` })),
    );
    expect(tally(await race(attempts))).toEqual({ ok: 16 });
    const found = await rows(`select id, version from s.gadgets where name = 'raced'`);
    expect(found).toMatchObject([{ version: 16 }]);
  });

  test('deletes of one record: one wins', async () => {
    const row = await newGadget();
    const attempt = () => write({ action: 'delete', id: String(row.id) });
    const codes = await race([attempt, attempt, attempt]);
    expect(tally(codes)).toEqual({ ok: 1, record_not_found: 2 });
    expect((await audit(row.id)).filter(({ action }) => action === 'delete')).toHaveLength(1);
  });

  test('a reference and the delete of its target never leave a dangling one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const part = await write(create({ label: 'p' }), { objectType: 'parts' });
      const codes = await race([
        () => write(create({ name: 'n', a_reference: part.id })),
        () => write({ action: 'delete', id: part.id }, { objectType: 'parts' }),
      ]);
      expect(['ok', 'conflict', 'invalid_write']).toContain(codes[0]);
      expect(codes).toContain('ok');
    }
    const dangling = await rows(
      `select from s.gadgets g where a_reference is not null
       and not exists (select from s.parts p where p.id = g.a_reference)`,
    );
    expect(dangling).toEqual([]);
  });
});

describe('delete', () => {
  test('clears optional references, keeps what required ones need (D54)', async () => {
    const part = await write(create({ label: 'p' }), { objectType: 'parts' });
    const gadget = await newGadget({ a_reference: part.id });
    const fields = { part_id: part.id, custom_fields: { note: 'n' } };
    const fitting = await write(create(fields), { objectType: 'fittings' });
    const remove = () => write({ action: 'delete', id: part.id }, { objectType: 'parts' });
    expect((await refused(remove)).code).toBe('conflict');
    await write({ action: 'delete', id: fitting.id }, { objectType: 'fittings' });
    expect(await remove()).toMatchObject({ action: 'delete', id: part.id, row: undefined });
    expect((await read(String(gadget.id))).a_reference).toBeNull();
    await expect(read(part.id, 'anna', 'parts')).rejects.toMatchObject({
      code: 'record_not_found',
    });
  });
});

describe('upsert', () => {
  test('creates, then updates, then makes no change', async () => {
    const first = await write(upsert({ code: 'UP' }, { name: 'n' }));
    expect(first).toMatchObject({ created: true, changed: true, row: { code: 'UP', rating: 3 } });
    await write(update(first.id, { rating: 5 }));
    const second = await write(upsert({ code: 'UP' }, { name: 'm' }));
    expect(second).toMatchObject({ id: first.id, created: false, row: { version: 3, rating: 5 } });
    const third = await write(upsert({ code: 'UP' }, { name: 'm' }));
    expect(third).toMatchObject({ id: first.id, changed: false, row: { version: 3 } });
  });

  const matches = PLAIN_TYPES.filter((type) => !['multi_select', 'json'].includes(type));

  test.each(matches)('matches a %s exactly', async (type) => {
    const key = `a_${type}`;
    const [given] = ACCEPTED[type].find(([, canonical]) => canonical !== null) ?? [];
    const name = `matched by ${type}`;
    const row = await newGadget({ [key]: given, name });
    const result = await write(upsert({ [key]: given, name }, { secret: 'found' }));
    expect(result).toMatchObject({ id: row.id, created: false });
  });

  test('matches no read-only fields of what exists', async () => {
    const row = await newGadget();
    for (const match of [{ id: row.id }, { status: 'new' }, { created_at: row.created_at }]) {
      await expect(write(upsert(match, { a_text: 'found' }))).rejects.toMatchObject({
        code: 'invalid_write',
        param: `match.${Object.keys(match)[0]}`,
      });
    }
  });
});

describe('round trips', () => {
  type Prepare = () => Promise<() => Promise<unknown>>;
  const fresh =
    (attempt: (id: string) => Promise<unknown>): Prepare =>
    async () => {
      const row = await newGadget();
      return () => attempt(String(row.id));
    };
  const freshTen =
    (operation: (id: string) => WriteOperation): Prepare =>
    async () => {
      const list = await Promise.all(Array.from({ length: 10 }, () => newGadget()));
      return () => writeAll(list.map((row) => operation(String(row.id))));
    };
  const once = (operation: WriteOperation, key: string) => {
    const caller = sample.caller('anna');
    const { db, model } = sample;
    const request = { operations: [operation], source: 'api', batch: false } as const;
    return writeOnce({ db, model, caller, requestId: null }, sample.object('gadgets'), request, {
      claim: { key, fingerprint: Buffer.from('same') },
      respond: () => ({ status: 200, body: {}, fields: [] }),
    });
  };
  const cases: readonly (readonly [string, trips: number, statements: number, Prepare])[] = [
    ['a create', 1, 4, async () => () => write(create({ name: 'n' }))],
    ['100 creates', 1, 4, async () => () => writeAll(Array(100).fill(create({ name: 'n' })))],
    [
      'a create with a reference',
      ...([1, 4] as const),
      async () => () => write(create({ name: 'n', a_reference: PART })),
    ],
    [
      // The fifth notifies them.
      'a create for someone else',
      ...([1, 5] as const),
      async () => () => write(create({ name: 'n', owner_user_id: id('ben') })),
    ],
    [
      'a create for oneself',
      ...([1, 4] as const),
      async () => () => write(create({ name: 'n', owner_user_id: id('anna') })),
    ],
    [
      'an update',
      ...([2, 3] as const),
      fresh((id) => write(update(id, { a_text: 'x', custom_fields: { x_text: 'x' } }))),
    ],
    [
      'an update that changes nothing',
      ...([2, 1] as const),
      fresh((id) => write(update(id, { name: 'n' }))),
    ],
    ['a move', 2, 3, fresh((id) => write({ action: 'status', id, status_id: 'built' }))],
    ['a delete', 2, 11, fresh((id) => write({ action: 'delete', id }))],
    ['an upsert', 2, 6, async () => () => write(upsert({ code: 'TRIP' }, { name: 'n' }))],
    ['ten updates', 2, 3, freshTen((id) => update(id, { a_text: 'x' }))],
    ['ten deletes', 2, 11, freshTen((id) => ({ action: 'delete', id }))],
    ['a create with a key', 2, 6, async () => () => once(create({ name: 'n' }), 'trip')],
    ['a replay', 3, 2, async () => () => once(create({ name: 'n' }), 'trip')],
    [
      'a create with a reference and a key',
      ...([2, 6] as const),
      async () => () => once(create({ name: 'n', a_reference: PART }), 'trip there'),
    ],
    [
      'an update with a key',
      ...([3, 5] as const),
      fresh((id) => once(update(id, { a_text: 'x' }), 'trip again')),
    ],
  ];

  test.each(cases)('%s takes %i with %i statements', async (_, trips, count, prepare) => {
    const attempt = await prepare();
    const before = [sample.own.stats.roundTrips, sample.own.stats.statements] as const;
    await attempt();
    expect([
      sample.own.stats.roundTrips - before[0],
      sample.own.stats.statements - before[1],
    ]).toEqual([trips, count]);
  });

  test('a write that is refused before anything is read takes none', async () => {
    const attempts = [
      () => write(create({ nope: 1 })),
      () => write(create({})),
      () => write(update(ABSENT, { name: 'n' }), { caller: sample.caller('cleo', ['reader']) }),
      () => write(upsert({ id: 'x' })),
    ];
    const before = sample.own.stats.statements;
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(ApiError);
    expect(sample.own.stats.statements).toBe(before);
  });
});

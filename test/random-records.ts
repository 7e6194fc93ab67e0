// The sample workspace with records of random values, and what an oracle in memory says of them.

import fc from 'fast-check';
import { readPage } from '../src/flow/records/read/read-flow.ts';
import { writeRecords } from '../src/flow/records/write-flow.ts';
import type { Field, ObjectModel } from '../src/model/definition/model.ts';
import {
  comparedTraits,
  equalityKeyOf,
  FIELD_TYPE_TRAITS,
} from '../src/model/values/field-types.ts';
import type { Condition } from '../src/plan/read/filter.ts';
import type { Row } from '../src/postgres/db.ts';
import { listOf } from './list-request.ts';
import { SAMPLES } from './sample-values.ts';
import { openSampleWorkspace, type SampleWorkspace } from './sample-workspace.ts';

export const ROWS = 120;

const NOT_WRITTEN = ['id', 'updated_at', 'serial', 'code', 'a_file'];
/** Fields with rules of their own. */
const SPECIAL: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['rating', [1, 2, 3]],
  ['price', [0, 1.5]],
  ['status', ['new', 'built', 'sold']],
  [
    'created_at',
    ['2025-01-01T00:00:00.000Z', '2025-06-01T12:00:00.500Z', '2025-06-01T12:00:00.501Z'],
  ],
]);

/** Values that records have in this field. */
export function poolOf(field: Field): readonly unknown[] {
  return SPECIAL.get(field.key) ?? SAMPLES[field.type].pool;
}

export interface RandomRecords {
  readonly sample: SampleWorkspace;
  /** By object type, as they were written. */
  readonly records: ReadonlyMap<string, readonly Row[]>;
}

/** Gadgets and parts; the caller drops `sample.own` at the end. */
export async function openRandomRecords(): Promise<RandomRecords> {
  const sample = await openSampleWorkspace();
  const admin = sample.caller('anna');
  const ids = SAMPLES.reference.pool;
  const author = { created_by_user_id: admin.user.id };
  await sample.own.rows(
    `insert into "${sample.model.schema}".parts (id, created_by_user_id)
     select id, created_by_user_id from jsonb_to_recordset($1)
       as p (id uuid, created_by_user_id integer)`,
    [JSON.stringify(ids.map((id) => ({ id, ...author })))],
  );
  const gadgets = await writeRandom(sample, 'gadgets');
  const written = await writeRandom(sample, 'parts');
  const request = listOf({
    fields: ['label', 'weight', 'updated_at'],
    limit: 100,
    filters: [{ param: 'p', field: 'id', op: 'in', value: ids, text: false }],
  });
  const { rows } = await readPage({ ...sample, caller: admin }, sample.object('parts'), request);
  const parts = [...written, ...rows.map((row) => ({ ...row, ...author }))];
  return {
    sample,
    records: new Map([
      ['gadgets', gadgets],
      ['parts', parts],
    ]),
  };
}

/** Import records with random values; returns them in the form of the oracle. */
async function writeRandom(sample: SampleWorkspace, objectType: string): Promise<readonly Row[]> {
  const object = sample.object(objectType);
  const random = sequence(objectType.length);
  const people = ['anna', 'ben', 'cleo', 'dora'].map((name) => sample.caller(name).user.id);
  const sent = Array.from({ length: ROWS }, () => {
    const values: Record<string, unknown> = { created_by_user_id: random.one(people) };
    const custom: Record<string, unknown> = {};
    for (const field of object.fields.values()) {
      if (NOT_WRITTEN.includes(field.key)) continue;
      const isEmpty = field.nullable && !field.required && random.below(4) === 0;
      const value = isEmpty ? null : random.one(poolOf(field));
      if (field.storage === 'jsonb') custom[field.key] = value;
      else values[field.key] = value;
    }
    return { ...values, ...(Object.keys(custom).length > 0 ? { custom_fields: custom } : {}) };
  });
  const { results } = await writeRecords(
    { db: sample.db, model: sample.model, caller: sample.caller('anna'), requestId: null },
    object,
    {
      operations: sent.map((fields) => ({ action: 'create', fields })),
      source: 'import',
      batch: true,
    },
  );
  return sent.map((values, index) => {
    const { row } = results[index] ?? {};
    return { serial: null, code: null, ...values, id: row?.id, updated_at: row?.updated_at };
  });
}

/** Pseudo-random choices, the same in every run. */
function sequence(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  return { below, one: <Item>(items: readonly Item[]) => items[below(items.length)] as Item };
}

/** Any condition on a field of these records: each operator of each field, values some of them have. */
export function conditionOf(object: ObjectModel, rows: readonly Row[]): fc.Arbitrary<Condition> {
  const physical = [...object.fields.values()].filter((field) => field.storage === 'physical');
  const pairs = physical.flatMap((field) =>
    FIELD_TYPE_TRAITS[field.type].operators.map((op) => ({ field, op })),
  );
  return fc.constantFrom(...pairs).chain(({ field, op }) => {
    const members = field.key === 'id' ? rows.map((row) => row.id) : poolOf(field).flat();
    const one = fc.constantFrom(...members);
    const list = fc.array(one, { minLength: 1, maxLength: 5 });
    const operands = { is_null: fc.boolean(), in: list };
    const operand = operands[op as keyof typeof operands] ?? one;
    return (operand as fc.Arbitrary<unknown>).map((value) => ({ field, op, value }));
  });
}

/** Texts by code point, numbers and booleans by value. */
function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'boolean') return Number(left) - Number(right);
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

/** The order that fits most languages, as ICU has it in Node.js. */
const ROOT = new Intl.Collator('en', { numeric: true });

/** Texts in the order of the root collation; those of the same place by code point, as PostgreSQL has them. */
export function compareTexts(left: string, right: string): number {
  return ROOT.compare(left, right) || Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The order of sorts. */
export function compareInSort({ collation }: Field, left: unknown, right: unknown): number {
  if (collation === null) return compareValues(left, right);
  return compareTexts(String(left), String(right));
}

/** The order of ranges, which is by what values are equal by where that is ordered. */
export function compareInRange(field: Field, left: unknown, right: unknown): number {
  const isByKey = comparedTraits(field).equalityKey?.ordered === true;
  if (!isByKey) return compareValues(left, right);
  return compareValues(equalityKeyOf(field, left), equalityKeyOf(field, right));
}

/** Whether a record meets a condition. */
export function isMatch(row: Row, { field, op, value: operand }: Condition): boolean {
  const value = row[field.column] ?? null;
  if (op === 'is_null') return (value === null) === operand;
  const keyOf = (one: unknown) => equalityKeyOf(field, one);
  if (op === 'ne') return keyOf(value) !== keyOf(operand);
  if (value === null) return false;
  if (Array.isArray(value)) return [operand].flat().some((item) => value.includes(item));
  if (op === 'in') return (operand as readonly unknown[]).map(keyOf).includes(keyOf(value));
  if (op === 'eq') return compareValues(keyOf(value), keyOf(operand)) === 0;
  const order = compareInRange(field, value, operand);
  const holds = { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 };
  return holds[op as keyof typeof holds];
}

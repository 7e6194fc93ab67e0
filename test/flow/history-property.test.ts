// Random writes, restores, renames, types and fields that come and go, against a model in memory: of every revision each
// value that is promised is rebuilt, and no other.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadMemberByEmail } from '../../src/control/people/people.ts';
import {
  findWorkspace,
  loadModel,
  type WorkspaceRow,
} from '../../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { ApiError } from '../../src/errors.ts';
import { readHistory, restoreValues } from '../../src/flow/records/read/history-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WriteContext } from '../../src/flow/records/write-group.ts';
import { callerOf } from '../../src/model/rights/access.ts';
import type { FieldValues, WriteOperation } from '../../src/plan/write/write-operation.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { objectOf, SAMPLE_KEY } from '../sample-definition.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(12);
const STEPS = 14;
const NEXT_TYPE = { text: 'long_text', integer: 'number' } as const;
type Type = 'text' | 'long_text' | 'integer' | 'number';

/** A field as the definition has it now; `id` is that of its values, which another type does not continue. */
interface FieldState {
  readonly id: number;
  readonly key: string;
  readonly type: Type;
  readonly storage: 'physical' | 'jsonb';
}

type Values = ReadonlyMap<number, unknown>;

/** A write of the record: the values of the fields that there were, before and after it. */
interface Revision {
  readonly before: Values;
  readonly after: Values;
}

let own: OwnDatabase;
let context: WriteContext;
let fields: readonly FieldState[];
let count = 0;
const next = () => {
  count += 1;
  return count;
};

beforeAll(async () => {
  own = await createMigratedDatabase();
  fields = [fieldOf('text', 'physical'), fieldOf('integer', 'physical'), fieldOf('text', 'jsonb')];
  await createWorkspace(own.db, { slug: 'kept', document: documentOf(fields) });
  await open();
});
afterAll(() => own?.drop());

function fieldOf(type: Type, storage: FieldState['storage']): FieldState {
  const id = next();
  return { id, key: `f${id}`, type, storage };
}

function documentOf(wanted: readonly (FieldState & { readonly was?: string })[]) {
  const all = wanted.map(({ key, type, storage, was }) => {
    return [key, { type, storage, ...(was === undefined ? {} : { renamed_from: was }) }] as const;
  });
  const words = { name: 'Things', singular_name: 'Thing', history: { keep: 'forever' } };
  return {
    objects: { things: { ...words, fields: Object.fromEntries(all) } },
    users: { 'ann@example.org': { name: 'Ann', roles: ['admin'] } },
  };
}

async function open(): Promise<void> {
  const { id, schema } = (await findWorkspace(own.db, 'kept')) as WorkspaceRow;
  const [model, member] = [
    await loadModel(own.db, id),
    await loadMemberByEmail(own.db, schema, 'ann@example.org'),
  ];
  if (model === undefined || member === undefined) throw new Error('the workspace was not made');
  const caller = callerOf(model, member, SAMPLE_KEY);
  context = { db: own.db, model, caller, requestId: null };
}

async function define(
  wanted: readonly (FieldState & { readonly was?: string })[],
  allowDrop: readonly string[] = [],
): Promise<void> {
  await applyDefinition(own.db, 'kept', documentOf(wanted), { allowDrop });
  fields = wanted.map(({ id, key, type, storage }) => ({ id, key, type, storage }));
  await open();
}

const things = () => objectOf(context.model, 'things');

async function write(operation: WriteOperation): Promise<string> {
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const { results } = await writeRecords(context, things(), request);
  return String(results[0]?.id);
}

function sentOf(values: ReadonlyMap<FieldState, unknown>): FieldValues {
  const of = (storage: FieldState['storage']) =>
    [...values].filter(([field]) => field.storage === storage);
  const entries = (some: ReturnType<typeof of>) =>
    Object.fromEntries(some.map(([{ key }, value]) => [key, value]));
  const custom = of('jsonb');
  return {
    ...entries(of('physical')),
    ...(custom.length === 0 ? {} : { custom_fields: entries(custom) }),
  };
}

/** A record and all that its history promises. */
interface Kept {
  readonly id: string;
  /** By revision, from 1. */
  readonly revisions: Revision[];
  now: Values;
}

/** The value of a field at a revision; undefined: it is not promised. */
function promised({ revisions, now }: Kept, { id }: FieldState, revision: number) {
  const later = revisions[revision];
  if (later === undefined) return { value: now.get(id) ?? null };
  return later.before.has(id) ? { value: later.before.get(id) } : undefined;
}

type Step =
  | { readonly kind: 'write'; readonly picks: readonly number[]; readonly isEmpty: boolean }
  | { readonly kind: 'restore'; readonly at: number; readonly pick: number }
  | { readonly kind: 'rename' | 'retype' | 'replace'; readonly pick: number };

const pick = fc.nat({ max: 20 });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      picks: fc.array(pick, { minLength: 1, maxLength: 3 }),
      isEmpty: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('restore' as const), at: fc.nat(20), pick }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('rename', 'retype', 'replace'), pick }),
  },
);

const chosen = (index: number) => fields[index % fields.length] as FieldState;

async function take(kept: Kept, step: Step): Promise<void> {
  switch (step.kind) {
    case 'write':
      return change(
        kept,
        new Map(step.picks.map((at) => [chosen(at), randomValue(chosen(at), step)])),
      );
    case 'restore':
      return restore(kept, 1 + (step.at % kept.revisions.length), chosen(step.pick));
    default:
      await redefine(step.kind, chosen(step.pick));
      kept.now = new Map(fields.map(({ id }) => [id, kept.now.get(knownId(kept, id)) ?? null]));
  }
}

/** The field itself, or the one that it was before it got another type. */
function knownId({ now }: Kept, id: number): number {
  return now.has(id) ? id : (sources.get(id) ?? id);
}

function randomValue({ type }: FieldState, { isEmpty }: { readonly isEmpty: boolean }): unknown {
  if (isEmpty) return null;
  return type === 'integer' || type === 'number' ? next() : `value ${next()}`;
}

/** The values that these came from, when another type made new ones of them. */
const sources = new Map<number, number>();

function note(kept: Kept, values: ReadonlyMap<FieldState, unknown>): void {
  const before = new Map(fields.map(({ id }) => [id, kept.now.get(id) ?? null]));
  const after = new Map<number, unknown>(before);
  for (const [{ id }, value] of values) after.set(id, value);
  const isSame = [...after].every(([id, value]) => before.get(id) === value);
  if (isSame) return;
  kept.revisions.push({ before, after });
  kept.now = after;
}

async function change(kept: Kept, values: ReadonlyMap<FieldState, unknown>): Promise<void> {
  await write({ action: 'update', id: kept.id, fields: sentOf(values) });
  note(kept, values);
}

/** The update of a restore; undefined: it is refused. */
async function restoring(kept: Kept, revision: number, { key }: FieldState) {
  const request = { id: kept.id, revision, fields: [key], precondition: undefined };
  try {
    return await restoreValues(context, things(), request, async (operation) => operation);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_write') return undefined;
    throw error;
  }
}

async function restore(kept: Kept, revision: number, field: FieldState): Promise<void> {
  const operation = await restoring(kept, revision, field);
  if (operation === undefined) return;
  await write(operation);
  const { value } = promised(kept, field, revision) as { value: unknown };
  note(kept, new Map([[field, value]]));
}

async function redefine(kind: 'rename' | 'retype' | 'replace', field: FieldState): Promise<void> {
  const id = next();
  const others = (one: FieldState & { readonly was?: string }) =>
    fields.map((other) => (other === field ? one : other));
  if (kind === 'rename') return define(others({ ...field, key: `f${id}`, was: field.key }));
  if (kind === 'retype') {
    const type = NEXT_TYPE[field.type as keyof typeof NEXT_TYPE];
    if (type === undefined) return;
    sources.set(id, field.id);
    return define(others({ ...field, id, type }));
  }
  const { key, storage } = field;
  await define(
    fields.filter((other) => other !== field),
    [`things.${key}`],
  );
  await define([...fields, { id, key, storage, type: 'text' }]);
}

/** Every value of every revision, and the pages of changes. */
async function compare(kept: Kept): Promise<void> {
  for (const field of fields) {
    for (let revision = 1; revision <= kept.revisions.length; revision += 1) {
      const operation = await restoring(kept, revision, field);
      const expected = promised(kept, field, revision);
      const place = `${field.key} at ${revision}`;
      if (operation === undefined) {
        expect(expected, place).toBeUndefined();
        continue;
      }
      const { custom_fields: custom, ...direct } = operation.fields;
      const sent = { ...direct, ...(custom as object | undefined) } as Record<string, unknown>;
      const value = field.key in sent ? sent[field.key] : kept.now.get(field.id);
      expect(value ?? null, place).toBe(expected?.value);
    }
  }
  const request = { id: kept.id, field: undefined, limit: 100, cursor: undefined };
  const { rows } = await readHistory(context, things(), request);
  expect(rows.map(({ revision, changes }) => [revision, sorted(changes)])).toEqual(pagesOf(kept));
}

type Changes = readonly { readonly field: string; readonly old: unknown; readonly new: unknown }[];
const sorted = (changes: Changes) =>
  changes.toSorted((one, other) => (one.field < other.field ? -1 : 1));

function pagesOf({ revisions }: Kept) {
  const entries = revisions.flatMap(({ before, after }, index) => {
    const changes = fields.flatMap(({ id, key }) => {
      const isChanged = before.has(id) && before.get(id) !== after.get(id);
      return isChanged ? [{ field: key, old: before.get(id), new: after.get(id) }] : [];
    });
    return index === 0 || changes.length === 0 ? [] : [[index + 1, sorted(changes)] as const];
  });
  return entries.toReversed().map(([revision, changes]) => [revision, changes]);
}

test('every promised value of every revision is rebuilt', { timeout: 600_000 }, async () => {
  const steps = fc.array(STEP, { minLength: 1, maxLength: STEPS });
  const run = async (taken: readonly Step[]) => {
    const values = new Map(fields.map((field) => [field, randomValue(field, { isEmpty: false })]));
    const id = await write({ action: 'create', fields: sentOf(values) });
    const now = new Map([...values].map(([field, value]) => [field.id, value]));
    const kept: Kept = { id, revisions: [{ before: new Map(), after: now }], now };
    for (const step of taken) await take(kept, step);
    await compare(kept);
  };
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: RUNS, endOnFailure: true });
});

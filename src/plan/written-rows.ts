// Records as a write will leave them, known before it is sent: for the search index and for the answer
// that is stored under an Idempotency-Key. Pure.

import type { Field, ObjectModel } from '../model/model.ts';
import { clearedReferrers } from './referrers.ts';
import type { PlannedWrite, WritePlan } from './write-operation.ts';
import { type Change, recordKey } from './write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

/** The record after a change; undefined when it is deleted. */
export function rowAfter(change: Change): Row | undefined {
  if (change.kind === 'insert') return change.columns;
  if (change.kind === 'delete') return undefined;
  const { before } = change;
  if (change.kind !== 'update') return before;
  const columns: Record<string, unknown> = { ...before };
  const custom: Record<string, unknown> = { ...(before.custom_fields as Row | undefined) };
  for (const [field, value] of change.set) {
    if (field.storage === 'physical') columns[field.column] = value;
    else if (value === null) delete custom[field.custom_key];
    else custom[field.custom_key] = value;
  }
  columns.custom_fields = custom;
  return columns;
}

/**
 * The same with all that the database adds, when the transaction started at `now`; a deleted record as it
 * was before.
 */
export function rowWritten(object: ObjectModel, change: Change, now: string): Row {
  if (change.kind === 'delete') return change.before;
  const row = rowAfter(change) as Row;
  if (change.kind === 'update') {
    return { ...row, version: Number(row.version) + 1, updated_at: now };
  }
  if (change.kind !== 'insert') return row;
  return { ...emptyRow(object), created_at: now, updated_at: now, ...row };
}

const emptyRows = new WeakMap<ObjectModel, Row>();

/** A new record without values: made once, for a batch has many new records. */
function emptyRow(object: ObjectModel): Row {
  const known = emptyRows.get(object);
  if (known !== undefined) return known;
  const columns = [...object.fields.values()].map(({ column }) => [column, null] as const);
  const row = Object.freeze({ ...Object.fromEntries(columns), custom_fields: {}, version: 1 });
  emptyRows.set(object, row);
  return row;
}

/**
 * Versions of the records that deletes of the same batch change as well, by `recordKey`: references to
 * deleted records become null, before or after their own change (D54).
 */
export function clearedVersions(
  plan: WritePlan,
  changes: readonly Change[],
): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  const deletes = deletesOf(plan, changes);
  if (deletes.size === 0) return versions;
  const clearing = clearingFields(plan);
  const runs = new Map<string, Set<number>>();
  changes.forEach((change, index) => {
    if (change.kind === 'delete') return;
    const { object } = plan.writes[index] as PlannedWrite;
    const key = recordKey(object, change.id);
    const own = runs.get(key) ?? new Set<number>();
    const before = change.kind === 'insert' ? undefined : change.before;
    const after = rowAfter(change);
    for (const { column } of clearing.get(object) ?? []) {
      const early = deletes.get(before?.[column]);
      if (early !== undefined && early.index < index) own.add(early.run);
      const late = deletes.get(after?.[column]);
      if (late !== undefined && late.index > index) own.add(late.run);
    }
    runs.set(key, own);
    const version = Number(rowWritten(object, change, '').version);
    if (own.size > 0) versions.set(key, version + own.size);
  });
  return versions;
}

/** References of each object that become null with records of the plan's objects. */
function clearingFields({ model, objects }: WritePlan): ReadonlyMap<ObjectModel, readonly Field[]> {
  const clearing = new Map<ObjectModel, Field[]>();
  for (const target of objects) {
    for (const { object, field } of clearedReferrers(model, target)) {
      clearing.set(object, [...(clearing.get(object) ?? []), field]);
    }
  }
  return clearing;
}

/** Where each record is deleted, and which of them one statement deletes. */
function deletesOf(
  { writes }: WritePlan,
  changes: readonly Change[],
): ReadonlyMap<unknown, { readonly index: number; readonly run: number }> {
  const deletes = new Map<unknown, { readonly index: number; readonly run: number }>();
  let run = 0;
  let last: ObjectModel | undefined;
  changes.forEach(({ kind, id }, index) => {
    if (kind === 'none') return;
    const object = kind === 'delete' ? writes[index]?.object : undefined;
    if (object === undefined || object !== last) run += 1;
    last = object;
    if (kind === 'delete') deletes.set(id, { index, run });
  });
  return deletes;
}

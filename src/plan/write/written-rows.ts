// Records as a write will leave them, known before it is sent: for the search index and for the answer
// that is stored under an Idempotency-Key. Pure.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { withFormulas } from '../../model/formulas/evaluate-formula.ts';
import type { Row } from '../../model/values/row.ts';
import { clearedReferrers } from './referrers.ts';
import type { PlannedWrite, WritePlan } from './write-operation.ts';
import { type Change, recordKey } from './write-validation.ts';

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
 * The record with the values that the database adds, when the transaction started at `now`; a deleted record as it was
 * before.
 */
export function rowWritten(object: ObjectModel, change: Change, now: string): Row {
  if (change.kind === 'delete') return change.before;
  const row = withFormulas(object, rowAfter(change) as Row);
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
 * The counter of its record after each change; null after a comment, which does not count. The deletes of the same batch
 * count as well, as far as they come before the change (D54).
 */
export function revisionsOf(
  plan: WritePlan,
  changes: readonly Change[],
): readonly (number | null)[] {
  const cleared = clearedBefore(plan, changes);
  return changes.map((change, index) => {
    const early = cleared[index] ?? 0;
    switch (change.kind) {
      case 'insert':
        return 1;
      case 'update':
      case 'delete':
        return Number(change.before.version) + 1 + early;
      case 'link':
      case 'unlink':
        return Number(change.before.version) + early;
      default:
        return null;
    }
  });
}

/** How often deletes of the same batch have changed the record of each change before it. */
function clearedBefore(plan: WritePlan, changes: readonly Change[]): readonly number[] {
  const deletes = new Map<string, Map<number, number>>();
  visitCleared(plan, changes, (_, key, found) => {
    const own = deletes.get(key) ?? new Map<number, number>();
    deletes.set(key, own);
    for (const { run, index } of found) own.set(run, Math.min(index, own.get(run) ?? index));
  });
  if (deletes.size === 0) return [];
  return changes.map(({ id }, index) => {
    const { object } = plan.writes[index] as PlannedWrite;
    const own = deletes.get(recordKey(object, id))?.values() ?? [];
    return [...own].filter((at) => at < index).length;
  });
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
  const runs = new Map<string, Set<number>>();
  visitCleared(plan, changes, (index, key, found) => {
    const runNumbers = runs.get(key) ?? new Set<number>();
    for (const { run } of found) runNumbers.add(run);
    runs.set(key, runNumbers);
    const { object } = plan.writes[index] as PlannedWrite;
    const version = Number(rowWritten(object, changes[index] as Change, '').version);
    if (runNumbers.size > 0) versions.set(key, version + runNumbers.size);
  });
  return versions;
}

/** A delete of a batch, and which of them one statement deletes. */
interface BatchDelete {
  readonly index: number;
  readonly run: number;
}

/** Call with each change that is no delete, its record, and the deletes that clear references of it before or after it. */
function visitCleared(
  plan: WritePlan,
  changes: readonly Change[],
  visit: (index: number, key: string, found: readonly BatchDelete[]) => void,
): void {
  const deletes = deletesOf(plan, changes);
  if (deletes.size === 0) return;
  const clearing = clearingFields(plan);
  changes.forEach((change, index) => {
    if (change.kind === 'delete') return;
    const { object } = plan.writes[index] as PlannedWrite;
    const before = change.kind === 'insert' ? undefined : change.before;
    const after = rowAfter(change);
    const clearedBy = (clearing.get(object) ?? []).flatMap(({ column }) => {
      const early = deletes.get(before?.[column]);
      const late = deletes.get(after?.[column]);
      return [
        ...(early !== undefined && early.index < index ? [early] : []),
        ...(late !== undefined && late.index > index ? [late] : []),
      ];
    });
    visit(index, recordKey(object, change.id), clearedBy);
  });
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

/** The delete of each record. */
function deletesOf(
  { writes }: WritePlan,
  changes: readonly Change[],
): ReadonlyMap<unknown, BatchDelete> {
  const deletes = new Map<unknown, BatchDelete>();
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

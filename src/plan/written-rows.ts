// Records as a write will leave them, known before it is sent: for the search index and for the answer
// that is stored under an Idempotency-Key. Pure.

import type { ObjectModel } from '../model/model.ts';
import { clearedReferrers } from './referrers.ts';
import type { WritePlan } from './write-plan.ts';
import type { Change, LookupResults } from './write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

/** The locked row of a record that was there before. */
export function rowBefore(
  { id }: { readonly id: string },
  lookedUp: LookupResults,
): Row | undefined {
  const matches = [...lookedUp.matches.values()].flat();
  return lookedUp.rows.get(id) ?? matches.find((row) => row.id === id);
}

/** The record after an insert or update; undefined for other changes. */
export function rowAfter(change: Change, lookedUp: LookupResults): Row | undefined {
  if (change.kind === 'insert') return change.columns;
  const before = rowBefore(change, lookedUp);
  if (change.kind !== 'update') return before;
  const columns: Record<string, unknown> = { ...before };
  const custom: Record<string, unknown> = { ...(before?.custom_fields as Row | undefined) };
  for (const [field, value] of change.set) {
    if (field.storage === 'physical') columns[field.column] = value;
    else if (value === null) delete custom[field.custom_key];
    else custom[field.custom_key] = value;
  }
  return { ...columns, custom_fields: custom };
}

/** The same with all that the database adds, when the transaction started at `now`. */
export function rowWritten(
  object: ObjectModel,
  change: Change,
  lookedUp: LookupResults,
  now: string,
): Row | undefined {
  const row = rowAfter(change, lookedUp);
  if (change.kind === 'update') {
    return { ...row, version: Number(row?.version) + 1, updated_at: now };
  }
  if (change.kind !== 'insert') return row;
  const columns = [...object.fields.values()].map(({ column }) => [column, null] as const);
  return {
    ...Object.fromEntries(columns),
    custom_fields: {},
    version: 1,
    created_at: now,
    updated_at: now,
    ...row,
  };
}

/**
 * Versions of the records that deletes of the same batch change as well, by id: references to
 * deleted records become null, before or after their own change (D54).
 */
export function clearedVersions(
  { model, object }: WritePlan,
  changes: readonly Change[],
  lookedUp: LookupResults,
): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  const deletes = deletesOf(changes);
  if (deletes.size === 0) return versions;
  const referrers = clearedReferrers(model, object).filter((one) => one.object === object);
  changes.forEach((change, index) => {
    if (change.kind === 'delete') return;
    const [before, after] = [rowBefore(change, lookedUp), rowAfter(change, lookedUp)];
    const runs = new Set<number>();
    for (const { field } of referrers) {
      const early = deletes.get(before?.[field.column]);
      if (early !== undefined && early.index < index) runs.add(early.run);
      const late = deletes.get(after?.[field.column]);
      if (late !== undefined && late.index > index) runs.add(late.run);
    }
    const own = change.kind === 'insert' || change.kind === 'update' ? 1 : 0;
    if (runs.size > 0) versions.set(change.id, Number(before?.version ?? 0) + own + runs.size);
  });
  return versions;
}

/** Where each record is deleted, and which of them one statement deletes. */
function deletesOf(
  changes: readonly Change[],
): ReadonlyMap<unknown, { readonly index: number; readonly run: number }> {
  const deletes = new Map<unknown, { readonly index: number; readonly run: number }>();
  let run = 0;
  changes.forEach(({ kind, id }, index) => {
    if (kind === 'delete') deletes.set(id, { index, run });
    else if (kind !== 'none') run += 1;
  });
  return deletes;
}

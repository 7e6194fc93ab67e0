// Records as a write will leave them, known before it is sent: for the search index and for the answer
// that an Idempotency-Key keeps. Pure.

import type { ObjectModel } from '../model/model.ts';
import type { Change, Found } from './write-case.ts';

type Row = Readonly<Record<string, unknown>>;

/** The locked row of a record that was there before. */
export function rowBefore({ id }: { readonly id: string }, found: Found): Row | undefined {
  const matches = [...found.matches.values()].flat();
  return found.rows.get(id) ?? matches.find((row) => row.id === id);
}

/** The record after an insert or update; all others leave records as they are. */
export function rowAfter(change: Change, found: Found): Row | undefined {
  if (change.kind === 'insert') return change.columns;
  const before = rowBefore(change, found);
  if (change.kind !== 'update') return before;
  const columns: Record<string, unknown> = { ...before };
  const custom: Record<string, unknown> = { ...(before?.custom_fields as Row | undefined) };
  for (const [field, value] of change.set) {
    if (field.storage === 'physical') columns[field.column] = value;
    else if (value === null) delete custom[field.key];
    else custom[field.key] = value;
  }
  return { ...columns, custom_fields: custom };
}

/** The same with all that the database adds, when the transaction started at `now`. */
export function rowWritten(
  object: ObjectModel,
  change: Change,
  found: Found,
  now: string,
): Row | undefined {
  const row = rowAfter(change, found);
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

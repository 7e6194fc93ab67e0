// A field of another type. Its values stay, or are rebuilt while clients write. Pure.

import type { Field } from '../../../model/model.ts';
import { filterIndexes } from '../../../sql/index-sql.ts';
import { type ChangeKind, type Locks, NO_LOCKS } from '../change-kind.ts';
import { dropIndexes, makeIndex, type Phased } from '../column-sql.ts';
import { hasNewForm } from '../stored-form.ts';
import { columnOf, fieldPath, type OfField, rebuiltField, reshapesTable } from './parts.ts';

export interface RetypeField extends OfField {
  readonly kind: 'retype_field';
  readonly from: Field;
}

export const retypeField: ChangeKind<RetypeField> = Object.freeze({
  kind: 'retype_field',
  path: fieldPath,
  locks: locksOf,
  statements: changeIndexes,
  works: ({ from, field }: RetypeField) => (hasNewForm(from, field) ? ['update' as const] : []),
  newColumn: columnOf,
  rebuilds: (step: RetypeField) => [rebuiltField(step)],
});

function locksOf(step: RetypeField): Locks {
  const { object, from, field } = step;
  const isRebuilt = hasNewForm(from, field);
  if (from.storage === 'jsonb' && field.storage === 'jsonb') {
    return isRebuilt ? { rewritten: [object.table] } : NO_LOCKS;
  }
  return isRebuilt || from.indexed ? reshapesTable(step) : NO_LOCKS;
}

/** Values that stay may be compared or sorted in another way from now on. Those that are rebuilt bring their indexes. */
function changeIndexes(schema: string, { object, from, field }: RetypeField): readonly Phased[] {
  if (hasNewForm(from, field) || !from.indexed || !field.indexed) return [];
  const [old, now] = [filterIndexes(object, from), filterIndexes(object, field)];
  const known = new Set(old.map(({ name }) => name));
  return [
    ...dropIndexes(schema, object, old),
    ...now.filter(({ name }) => !known.has(name)).map(makeIndex),
  ];
}

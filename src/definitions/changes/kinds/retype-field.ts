// A field of another type. Its values stay, or are rebuilt while clients write. Pure.

import { say } from '../../../messages/message.ts';
import { labelledTexts } from '../../../model/definition/fitting.ts';
import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import { filterIndexes } from '../../../sql/write/index-sql.ts';
import { type ChangeKind, type Locks, NO_LOCKS } from '../change-kind.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import { dropIndexes, makeIndex, type Phased } from '../column-sql.ts';
import type { Requirement } from '../requirement.ts';
import { hasNewForm } from '../stored-form.ts';
import type { Note } from './note.ts';
import {
  columnOf,
  endOfHistory,
  fieldPath,
  type OfField,
  rebuiltField,
  reshapesTable,
} from './parts.ts';

export interface RetypeField extends OfField {
  readonly kind: 'retype_field';
  readonly from: Field;
}

export const retypeField: ChangeKind<RetypeField> = Object.freeze({
  kind: 'retype_field',
  alters: true,
  path: fieldPath,
  locks: locksOf,
  statements: changeIndexes,
  works: ({ from, field }: RetypeField) => (hasNewForm(from, field) ? ['update' as const] : []),
  newColumn: columnOf,
  rebuilds: (step: RetypeField) => [rebuiltField(step)],
});

/** A change of the document that is refused, when the values of one type cannot become the other's. */
export function findType(
  old: ObjectModel,
  object: ObjectModel,
  from: Field,
  field: Field,
): readonly ((RetypeField | Note) & ChangeNotice)[] {
  if (from.type === field.type) return [];
  const typedField = `${object.object_type}.${field.key}`;
  const { words, notice } = endOfHistory(old, field.key);
  const labels = labelledTexts(from, field).size > 0 ? ', its options by their labels' : '';
  const summary = `~ field ${typedField} (type ${from.type} -> ${field.type}${labels}${words})`;
  const { becomes } = FIELD_TYPE_TRAITS[from.type];
  const conversion = Object.hasOwn(becomes, field.type) ? becomes[field.type] : undefined;
  if (conversion === undefined) {
    const refusal = say('field_retyped', { field: typedField, from: from.type, to: field.type });
    const path = fieldPath({ object, field });
    return [change({ kind: 'note', path }, summary, { refusal })];
  }
  const fitting: Requirement = { kind: 'values_fit', object: old, field: from, into: field };
  return [
    change({ kind: 'retype_field', object, from, field }, summary, {
      loss: conversion.loses === true ? `${old.object_type}.${from.key}` : null,
      requirements: conversion.isPartial === true ? [fitting] : [],
      expectations: conversion.loses === true ? [fitting] : [],
      ...notice,
    }),
  ];
}

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

// Indexes of a field: for filters and sorting, for uniqueness, for texts that lists search. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { textIndexName } from '../../../model/definition/physical-names.ts';
import { isIndexedText, textSearchField } from '../../../model/text/text-search-field.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import {
  fieldIndex,
  filterIndexes,
  isAlwaysIndexed,
  namesOfIndexes,
  textIndex,
  uniqueIndex,
  uniqueIndexes,
} from '../../../sql/write/index-sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import { dropIndex, dropIndexes, makeIndex } from '../column-sql.ts';
import type { Requirement } from '../requirement.ts';
import { fieldName, fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface IndexField extends OfField {
  readonly kind: 'index_field';
}

export interface UnindexField extends OfField {
  readonly kind: 'unindex_field';
}

export interface MakeUnique extends OfField {
  readonly kind: 'make_unique';
}

export interface DropUnique extends OfField {
  readonly kind: 'drop_unique';
}

/** The `q` of lists searches this field from now on. */
export interface IndexText extends OfField {
  readonly kind: 'index_text';
}

export interface UnindexText extends OfField {
  readonly kind: 'unindex_text';
}

/** A field whose texts are sorted in another order, which its index must have. */
export interface ReorderField extends OfField {
  readonly kind: 'reorder_field';
  readonly from: Field;
}

/** A change of a part of the field is a change of the field. */
const ofIndex = Object.freeze({
  path: fieldPath,
  action: 'change' as const,
  locks: reshapesTable,
});

const making = Object.freeze({ ...ofIndex, works: () => ['index' as const] });

export const indexField: ChangeKind<IndexField> = Object.freeze({
  ...making,
  kind: 'index_field',
  statements: (_: string, { object, field }: IndexField) =>
    isAlwaysIndexed(field) ? [] : filterIndexes(object, field).map(makeIndex),
  index: ({ object, field }: IndexField) =>
    isAlwaysIndexed(field) ? undefined : fieldIndex(object, field),
});

export const unindexField: ChangeKind<UnindexField> = Object.freeze({
  ...ofIndex,
  kind: 'unindex_field',
  statements: (schema: string, { object, field }: UnindexField) =>
    isAlwaysIndexed(field) ? [] : dropIndexes(schema, object, filterIndexes(object, field)),
});

export const makeUnique: ChangeKind<MakeUnique> = Object.freeze({
  ...making,
  kind: 'make_unique',
  statements: (_: string, { object, field }: MakeUnique) =>
    uniqueIndexes(object, field).map(makeIndex),
  index: ({ object, field }: MakeUnique) => uniqueIndex(object, field),
});

export const dropUnique: ChangeKind<DropUnique> = Object.freeze({
  ...ofIndex,
  kind: 'drop_unique',
  statements: (schema: string, { object, field }: DropUnique) =>
    dropIndexes(schema, object, uniqueIndexes(object, field)),
});

export const indexText: ChangeKind<IndexText> = Object.freeze({
  ...making,
  kind: 'index_text',
  // An indexed field has it already, or gets it with its other indexes.
  statements: (_: string, { object, field }: IndexText) =>
    isIndexedText(field) ? [] : [makeIndex(textIndex(object, field))],
  index: ({ object, field }: IndexText) => textIndex(object, field),
});

export const unindexText: ChangeKind<UnindexText> = Object.freeze({
  ...ofIndex,
  kind: 'unindex_text',
  statements: (schema: string, { object, field }: UnindexText) =>
    isIndexedText(object.fields.get(field.key) ?? field)
      ? []
      : [dropIndex(schema, textIndexName(object.table, field.column))],
});

export const reorderField: ChangeKind<ReorderField> = Object.freeze({
  ...making,
  kind: 'reorder_field',
  statements: (schema: string, step: ReorderField) => {
    const index = reorderedIndex(step);
    const old = fieldIndex(step.object, step.from);
    return [dropIndex(schema, old.name), ...(index === undefined ? [] : [makeIndex(index)])];
  },
  index: reorderedIndex,
  replacesIndex: true,
});

/** Undefined when the object no longer needs an index of this field. */
function reorderedIndex({ object, field }: ReorderField) {
  const index = fieldIndex(object, field);
  return namesOfIndexes(object).includes(index.name) ? index : undefined;
}

export function findLostIndexes(object: ObjectModel, from: Field, field: Field) {
  const name = fieldName({ object, field });
  const changes: ((UnindexField | DropUnique) & ChangeNotice)[] = [];
  if (from.indexed && !field.indexed) {
    changes.push(change({ kind: 'unindex_field', object, field: from }, `- index of ${name}`));
  }
  if (from.unique && (!field.unique || isComparedOtherwise(from, field))) {
    changes.push(change({ kind: 'drop_unique', object, field: from }, `- uniqueness of ${name}`));
  }
  return changes;
}

/** `old` and `from` are before the change. */
export function findNewIndexes(old: ObjectModel, object: ObjectModel, from: Field, field: Field) {
  const name = fieldName({ object, field });
  const changes: ((IndexField | MakeUnique) & ChangeNotice)[] = [];
  if (field.indexed && !from.indexed) {
    changes.push(change({ kind: 'index_field', object, field }, `+ index of ${name}`));
  }
  if (field.unique && (!from.unique || isComparedOtherwise(from, field))) {
    // The previous values, by their future equality key.
    const compared = { ...from, type: field.type };
    const requirement: Requirement = { kind: 'values_distinct', object: old, field: compared };
    const notice = { requirements: [requirement] };
    changes.push(change({ kind: 'make_unique', object, field }, `+ uniqueness of ${name}`, notice));
  }
  return changes;
}

function isComparedOtherwise(from: Field, field: Field): boolean {
  const [old, now] = [FIELD_TYPE_TRAITS[from.type], FIELD_TYPE_TRAITS[field.type]];
  return old.equalityKey !== now.equalityKey;
}

export function findOrder(old: ObjectModel, object: ObjectModel, field: Field) {
  const from = old.fields.get(field.key);
  const isSorted = field.indexed || field.unique;
  const wasSorted = from !== undefined && (from.indexed || from.unique);
  const isKept = from?.type === field.type && from.storage === field.storage;
  if (!isSorted || !wasSorted || !isKept || from.collation === field.collation) return [];
  const summary = `~ index of field ${object.object_type}.${field.key} (order of texts)`;
  return [change<ReorderField>({ kind: 'reorder_field', object, from, field }, summary)];
}

/** Lists look for text in the display field, so its index moves with it. */
export function findText(old: ObjectModel, object: ObjectModel) {
  const [from, to] = [textSearchField(old), textSearchField(object)];
  const changes: ((IndexText | UnindexText) & ChangeNotice)[] = [];
  if (from?.key === to?.key) return changes;
  const name = (field: Field) => `text index of ${fieldName({ object, field })}`;
  if (from) changes.push(change({ kind: 'unindex_text', object, field: from }, `- ${name(from)}`));
  if (to) changes.push(change({ kind: 'index_text', object, field: to }, `+ ${name(to)}`));
  return changes;
}

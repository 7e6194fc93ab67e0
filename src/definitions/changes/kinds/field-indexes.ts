// Indexes of a field: for filters and sorting, for uniqueness, for texts that lists search. Pure.

import type { Field } from '../../../model/model.ts';
import { textIndexName } from '../../../model/physical-names.ts';
import { isIndexedText } from '../../../model/text-search-field.ts';
import {
  fieldIndex,
  filterIndexes,
  isAlwaysIndexed,
  namesOfIndexes,
  textIndex,
  uniqueIndex,
  uniqueIndexes,
} from '../../../sql/index-sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { dropIndex, dropIndexes, makeIndex } from '../column-sql.ts';
import { fieldPath, type OfField, reshapesTable } from './parts.ts';

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

/** Its texts are sorted in another order, which its index has to have. */
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

// The common parts of steps of objects and their fields. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import type { StoredName } from '../../../model/definition/storage-names.ts';
import type { Column, Locks, RebuiltField } from '../change-kind.ts';
import type { Notice } from '../change-notice.ts';

export interface OfObject {
  readonly object: ObjectModel;
}

export interface OfField extends OfObject {
  readonly field: Field;
}

export function objectPath({ object }: OfObject): string {
  return `objects.${object.object_type}`;
}

/** The path of a word of the object. The path of the object itself would mean that all of it is added or removed. */
export function wordPath(word: 'workflow' | 'owned'): (of: OfObject) => string {
  return (of) => `${objectPath(of)}.${word}`;
}

export function fieldPath({ object, field }: OfField): string {
  return `objects.${object.object_type}.fields.${field.key}`;
}

export function reshapesTable({ object }: OfObject): Locks {
  return { reshaped: [object.table] };
}

/** The search rows of an object, to be deleted. */
export function searchRowsOf({ searched, search_name: name }: ObjectModel): readonly StoredName[] {
  return searched.length === 0 ? [] : [{ kind: 'search', table_name: null, name }];
}

export function columnOf({ object, field }: OfField): Column {
  return { table: object.table, column: field.column };
}

export function rebuiltField({ object, field }: OfField): RebuiltField {
  return { object_type: object.object_type, key: field.key };
}

/** The end of the history of a field; nothing when the object has no history. */
export function endOfHistory({ history }: ObjectModel, ends: string): EndOfHistory {
  return history === null ? { words: '', notice: {} } : { words: ENDS, notice: { ends } };
}

/** The end of a summary, and the part of its notice. */
interface EndOfHistory {
  readonly words: string;
  readonly notice: Pick<Notice, 'ends'>;
}

const ENDS = ', ends its history';

/** The name of a field in the lines of plans. */
export function fieldName({ object, field }: OfField): string {
  return `field ${object.object_type}.${field.key}`;
}

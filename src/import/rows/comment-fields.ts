// Comments as a mapping sees them: an object with the fields that a row can give. They are not an object of the
// workspace; this only lets them share columns, look-ups and conversions with records.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { systemField } from '../../model/definition/system-fields.ts';
import type { FieldType } from '../../model/values/field-types.ts';

/** The external id: with the record it says which comment a row is. */
export const ID_FIELD = commentField('id', 'text');
export const BODY_FIELD = commentField('body', 'long_text');
/** Empty: the person who imports. */
export const COMMENT_AUTHOR_FIELD = commentField('author_user_id', 'user');
export const CREATED_FIELD = commentField('created_at', 'datetime');
export const UPDATED_FIELD = commentField('updated_at', 'datetime');
/** A list of users. */
export const MENTIONS_FIELD = commentField('mention_user_ids', 'user');
/** The record of the comment; its reference field differs between workspaces. */
export const RECORD_KEY = 'record_id';

/** No type of an object has a blank, so the name is free. */
const PREFIX = 'comments on ';

export function commentObject(on: ObjectModel): ObjectModel {
  const record = commentField(RECORD_KEY, 'reference', { reference_object_type: on.object_type });
  const fields = [ID_FIELD, record, BODY_FIELD, COMMENT_AUTHOR_FIELD];
  const all = [...fields, CREATED_FIELD, UPDATED_FIELD, MENTIONS_FIELD];
  return {
    ...on,
    object_type: `${PREFIX}${on.object_type}`,
    fields: new Map(all.map((field) => [field.key, field])),
  };
}

export function isCommentObject({ object_type }: ObjectModel): boolean {
  return object_type.startsWith(PREFIX);
}

function commentField(key: string, type: FieldType, more: Partial<Field> = {}): Field {
  return systemField(key, key, type, { system: false, ...more });
}

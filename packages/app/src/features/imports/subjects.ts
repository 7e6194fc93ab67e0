// The subject of a file's rows: records of an object, comments on them, or links of one of its relationships. Comments
// and links get an object in their place, so that columns, look-ups and people are mapped as those of records. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { hasComments } from '../../lib/comments.ts';
import type { Translate } from '../../lib/messages/index.ts';
import { MENTIONS } from './import-fields.ts';
import type { MappingDocument } from './mapping-document.ts';

/** `records`, `comments`, or the id of a relationship. */
export type Rows = string;

export const RECORDS = 'records';
const COMMENTS = 'comments';

export interface Subject {
  readonly rows: Rows;
  /** Has the fields that a row can give. */
  readonly object: ObjectDefinition;
  /** The keys of the mapping that name the subject. */
  readonly head: Pick<MappingDocument, 'object_type' | 'comments_on' | 'links_of' | 'relationship'>;
}

/** Not records and not links. */
export function isComments(rows: Rows): boolean {
  return rows === COMMENTS;
}

/** Records first; references are fields of records, and not links. */
export function offeredRows(object: ObjectDefinition): readonly Rows[] {
  const links = linksOf(object).map(({ id }) => id);
  return [RECORDS, ...(hasComments(object) ? [COMMENTS] : []), ...links];
}

export function rowsName(object: ObjectDefinition, rows: Rows, t: Translate): string {
  const name = object.name ?? object.object_type;
  if (rows === RECORDS) return t('import.rowIsRecord', { name });
  if (rows === COMMENTS) return t('import.rowIsComment', { name });
  const link = linksOf(object).find(({ id }) => id === rows);
  return t('import.rowIsLink', { name: link?.labels[0] ?? rows });
}

/** Rows that the object no longer has are records. */
export function subjectOf(object: ObjectDefinition, rows: Rows, t: Translate): Subject {
  const { object_type } = object;
  const own = fieldOf('record_id', 'reference', {
    ...{ name: object.singular_name ?? object_type, required: true },
    constraints: { reference_object_type: object_type },
  });
  const inPlace = (fields: readonly Field[]) => ({
    ...{ ...object, object_type: `${rows} ${object_type}`, display_field: null },
    fields: [...fields],
  });
  if (rows === COMMENTS) {
    const head = { comments_on: object_type };
    return { rows, head, object: inPlace([own, ...commentFields(t)]) };
  }
  const link = linksOf(object).find(({ id }) => id === rows);
  if (link === undefined) return { rows: RECORDS, head: { object_type }, object };
  const target = fieldOf('target_id', 'reference', {
    ...{ name: link.object.name ?? link.object.key, required: true },
    constraints: { reference_object_type: link.object.key },
  });
  const head = { links_of: object_type, relationship: link.id };
  return { rows, head, object: inPlace([own, target]) };
}

function linksOf({ relationships }: ObjectDefinition) {
  return relationships.filter(({ can_link, source_field }) => can_link && source_field === null);
}

function commentFields(t: Translate): readonly Field[] {
  return [
    fieldOf('body', 'long_text', { name: t('import.commentText'), required: true }),
    fieldOf('author_user_id', 'user', { name: t('import.commentAuthor') }),
    fieldOf(MENTIONS, 'user', { name: t('import.commentMentions') }),
    fieldOf('created_at', 'datetime', { name: t('import.commentCreated') }),
    fieldOf('updated_at', 'datetime', { name: t('import.commentUpdated') }),
    fieldOf('id', 'text', { name: t('import.id') }),
  ];
}

function fieldOf(key: string, type: string, more: Partial<Field>): Field {
  return {
    ...{ key, name: null, type, required: false, editable: true },
    ...{ storage: 'physical', storage_key: key, ...more },
  };
}

// Makes the comment of a row: its values are checked here, because no schema of a request has seen them.
// The same row always makes a comment of the same id, so a repeated import adds nothing.

import { createHash } from 'node:crypto';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Field } from '../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { commentTextProblem } from '../../plan/events/comment-plan.ts';
import {
  BODY_FIELD,
  COMMENT_AUTHOR_FIELD,
  CREATED_FIELD,
  ID_FIELD,
  MENTIONS_FIELD,
  RECORD_KEY,
  UPDATED_FIELD,
} from './comment-fields.ts';
import { madeId } from './line-ids.ts';
import type { RowProblem } from './read-rows.ts';

/** A comment to be added, unless there is one of its id. */
export interface CommentOperation {
  readonly action: 'comment';
  readonly comment_id: string;
  readonly record_id: string;
  readonly body: string;
  /** null: the person who imports. */
  readonly author_user_id: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly mention_user_ids: readonly number[];
}

/** The operation of a row; problems of its values are added to `problems`. */
export function commentOperation(
  values: ReadonlyMap<Field, unknown>,
  problems: RowProblem[],
): CommentOperation {
  const report = (field: string, reason: string) => {
    if (!problems.some((one) => one.field === field)) problems.push({ field, reason });
  };
  const parse = (field: Field): unknown => {
    const value = values.get(field) ?? null;
    if (value === null) return null;
    const parsed = FIELD_TYPE_TRAITS[field.type].parse(value, field.rules);
    if ('value' in parsed) return parsed.value;
    report(field.key, `The value ${parsed.problem.text}.`);
    return null;
  };
  const record = [...values.keys()].find(({ key }) => key === RECORD_KEY);
  const recordId = record === undefined ? null : parse(record);
  if (recordId === null) report(RECORD_KEY, 'The value must not be empty.');
  const comment = {
    record_id: String(recordId),
    body: requireBody(values.get(BODY_FIELD) ?? null, report),
    author_user_id: parse(COMMENT_AUTHOR_FIELD) as number | null,
    created_at: parse(CREATED_FIELD) as string | null,
    updated_at: parse(UPDATED_FIELD) as string | null,
    mention_user_ids: requireMentions(values.get(MENTIONS_FIELD) ?? [], report),
  };
  const id = values.get(ID_FIELD) ?? null;
  return { action: 'comment', comment_id: idOf(comment, id, report), ...comment };
}

type Report = (field: string, reason: string) => void;

function requireBody(value: unknown, report: Report): string {
  const problem =
    value === null
      ? say('import_comment_empty')
      : typeof value === 'string'
        ? commentTextProblem(value)
        : say('must_be_text');
  if (problem !== undefined) report(BODY_FIELD.key, problem.text);
  return String(value);
}

function requireMentions(value: unknown, report: Report): readonly number[] {
  const ids = Array.isArray(value) ? [...new Set<unknown>(value)] : [value];
  if (!ids.every((id) => Number.isSafeInteger(id) && Number(id) > 0)) {
    report(MENTIONS_FIELD.key, say('import_mentions_list').text);
  } else if (ids.length > LIMITS.mentions) {
    report(MENTIONS_FIELD.key, say('too_many_mentions', { most: LIMITS.mentions }).text);
  }
  return ids as readonly number[];
}

/**
 * A UUID made of the record and the id in the file. Without an id, a comment is the same when record, author, time and
 * text are. The time is required then: somebody may say "+1" twice.
 */
function idOf(
  { record_id, body, author_user_id, created_at }: Omit<CommentOperation, 'action' | 'comment_id'>,
  id: unknown,
  report: Report,
): string {
  if (id === null && created_at === null) {
    report(ID_FIELD.key, say('import_created_at_missing').text);
  }
  // As texts all objects are one id.
  if (id !== null && typeof id !== 'string') report(ID_FIELD.key, say('must_be_text').text);
  const said = id === null ? [record_id, null, author_user_id, created_at, body] : [record_id, id];
  return madeId(createHash('sha256').update(JSON.stringify(said)).digest());
}

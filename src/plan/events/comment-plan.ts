// The decisions behind comments: which record they are on, which of them a page shows, who is notified
// (interface specification §4.5, D57). Pure.

import { ApiError, errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import {
  accessOf,
  type Caller,
  isWithinReach,
  objectAccess,
  type Rights,
} from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import type { Row } from '../../model/values/row.ts';
import { isStorableText } from '../../model/values/storable-text.ts';
import { type CursorValue, decodeCursor, encodeCursor } from '../read/cursor.ts';
import { planGet, type ReadPlan, requireObject } from '../read/read-plan.ts';

export interface CommentPageRequest {
  /** Id of the record as the client sent it. */
  readonly id: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface CommentPagePlan {
  /** The record, which must exist and be readable. */
  readonly source: ReadPlan;
  readonly order: 'asc' | 'desc';
  /** `created_at` and `id` after which the page starts. */
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
  readonly binding: string;
}

export interface CommentRequest {
  /** Id of the record as the client sent it. */
  readonly id: string;
  readonly body: string;
  readonly mention_user_ids: readonly number[];
}

/** Comments that are added together. */
export interface CommentsPlan {
  /** The plan of the records, which must exist and be readable. */
  readonly source: ReadPlan;
  readonly comments: readonly PlannedComment[];
}

export interface PlannedComment {
  /** Canonical; undefined when the sent text is not an id. */
  readonly record_id: string | undefined;
  readonly body: string;
  /** Each once. */
  readonly mentioned: readonly number[];
}

/** A mentioned person. */
export interface Mentioned {
  readonly id: number;
  readonly kind: 'user' | 'agent';
  readonly active: boolean;
  readonly roles: readonly string[];
  readonly colleague_ids: readonly number[];
}

/** The text as sent, or 400 when all of it is white space (D57). */
export function requireCommentText(body: string, param = 'body'): string {
  if (!isBlank(body)) return body;
  throw errorFromProblems([{ param, code: 'validation_failed', message: BLANK }]);
}

const BLANK = say('comment_blank');

function isBlank(body: string): boolean {
  return !/[^\s\p{White_Space}]/u.test(body);
}

/** Why a text that no schema has checked cannot be a comment; undefined when it can. */
export function commentTextProblem(body: string): Message | undefined {
  if (isBlank(body)) return BLANK;
  if (!isStorableText(body)) return say('text_not_storable');
  const length = [...body].length;
  if (length <= LIMITS.commentLength) return undefined;
  return say('comment_too_long', { count: length, most: LIMITS.commentLength });
}

/** The object, or 404: `object_not_available` first, then `comments_not_supported`. */
export function requireCommentable(
  model: WorkspaceModel,
  caller: Caller,
  objectType: string,
): ObjectModel {
  const object = requireObject(model, caller, objectType);
  if (!object.commentable) throw new ApiError('comments_not_supported', { param: 'object_type' });
  return object;
}

/** Plan one page. Errors: `invalid_cursor`. */
export function planComments(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  { id, order, limit, cursor }: CommentPageRequest,
): CommentPagePlan {
  const source = planRecord(model, caller, object, id);
  const binding = JSON.stringify([
    [model.workspace.id, caller.user.id, 'comments', object.object_type],
    source.ids,
    order,
  ]);
  const after =
    cursor === undefined ? undefined : decodeCursor(model.cursor_secret, binding, cursor);
  return { source, order, after, limit, binding };
}

/** The cursor after a comment or notification; at most 200 characters. */
export function cursorAfterMoment(
  model: WorkspaceModel,
  { binding }: { readonly binding: string },
  { created_at, id }: Row,
): string {
  return encodeCursor(model.cursor_secret, binding, [created_at as string, id as string]);
}

/** Plan comments on records of one object; a user whom one mentions twice is mentioned once. */
export function planNewComments(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  requests: readonly CommentRequest[],
): CommentsPlan {
  const comments = requests.map(({ id, body, mention_user_ids }) => ({
    record_id: parseRecordId(id),
    body,
    mentioned: [...new Set(mention_user_ids)],
  }));
  const ids = [...new Set(comments.flatMap(({ record_id }) => record_id ?? []))];
  return { source: planGet(model, caller, object, { ids, fields: [] }), comments };
}

/** The record within the caller's reach; a malformed id has no match. */
export function planRecord(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  id: string,
): ReadPlan {
  const canonical = parseRecordId(id);
  const ids = canonical === undefined ? [] : [canonical];
  return planGet(model, caller, object, { ids, fields: [] });
}

/** Mentions of one comment, with the record and the people. */
export interface MentionCase {
  readonly object: ObjectModel;
  /** Owner of the record, or its creator (D20). */
  readonly owner_id: number | null;
  readonly mentioned: readonly number[];
  /** The mentioned people that exist; others are ignored. */
  readonly people: readonly Mentioned[];
}

/**
 * The users to notify: those of the mentioned who may read the record. Errors: `validation_failed`, identical
 * for everyone who is not an active person of the workspace.
 */
export function validateMentions(model: WorkspaceModel, mention: MentionCase): readonly number[] {
  const notified = notifiedBy(model, mention);
  if (notified !== undefined) return notified;
  const message = UNKNOWN_MENTION;
  const problem = { param: 'mention_user_ids', code: 'validation_failed', message } as const;
  throw errorFromProblems([problem]);
}

export const UNKNOWN_MENTION = say('mention_unknown');

/** The users to notify; undefined when somebody cannot be mentioned. */
export function notifiedBy(
  model: WorkspaceModel,
  { object, owner_id, mentioned, people }: MentionCase,
): readonly number[] | undefined {
  const members = people.filter(
    ({ id, kind, active }) => mentioned.includes(id) && kind === 'user' && active,
  );
  if (members.length < mentioned.length) return undefined;
  const readers = members.filter((member) => {
    const reader = rightsOf(model, member);
    return isWithinReach(reader, objectAccess(reader, object).reach.read, owner_id);
  });
  return readers.map(({ id }) => id);
}

/** The rights of the person, independent of any principal. */
function rightsOf(model: WorkspaceModel, { id, roles, colleague_ids }: Mentioned): Rights {
  return { user: { id }, colleague_ids, access: accessOf(model, roles) };
}

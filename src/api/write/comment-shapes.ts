// Comments and notifications as the wire shows them: their schemas, and from rows to the wire
// (specification §2.8).

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { NOTIFICATION_KINDS } from '../../model/rights/notification-kinds.ts';
import { REQUEST_STATES } from '../../plan/events/event-plan.ts';
import type { Row } from '../../postgres/db.ts';
import { nullable } from '../shapes.ts';

const Moment = nullable(Type.String({ format: 'date-time' }));

const Author = Type.Object(
  {
    kind: Type.String({ description: '`user`, or `agent` for a service user.' }),
    id: nullable(Type.Integer()),
    name: nullable(Type.String()),
  },
  { $id: 'Author' },
);

export const CommentShape = Type.Object(
  {
    id: Type.String(),
    body: Type.String({ description: 'Plain text, exactly as it was sent.' }),
    author: Author,
    created_at: Moment,
    updated_at: Moment,
  },
  { $id: 'RecordComment' },
);

export const NotificationShape = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({
      description: `${NOTIFICATION_KINDS.map((kind) => `\`${kind}\``).join(', ')}; more may come.`,
    }),
    object_type: nullable(
      Type.String({
        description: 'The object type of the record; null of `webhook_failed` and `job_failed`.',
      }),
    ),
    record_id: nullable(Type.String()),
    comment_id: nullable(Type.String({ description: 'The comment of `mention` and `comment`.' })),
    due_on: Type.Optional(Type.String({ format: 'date', description: 'The due date of `due`.' })),
    webhook_id: Type.Optional(Type.String({ description: 'The webhook of `webhook_failed`.' })),
    job_id: Type.Optional(Type.String({ description: 'The job of `job_failed`.' })),
    status_request: Type.Optional(
      Type.Object(
        {
          id: Type.String(),
          from_status: Type.String(),
          to_status: Type.String(),
          state: Type.Enum([...REQUEST_STATES]),
        },
        { description: 'The status request that it is about, as it is now.' },
      ),
    ),
    author: Author,
    created_at: Moment,
    read_at: nullable(
      Type.String({
        format: 'date-time',
        description: 'The time it was read; null while it is unread.',
      }),
    ),
    excerpt: Type.Optional(
      Type.String({
        description:
          'The beginning of the comment, also of a status request or its decision, with `include=excerpt`.',
      }),
    ),
  },
  { $id: 'UserNotification' },
);

export function presentComment(row: Row): Record<string, unknown> {
  const { id, body, created_at, updated_at } = row;
  return { id, body, author: presentAuthor(row), created_at, updated_at };
}

export function presentNotification(row: Row): Record<string, unknown> {
  const { id, object_type, record_id, comment_id, created_at, read_at, excerpt } = row;
  const author = presentAuthor(row);
  const kind = kindOf(row);
  return {
    ...{ id, kind, object_type, record_id, comment_id: comment_id ?? null },
    ...requestOf(row),
    ...subjectOf(kind, row),
    ...{ author, created_at, read_at },
    ...(typeof excerpt === 'string' ? { excerpt } : {}),
  };
}

/** Rows of a release before do not have it. */
function kindOf({ kind, status_request_id, requested_by, author_user_id }: Row): string {
  if (typeof kind === 'string') return kind;
  if ((status_request_id ?? null) === null) return 'mention';
  return requested_by === author_user_id ? 'approval_requested' : 'request_decided';
}

function subjectOf(kind: string, { subject_id, due_on }: Row) {
  if (kind === 'due') return { due_on };
  if (kind === 'webhook_failed') return { webhook_id: subject_id };
  return kind === 'job_failed' ? { job_id: subject_id } : {};
}

function requestOf({ status_request_id: id, from_status, to_status, state }: Row) {
  return (id ?? null) === null ? {} : { status_request: { id, from_status, to_status, state } };
}

/** A person who is no longer in the database keeps the id. */
function presentAuthor({ author_kind, author_user_id, author_name }: Row) {
  return { kind: author_kind ?? 'user', id: author_user_id, name: author_name };
}

/** A new comment. */
export const commentBody = {
  body: Type.String({
    format: 'plain-text',
    minLength: 1,
    maxLength: LIMITS.commentLength,
    description: 'Plain text, kept as it is; not white space only.',
  }),
  mention_user_ids: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      maxItems: LIMITS.mentions,
      description: 'Active members of the workspace; a repeated id counts once.',
    }),
  ),
} as const;

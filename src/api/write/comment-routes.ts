// Comments on records over HTTP: listing and adding them (specification §4.5). Parsing and presenting
// only; the way there is flow/records/comment-flow.ts.

import Type from 'typebox';
import { readComments, readMentionable } from '../../flow/records/comment-flow.ts';
import type { WriteResult } from '../../flow/records/write-flow.ts';
import { LIMITS } from '../../limits.ts';
import type { Caller } from '../../model/rights/access.ts';
import { requireCommentable, requireCommentText } from '../../plan/events/comment-plan.ts';
import { defineRoute } from '../context.ts';
import { presentPagination } from '../present.ts';
import { ObjectType, RecordId } from '../record-shapes.ts';
import { closed, cursorQuery, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { CommentShape, commentBody, presentComment } from './comment-shapes.ts';
import { replyToWrites } from './write-reply.ts';

const recordParams = Type.Object({ object_type: ObjectType, record_id: RecordId }, closed);

export const listComments = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/comments',
  operationId: 'listComments',
  tag: 'Comments',
  summary: 'List the comments of a record',
  description: [
    'Work items, companies, contacts, deals, meetings and events have comments, and objects whose definition',
    'has `comments: true`. People who may read the record may read its comments.',
  ].join(' '),
  scope: 'comments:read',
  params: recordParams,
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.comments),
      cursor: cursorQuery(LIMITS.commentCursorLength),
      order: Type.Enum(['desc', 'asc'], {
        default: 'desc',
        description: '`desc`: newest first; `asc`: oldest first.',
      }),
    },
    closed,
  ),
  status: 200,
  result: pageOf(CommentShape),
  errors: [
    'validation_failed',
    'invalid_cursor',
    'object_not_available',
    'comments_not_supported',
    'record_not_found',
  ],
  async handle({ caller, model, params, query, signal }, { db }) {
    const object = requireCommentable(model, caller, params.object_type);
    const { limit, cursor, order } = query;
    const request = { id: params.record_id, limit, cursor, order };
    const page = await readComments({ db, model, caller, signal }, object, request);
    return {
      body: {
        data: page.rows.map(presentComment),
        pagination: presentPagination(limit, page.next_cursor),
      },
    };
  },
});

const MOST_MENTIONABLE = 20;

export const listMentionable = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/mentionable',
  operationId: 'listMentionable',
  tag: 'Comments',
  summary: 'Find people to mention in a comment',
  description: [
    'People who can read the record, the first 20 by name, for callers who can comment on it, also without',
    'directory access. People without a name are left out.',
  ].join(' '),
  scope: 'comments:write',
  params: recordParams,
  query: Type.Object(
    {
      q: Type.Optional(
        Type.String({
          maxLength: LIMITS.textQueryLength,
          description: 'Case-insensitive match on the name.',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  result: responseOf(
    Type.Array(
      Type.Object({ id: Type.Integer(), name: Type.String() }, { $id: 'MentionablePerson' }),
    ),
  ),
  errors: [
    'validation_failed',
    'object_not_available',
    'comments_not_supported',
    'record_not_found',
  ],
  async handle({ caller, model, params, query, signal }, { db }) {
    const object = requireCommentable(model, caller, params.object_type);
    const text = query.q?.trim() || undefined;
    const request = { id: params.record_id, text, limit: MOST_MENTIONABLE };
    const people = await readMentionable({ db, model, caller, signal }, object, request);
    return { body: { data: people.map(({ id, name }) => ({ id, name })) } };
  },
});

export const createComment = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/comments',
  operationId: 'createComment',
  tag: 'Comments',
  summary: 'Comment on a record',
  description: [
    "The author is the key's user, who must be able to read the record. Mentioned users are notified",
    'when they can read it too. A comment does not change the `version` of the record.',
  ].join(' '),
  scope: 'comments:write',
  params: recordParams,
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      ...commentBody,
    },
    closed,
  ),
  idempotent: true,
  status: 201,
  result: responseOf(CommentShape),
  errors: [
    'invalid_json',
    'validation_failed',
    'object_not_available',
    'comments_not_supported',
    'record_not_found',
  ],
  async handle(request, context) {
    const { caller, model, params } = request;
    const { body, mention_user_ids } = request.body;
    requireCommentText(body);
    const object = requireCommentable(model, caller, params.object_type);
    const operation = { action: 'comment', id: params.record_id, body, mention_user_ids } as const;
    return replyToWrites(request, context, object, {
      operations: [operation],
      answered: [],
      respond({ results: [result] }) {
        const row = rowOf(caller, body, result as WriteResult);
        return { status: 201, body: { data: presentComment(row) }, fields: [] };
      },
    });
  },
});

/** The comment as it is read later. */
function rowOf({ user }: Caller, body: string, { comment }: WriteResult) {
  return {
    ...{
      id: comment?.id,
      body,
      author_user_id: user.id,
      author_kind: user.kind,
      author_name: user.name,
    },
    ...{ created_at: comment?.created_at, updated_at: comment?.created_at },
  };
}

// Status requests over HTTP: asking for a move that needs approval, listing requests and deciding them
// (docs/design/approvals.md). Parsing and presenting only; the way there is flow/records/ask-for-move.ts and
// decide-request.ts.

import Type from 'typebox';
import { askForMove } from '../../flow/records/ask-for-move.ts';
import { decideRequest, type Verdict } from '../../flow/records/decide-request.ts';
import type { Claim } from '../../flow/records/idempotency.ts';
import { readRequest, readRequests } from '../../flow/records/read/status-request-reads.ts';
import type { Reply, RouteRequest } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { requireCommentText } from '../../plan/events/comment-plan.ts';
import { REQUEST_STATES } from '../../plan/events/event-plan.ts';
import type { ShownRequest } from '../../plan/people/status-request-plan.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { presentPagination } from '../present.ts';
import { ObjectType, RecordId, StatusId } from '../record-shapes.ts';
import { CursorQuery, closed, emptyBody, limitQuery, pageOf, responseOf } from '../shapes.ts';
import {
  presentRequest,
  RequestComment,
  requestParams,
  StatusRequestShape,
} from './status-request-shapes.ts';
import { replyOf, writeErrors } from './write-reply.ts';

const noQuery = Type.Object({}, closed);

const decisionErrors = [
  'invalid_json',
  'validation_failed',
  'permission_denied',
  'record_not_found',
  'conflict',
  'invalid_write',
] as const;

export const createStatusRequest = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/status_requests',
  operationId: 'createStatusRequest',
  tag: 'Approvals',
  summary: 'Ask for approval of a move',
  description: [
    'For a move that answers `422 invalid_write` with `details.reason` `approval_required`. The approvers who can read',
    'the record are notified. A record has one pending request for each status: another one is `409 conflict` with',
    '`details.request_id`. A move that you can make yourself is `422` with `details.reason` `approval_not_required`.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object({ object_type: ObjectType, record_id: RecordId }, closed),
  query: noQuery,
  body: Type.Object({ status_id: StatusId, comment: RequestComment }, closed),
  idempotent: true,
  status: 201,
  result: responseOf(StatusRequestShape),
  errors: ['invalid_json', ...writeErrors, 'record_not_found', 'conflict'],
  async handle(request, { db }) {
    const { caller, model, params, body, requestId, claim } = request;
    const object = requireObject(model, caller, params.object_type);
    const { status_id } = body;
    const comment = commentOf(body);
    const asked = { id: params.record_id, status_id, comment };
    const context = { db, model, caller, requestId };
    return replyOf(await askForMove(context, object, asked, once(claim, 201)));
  },
});

export const listStatusRequests = defineRoute({
  method: 'GET',
  path: '/status_requests',
  operationId: 'listStatusRequests',
  tag: 'Approvals',
  summary: 'List status requests',
  description: [
    'Requests for moves of records that you can read, newest first. `approver=me`: the pending ones that wait for your',
    'decision. A request that nobody decides in time is `expired`.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.statusRequests),
      cursor: CursorQuery,
      state: Type.Optional(Type.Enum([...REQUEST_STATES])),
      approver: Type.Optional(
        Type.Enum(['me'], { description: 'Only those that wait for your decision.' }),
      ),
      requested_by: Type.Optional(Type.Enum(['me'])),
      object_type: Type.Optional(ObjectType),
      record_id: Type.Optional(RecordId),
    },
    closed,
  ),
  status: 200,
  result: pageOf(StatusRequestShape),
  errors: ['validation_failed', 'invalid_cursor', 'object_not_available'],
  async handle({ caller, model, query, signal }, { db }) {
    const page = await readRequests({ db, model, caller, signal }, query);
    return {
      body: {
        data: page.requests.map(presentRequest),
        pagination: presentPagination(query.limit, page.next_cursor),
      },
    };
  },
});

export const getStatusRequest = defineRoute({
  method: 'GET',
  path: '/status_requests/{request_id}',
  operationId: 'getStatusRequest',
  tag: 'Approvals',
  summary: 'Retrieve a status request',
  description:
    'The request with its decisions, and the fields that have changed since it was made.',
  scope: 'records:read',
  params: requestParams,
  query: noQuery,
  status: 200,
  result: responseOf(StatusRequestShape),
  errors: ['record_not_found'],
  async handle({ caller, model, params, signal }, { db }) {
    const request = await readRequest({ db, model, caller, signal }, params.request_id);
    return { body: { data: presentRequest(request) } };
  },
});

export const approveStatusRequest = defineRoute({
  method: 'POST',
  path: '/status_requests/{request_id}/approve',
  operationId: 'approveStatusRequest',
  tag: 'Approvals',
  summary: 'Approve a status request',
  description: [
    'The last approval that the move needs makes it, in the same transaction, as the person who asked and with their',
    'rights of this moment. When fields have changed since it was asked for, the answer is `409 conflict` with',
    '`details.reason` `record_changed` and `details.changed_fields`, unless `expected_version` is the present version.',
    'A move that the person who asked can no longer make is `422 invalid_write`; the request stays pending.',
  ].join(' '),
  scope: 'approvals:write',
  params: requestParams,
  query: noQuery,
  body: Type.Object(
    {
      comment: RequestComment,
      expected_version: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: LIMITS.versionLength,
          description: 'The `version` of the record that you have seen.',
        }),
      ),
    },
    closed,
  ),
  bodyOptional: true,
  idempotent: true,
  status: 200,
  result: responseOf(StatusRequestShape),
  errors: decisionErrors,
  handle(request, context) {
    const { expected_version } = request.body;
    const comment = commentOf(request.body);
    return decide(request, context, { kind: 'approved', comment, expected_version });
  },
});

export const rejectStatusRequest = defineRoute({
  method: 'POST',
  path: '/status_requests/{request_id}/reject',
  operationId: 'rejectStatusRequest',
  tag: 'Approvals',
  summary: 'Reject a status request',
  description: 'One approver is enough. The person who asked is notified.',
  scope: 'approvals:write',
  params: requestParams,
  query: noQuery,
  body: Type.Object({ comment: RequestComment }, closed),
  bodyOptional: true,
  idempotent: true,
  status: 200,
  result: responseOf(StatusRequestShape),
  errors: decisionErrors,
  handle(request, context) {
    return decide(request, context, { kind: 'rejected', comment: commentOf(request.body) });
  },
});

export const withdrawStatusRequest = defineRoute({
  method: 'POST',
  path: '/status_requests/{request_id}/withdraw',
  operationId: 'withdrawStatusRequest',
  tag: 'Approvals',
  summary: 'Withdraw a status request',
  description: 'Only the person who asked can withdraw it.',
  scope: 'records:write',
  params: requestParams,
  query: noQuery,
  ...emptyBody,
  idempotent: true,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(StatusRequestShape),
  errors: [
    'invalid_json',
    'validation_failed',
    'permission_denied',
    'record_not_found',
    'conflict',
  ],
  handle: (request, context) => decide(request, context, { kind: 'withdrawn' }),
});

/** Errors: `validation_failed`. */
function commentOf({ comment }: { readonly comment?: string | undefined }): string | null {
  return comment === undefined ? null : requireCommentText(comment, 'comment');
}

type DecidingRequest = Pick<
  RouteRequest<{ readonly request_id: string }, unknown, unknown>,
  'caller' | 'model' | 'params' | 'requestId' | 'claim'
>;

async function decide(
  { caller, model, params, requestId, claim }: DecidingRequest,
  { db }: ApiContext,
  verdict: Verdict,
): Promise<Reply> {
  const context = { db, model, caller, requestId };
  return replyOf(await decideRequest(context, params.request_id, verdict, once(claim, 200)));
}

function once(claim: Claim | undefined, status: 200 | 201) {
  return {
    claim,
    answer: (request: ShownRequest, fields: readonly string[]) => {
      return { status, body: { data: presentRequest(request) }, fields };
    },
  };
}

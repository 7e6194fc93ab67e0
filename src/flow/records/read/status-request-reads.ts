// Reads of status requests: a page, and one of them, one statement each. A request of a record out of reach is not found.

import { loadNameChanges } from '../../../control/workspace/definition-revisions.ts';
import { ApiError } from '../../../errors.ts';
import { LIMITS } from '../../../limits.ts';
import { say } from '../../../messages/message.ts';
import type { WorkspaceModel } from '../../../model/definition/model.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import { type NameHistory, nameHistory } from '../../../plan/events/name-history.ts';
import {
  planRequestScope,
  planRequests,
  type RequestQuestion,
  type RequestRow,
  type ShownRequest,
  shownRequest,
} from '../../../plan/people/status-request-plan.ts';
import { encodeCursor } from '../../../plan/read/cursor.ts';
import type { Shareable } from '../../../postgres/db.ts';
import { toStatement } from '../../../sql/sql.ts';
import { requestSql, requestsSql } from '../../../sql/write/status-request-sql.ts';
import { pageOf } from './read-flow.ts';
import { ask, type ReadContext } from './read-statement.ts';

/** One page, newest first. Errors: `object_not_available`, `invalid_cursor`. */
export async function readRequests(
  context: ReadContext,
  question: RequestQuestion,
): Promise<{ readonly requests: readonly ShownRequest[]; readonly next_cursor: string | null }> {
  const { model, caller } = context;
  const plan = planRequests(model, caller, question);
  if (plan === undefined) return { requests: [], next_cursor: null };
  const found = await ask(context, toStatement(requestsSql(plan)));
  const { rows, next_cursor } = pageOf(plan, found, question.limit, ({ requested_at, id }) =>
    encodeCursor(model.cursor_secret, plan.binding, [String(requested_at), String(id)]),
  );
  return {
    requests: await shownRows(context, rows as unknown as readonly RequestRow[]),
    next_cursor,
  };
}

/** One of them; `id` as the client sent it. Errors: `record_not_found`. */
export async function readRequest(context: ReadContext, id: string): Promise<ShownRequest> {
  const [shown] = await shownRows(context, [await requireRequest(context, id)]);
  return shown as ShownRequest;
}

/** The row of a request. Errors: `record_not_found`. */
export async function requireRequest(context: ReadContext, id: string): Promise<RequestRow> {
  const canonical = parseRecordId(id);
  const scope = planRequestScope(context.model, context.caller);
  const [row] =
    canonical === undefined || scope.readable.length === 0
      ? []
      : await ask(context, toStatement(requestSql(scope, canonical)));
  if (row === undefined) throw requestNotFound();
  return row as unknown as RequestRow;
}

export function requestNotFound(): ApiError {
  const message = say('status_request_not_found');
  return new ApiError('record_not_found', { param: 'request_id', message });
}

async function shownRows(
  { db, model, caller }: ReadContext,
  rows: readonly RequestRow[],
): Promise<readonly ShownRequest[]> {
  const isChanged = rows.some(({ changes }) => changes !== null);
  const history = isChanged ? await namesSince(db, model) : undefined;
  return rows.map((row) => shownRequest({ model, caller, history }, row));
}

/** The renames since the oldest request that can be pending. */
export async function namesSince(db: Shareable, model: WorkspaceModel): Promise<NameHistory> {
  const { schema, revision: until } = model;
  const range = { until, days: LIMITS.requestDays.maximum };
  return nameHistory(await loadNameChanges(db.near(schema), schema, range));
}

// The ways of comments: a page of them in one statement; a new one in two round trips: hold the record
// and look the mentioned people up, then add it with its traces and COMMIT (specification §4.5).

import { uuidv7 } from 'uuidv7';
import { ApiError } from '../errors.ts';
import type { ObjectModel } from '../model/model.ts';
import {
  type CommentPagePlan,
  type CommentPageRequest,
  type CommentPlan,
  type CommentRequest,
  cursorAfterMoment,
  judgeMentions,
  planComment,
  planComments,
} from '../plan/comment-plan.ts';
import { planWrites } from '../plan/write-plan.ts';
import { addCommentSql, commentsSql, holdRecordSql } from '../sql/comment-sql.ts';
import { toStatement } from '../sql/sql.ts';
import type { Queryable, Row, Transaction } from '../store/db.ts';
import { loadMembers } from '../store/members.ts';
import { type Answer, answerOnce, type Claim, remember } from './idempotency.ts';
import { ask, type Page, pageOf, type ReadContext } from './read-flow.ts';
import { explainFailure } from './write-failure.ts';
import { auditOf, type WriteContext } from './write-flow.ts';

/** One page of the comments of a record. Errors: `invalid_cursor`, `record_not_found`. */
export async function readComments(
  context: ReadContext,
  object: ObjectModel,
  request: CommentPageRequest,
): Promise<Page<CommentPagePlan>> {
  const { model, caller } = context;
  const plan = planComments(model, caller, object, request);
  const rows = await ask(context, commentsSql(plan));
  if (rows.length === 0) throw notFound();
  const comments = rows.filter((row) => row.id !== null);
  return pageOf(plan, comments, request.limit, (last) => cursorAfterMoment(model, plan, last));
}

/** How a comment is answered, and the `Idempotency-Key` it was sent with. */
export interface CommentReply {
  readonly claim: Claim | undefined;
  /** The answer, from a row as `readComments` gives them. */
  respond(comment: Row): Answer;
}

/**
 * Add a comment, once for each key. Errors: `record_not_found`, `validation_failed` for mentions,
 * those of the key.
 */
export async function writeComment(
  context: WriteContext,
  object: ObjectModel,
  request: CommentRequest,
  { claim, respond }: CommentReply,
): Promise<Answer> {
  const { db, model, caller } = context;
  const plan = planComment(model, caller, object, request);
  // A write of no record, for the audit and for what a failure means.
  const write = planWrites(model, caller, object, { operations: [], source: 'api', batch: false });
  const asked = claim && { model, caller, object, claim };
  const add = async (tx: Transaction) => {
    const { record, notified } = await prepare(tx, context, plan);
    const comment = rowOf(context, plan, record);
    const answer = respond(comment);
    const added = addCommentSql(auditOf(context, write), {
      id: comment.id,
      record_id: String(record.id),
      body: plan.body,
      notifications: notified.map((user_id) => ({ id: uuidv7(), user_id })),
      remembered: asked && remember(asked, answer, new Map([[String(record.id), record]])),
    });
    await tx.finish([toStatement(added)]);
    return answer;
  };
  try {
    return await (asked === undefined ? db.transaction(add) : answerOnce(db, asked, add));
  } catch (error) {
    throw await explainFailure(db, write, error);
  }
}

/** Hold the record and judge the mentions; the record comes before them (D1). */
async function prepare(
  tx: Queryable,
  { model }: WriteContext,
  plan: CommentPlan,
): Promise<{ readonly record: Row; readonly notified: readonly number[] }> {
  const { schema, reach } = plan.source;
  const [[record], people] = await Promise.all([
    tx.query(toStatement(holdRecordSql(plan))),
    loadMembers(tx, schema, plan.mentioned),
  ]);
  if (record === undefined) throw notFound();
  const owner = record[reach.column] as number | null;
  return {
    record,
    notified: judgeMentions(model, plan, owner, people),
  };
}

/** The comment as it will be: the time of the transaction is the one it is written with. */
function rowOf({ caller: { user } }: WriteContext, { body }: CommentPlan, { now }: Row) {
  return {
    id: uuidv7(),
    body,
    author_user_id: user.id,
    author_kind: user.kind,
    author_name: user.name,
    created_at: now,
    updated_at: now,
  };
}

function notFound(): ApiError {
  return new ApiError('record_not_found', { param: 'record_id' });
}

// The ways of comments: a page of them in one statement; new ones in two round trips: hold their records
// and look the mentioned people up, then add them with their traces and COMMIT (specification §4.5).

import { uuidv7 } from 'uuidv7';
import { ApiError } from '../errors.ts';
import type { ObjectModel, WorkspaceModel } from '../model/model.ts';
import {
  type CommentPagePlan,
  type CommentPageRequest,
  type CommentRequest,
  type CommentsPlan,
  cursorAfterMoment,
  judgeMentions,
  type Mentioned,
  type PlannedComment,
  planComments,
  planNewComments,
} from '../plan/comment-plan.ts';
import type { WriteSource } from '../plan/write-fields.ts';
import { planWrites, type WritePlan } from '../plan/write-plan.ts';
import {
  addCommentsSql,
  commentsSql,
  holdRecordsSql,
  type NewComment,
} from '../sql/comment-sql.ts';
import { toStatement } from '../sql/sql.ts';
import type { Queryable, Row, Transaction } from '../store/db.ts';
import { loadMembers } from '../store/members.ts';
import { type Answer, answerOnce, type Claim, remember } from './idempotency.ts';
import { ask, type Page, pageOf, type ReadContext } from './read-flow.ts';
import { explainFailure } from './write-failure.ts';
import { auditOf, type WriteContext } from './write-steps.ts';

/** One page of the comments of a record. Errors: `invalid_cursor`, `record_not_found`. */
export async function readComments(
  context: ReadContext,
  object: ObjectModel,
  request: CommentPageRequest,
): Promise<Page<CommentPagePlan>> {
  const { model, caller } = context;
  const plan = planComments(model, caller, object, request);
  const rows = await ask(context, toStatement(commentsSql(plan)));
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
  const plan = planNewComments(model, caller, object, [request]);
  const write = planNothing(context, object, 'api');
  const asked = claim && { model, caller, object, claim };
  const add = async (tx: Transaction) => {
    const [planned] = plan.comments as readonly [PlannedComment];
    const { record, notified } = judge(model, plan, planned, await prepare(tx, plan));
    const comment = rowOf(context, planned, record);
    const answer = respond(comment);
    const records = new Map([[String(record.id), record]]);
    const remembered = asked && remember([{ asked, answer, records }]);
    const when = { created_at: null, updated_at: null };
    const origin = { ...when, comment_id: comment.id, author_user_id: comment.author_user_id };
    const added = newComment(planned, notified, origin);
    await tx.finish([toStatement(addCommentsSql(auditOf(context, write), [added], remembered))]);
    return answer;
  };
  try {
    return await (asked === undefined ? db.transaction(add) : answerOnce(db, asked, add));
  } catch (error) {
    throw await explainFailure(db, write, error);
  }
}

/** What an import says of a comment besides its text. */
export interface CommentOrigin {
  /** The same for the same comment, so that it is added once. */
  readonly comment_id: string;
  readonly author_user_id: number;
  /** null: the time of the import. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** What became of an imported comment; `created` is false when it was there already. */
export type CommentOutcome = { readonly created: boolean } | { readonly refused: ApiError };

/** Add comments in one transaction, each judged by itself; the outcomes in their order. */
export async function importComments(
  context: WriteContext,
  object: ObjectModel,
  comments: readonly (CommentRequest & CommentOrigin)[],
): Promise<readonly CommentOutcome[]> {
  const { db, model, caller } = context;
  const plan = planNewComments(model, caller, object, comments);
  const write = planNothing(context, object, 'import', comments.length > 1);
  try {
    return await db.transaction(async (tx) => {
      const authors = comments.map(({ author_user_id }) => author_user_id);
      const prepared = await prepare(tx, plan, authors);
      const added: NewComment[] = [];
      const refused = plan.comments.map((planned, index) => {
        try {
          const { notified } = judge(model, plan, planned, prepared);
          const origin = comments[index] as CommentOrigin;
          requireAuthor(origin, prepared);
          added.push(newComment(planned, notified, origin));
          return undefined;
        } catch (error) {
          if (error instanceof ApiError) return error;
          throw error;
        }
      });
      const statement = toStatement(addCommentsSql(auditOf(context, write), added));
      const [rows = []] = await tx.finish([statement]);
      const created = new Set(rows.map(({ id }) => id));
      return refused.map((error, index) =>
        error === undefined
          ? { created: created.has(comments[index]?.comment_id) }
          : { refused: error },
      );
    });
  } catch (error) {
    throw await explainFailure(db, write, error);
  }
}

/** A write of no record, for the audit and for what a failure means. */
function planNothing(
  { model, caller }: WriteContext,
  object: ObjectModel,
  source: WriteSource,
  batch = false,
): WritePlan {
  return planWrites(model, caller, object, { operations: [], source, batch });
}

interface Prepared {
  readonly records: ReadonlyMap<unknown, Row>;
  readonly people: readonly Mentioned[];
}

/** Hold the records and look up the mentioned people, and the authors when they are not the caller. */
async function prepare(
  tx: Queryable,
  plan: CommentsPlan,
  authors: readonly number[] = [],
): Promise<Prepared> {
  const mentioned = plan.comments.flatMap((comment) => comment.mentioned);
  const [rows, people] = await Promise.all([
    tx.query(toStatement(holdRecordsSql(plan))),
    loadMembers(tx, plan.source.schema, [...new Set([...mentioned, ...authors])]),
  ]);
  return { records: new Map(rows.map((row) => [row.id, row])), people };
}

/** The record of a comment and whom it notifies; the record comes before the mentions (D1). */
function judge(
  model: WorkspaceModel,
  { source: { object, reach } }: CommentsPlan,
  { record_id, mentioned }: PlannedComment,
  { records, people }: Prepared,
): { readonly record: Row; readonly notified: readonly number[] } {
  const record = records.get(record_id);
  if (record === undefined) throw notFound();
  const owner_id = record[reach.column] as number | null;
  return { record, notified: judgeMentions(model, { object, owner_id, mentioned, people }) };
}

/** Who has said something may have left, but must have been there. */
function requireAuthor({ author_user_id }: CommentOrigin, { people }: Prepared): void {
  if (people.some(({ id }) => id === author_user_id)) return;
  const message = 'There is no such user.';
  throw new ApiError('validation_failed', { param: 'author_user_id', message });
}

function newComment(
  { record_id, body }: PlannedComment,
  notified: readonly number[],
  { comment_id, author_user_id, created_at, updated_at }: CommentOrigin,
): NewComment {
  return {
    id: comment_id,
    record_id: record_id as string,
    body,
    author_user_id,
    created_at,
    updated_at,
    notifications: notified.map((user_id) => ({ id: uuidv7(), user_id })),
  };
}

/** The comment as it will be: the time of the transaction is the one it is written with. */
function rowOf({ caller: { user } }: WriteContext, { body }: PlannedComment, { now }: Row) {
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

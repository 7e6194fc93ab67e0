// Reads comments, a page in one statement, and adds imported ones in two round trips: lock their records and look up the
// mentioned people, then insert them with their audit rows and COMMIT. A comment of a request is an operation of
// write-flow.ts (specification §4.5).

import { uuidv7 } from 'uuidv7';
import { membersSql } from '../../control/people/people.ts';
import { ApiError, messageOf, recordNotFound } from '../../errors.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import {
  type CommentPagePlan,
  type CommentPageRequest,
  type CommentRequest,
  type CommentsPlan,
  cursorAfterMoment,
  type Mentioned,
  type PlannedComment,
  planComments,
  planNewComments,
  validateMentions,
} from '../../plan/events/comment-plan.ts';
import { type MentionableRequest, planMentionable } from '../../plan/events/mentionable-plan.ts';
import type { Row } from '../../postgres/db.ts';
import type { Actor } from '../../sql/events/audit-sql.ts';
import {
  commentsSql,
  holdRecordsSql,
  type NewComment,
  presentCommentsSql,
} from '../../sql/events/comment-sql.ts';
import { mentionableSql } from '../../sql/events/mentionable-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { newComment } from './effects.ts';
import type { Lookup } from './lookups.ts';
import { type Page, pageOf } from './read/read-flow.ts';
import { ask, type ReadContext } from './read/read-statement.ts';
import { actorOf } from './write-actor.ts';
import { explainUnplanned } from './write-failure.ts';
import {
  type LookedUp,
  type PlannedRequest,
  type Validated,
  type WriteContext,
  writeAlone,
} from './write-group.ts';

/** One page of the comments of a record. Errors: `invalid_cursor`, `record_not_found`. */
export async function readComments(
  context: ReadContext,
  object: ObjectModel,
  request: CommentPageRequest,
): Promise<Page<CommentPagePlan>> {
  const { model, caller } = context;
  const plan = planComments(model, caller, object, request);
  const rows = await ask(context, toStatement(commentsSql(plan)));
  if (rows.length === 0) throw recordNotFound();
  const comments = rows.filter((row) => row.id !== null);
  return pageOf(plan, comments, request.limit, (last) => cursorAfterMoment(model, plan, last));
}

/** The people that a comment on a record can mention, by name. Errors: `record_not_found`. */
export async function readMentionable(
  context: ReadContext,
  object: ObjectModel,
  request: MentionableRequest,
): Promise<readonly Row[]> {
  const { model, caller } = context;
  const plan = planMentionable(model, caller, object, request);
  const rows = await ask(context, toStatement(mentionableSql(plan)));
  if (rows.length === 0) throw recordNotFound();
  return rows.filter(({ id }) => id !== null);
}

/** The data of an imported comment besides its text. */
export interface CommentOrigin {
  /** The id of the comment; a repeated import sends the same id, so the comment is added once. */
  readonly comment_id: string;
  readonly author_user_id: number;
  /** null: the time of the import. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The result of an imported comment; `created` is false when it existed before. */
export type CommentOutcome = { readonly created: boolean } | { readonly refused: ApiError };

/** Add comments in one transaction, each validated by itself; the outcomes in their order. */
export async function importComments(
  context: WriteContext,
  object: ObjectModel,
  comments: readonly (CommentRequest & CommentOrigin)[],
): Promise<readonly CommentOutcome[]> {
  const { model, caller } = context;
  const plan = planNewComments(model, caller, object, comments);
  const shared = commentsRequest(context, object, plan, comments);
  return writeAlone<readonly CommentOutcome[]>({
    ...shared,
    keyed: undefined,
    async validate(_, looked) {
      const prepared = preparedOf(looked);
      const present = new Set(answersTo(looked, 'matches').map(({ id }) => id));
      const added = new Map<string, NewComment>();
      const outcomes = plan.comments.map((planned, index): CommentOutcome => {
        const origin = comments[index] as CommentOrigin;
        try {
          const { notified } = validateComment(model, plan, planned, prepared);
          requireAuthor(origin, prepared);
          const created = !present.has(origin.comment_id) && !added.has(origin.comment_id);
          if (created) added.set(origin.comment_id, addedComment(planned, notified, origin));
          return { created };
        } catch (error) {
          if (error instanceof ApiError) return { refused: error };
          throw error;
        }
      });
      const actor = actorOf(context, 'import', comments.length > 1 ? uuidv7() : null);
      return {
        effects: {
          ...effectsOf(actor, object, [...added.values()]),
          notes: context.notesOf?.(outcomes.map((one, index) => noted(one, comments[index]))) ?? [],
        },
        predictRecords: () => new Map(),
        respond: () => outcomes,
      };
    },
  });
}

function noted(outcome: CommentOutcome, comment: CommentOrigin | undefined) {
  if ('refused' in outcome) return undefined;
  return { id: comment?.comment_id as string, changed: outcome.created, ...outcome };
}

/** Comments as the write path takes them: no group waits for locks, and no key is needed. */
function commentsRequest(
  context: WriteContext,
  object: ObjectModel,
  plan: CommentsPlan,
  origins: readonly CommentOrigin[] = [],
): Pick<PlannedRequest<never>, 'context' | 'object' | 'optimistic' | 'lookups' | 'explain'> {
  const { db, model } = context;
  const people = plan.comments.flatMap((comment) => comment.mentioned);
  const ids = [...new Set([...people, ...origins.map((origin) => origin.author_user_id)])];
  const commentIds = origins.map(({ comment_id }) => comment_id);
  const { schema } = model;
  const { object_type: objectType } = object;
  const selections = [
    ['rows', holdRecordsSql(plan)],
    ...(ids.length === 0 ? [] : [['users', membersSql(schema, ids)] as const]),
    ...(commentIds.length === 0
      ? []
      : [['matches', presentCommentsSql(schema, commentIds)] as const]),
  ] as const;
  const lookups = selections.map(([kind, statement]): Lookup => {
    return { kind, objectType, statement: toStatement(statement) };
  });
  return {
    context,
    object,
    optimistic: undefined,
    lookups: () => lookups,
    explain: (error) => explainUnplanned(db, model, error),
  };
}

interface CommentLookup {
  readonly records: ReadonlyMap<unknown, Row>;
  readonly people: readonly Mentioned[];
}

/** The locked records, the mentioned people and the authors. */
function preparedOf(looked: LookedUp): CommentLookup {
  const people = answersTo(looked, 'users') as unknown as readonly Mentioned[];
  return { records: new Map(answersTo(looked, 'rows').map((row) => [row.id, row])), people };
}

function answersTo(looked: LookedUp, kind: Lookup['kind']): readonly Row[] {
  const index = looked.lookups.findIndex((lookup) => lookup.kind === kind);
  return looked.answers[index] ?? [];
}

function effectsOf(
  actor: Actor,
  object: ObjectModel,
  comments: readonly NewComment[],
): Validated<unknown>['effects'] {
  const { object_type } = object;
  const what = {
    actor,
    object_type,
    action: 'comment',
    changed_fields: ['comments'],
    revision: null,
  };
  const audit = comments.map(({ id, record_id }) => ({ ...what, record_id, comment_id: id }));
  return {
    steps:
      comments.length === 0 ? [] : [{ mutation: { kind: 'comment', object, comments }, audit }],
    search: [],
    placedItems: [],
  };
}

/** The record of a comment and whom it notifies; the record comes before the mentions (D1). */
function validateComment(
  model: WorkspaceModel,
  { source: { object, reach } }: CommentsPlan,
  { record_id, mentioned }: PlannedComment,
  { records, people }: CommentLookup,
): { readonly record: Row; readonly notified: readonly number[] } {
  const record = records.get(record_id);
  if (record === undefined) throw recordNotFound();
  const owner_id = record[reach.column] as number | null;
  return { record, notified: validateMentions(model, { object, owner_id, mentioned, people }) };
}

/** Authors of imported comments may be inactive, but must be users of the workspace. */
function requireAuthor({ author_user_id }: CommentOrigin, { people }: CommentLookup): void {
  if (people.some(({ id }) => id === author_user_id)) return;
  const message = messageOf('user_not_found');
  throw new ApiError('validation_failed', { param: 'author_user_id', message });
}

function addedComment(
  { record_id, body }: PlannedComment,
  notified: readonly number[],
  { comment_id: id, author_user_id, created_at, updated_at }: CommentOrigin,
): NewComment {
  const origin = { author_user_id, created_at, updated_at };
  return newComment({ id, record_id: record_id as string, body, notified, ...origin });
}

// The way of every read: request → plan → one SQL statement → rows → page. The functions differ
// only in what they ask of the planner.

import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import { parseRecordId } from '../model/field-types.ts';
import type { ObjectModel, WorkspaceModel } from '../model/model.ts';
import {
  type AggregatePlan,
  type AggregateRequest,
  cursorAfterGroup,
  planAggregate,
} from '../plan/aggregate-plan.ts';
import { type LinkedRequest, planLinked } from '../plan/linked-plan.ts';
import {
  cursorAfter,
  type ListRequest,
  planGet,
  planList,
  type ReadPlan,
} from '../plan/read-plan.ts';
import { planSearch, type SearchRequest } from '../plan/search-plan.ts';
import { aggregateSql } from '../sql/aggregate-sql.ts';
import { linkedSql } from '../sql/linked-sql.ts';
import { readSql } from '../sql/read-sql.ts';
import { searchSql } from '../sql/search-sql.ts';
import { type Sql, toStatement } from '../sql/sql.ts';
import { isDatabaseError, type Queryable, type QueryOptions, type Row } from '../store/db.ts';
import { explainByRevision } from './changed-definition.ts';

/** Who reads what. */
export interface ReadContext {
  readonly db: Queryable;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** Aborts the statement. */
  readonly signal?: AbortSignal;
}

/** Rows with the plan that says how to show them. */
export interface Page<Plan = ReadPlan> {
  readonly plan: Plan;
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/** One page of a list or search (interface specification §4.3). */
export async function readPage(
  context: ReadContext,
  object: ObjectModel,
  request: ListRequest,
): Promise<Page> {
  const { model, caller } = context;
  const plan = planList(model, caller, object, request);
  const rows = await ask(context, readSql(plan), planningOf(plan));
  return pageOf(plan, rows, request.limit, (last) => cursorAfter(model, plan, last));
}

/** One page of the records a record is linked to; `id` as the client sent it (§4.4). */
export async function readLinked(
  context: ReadContext,
  object: ObjectModel,
  request: LinkedRequest,
): Promise<Page> {
  const { model, caller } = context;
  const id = parseRecordId(request.id);
  const plan = planLinked(model, caller, object, { ...request, id: id ?? '' });
  const rows = id === undefined ? [] : await ask(context, linkedSql(plan));
  if (rows.length === 0) throw new ApiError('record_not_found', { param: 'record_id' });
  const linked = rows.filter((row) => row.id !== null);
  return pageOf(plan.page, linked, request.limit, (last) => cursorAfter(model, plan.page, last));
}

/** One page of an aggregate, computed over the complete filtered set (§4.3). */
export async function readGroups(
  context: ReadContext,
  object: ObjectModel,
  request: AggregateRequest,
): Promise<Page<AggregatePlan>> {
  const { model, caller } = context;
  const plan = planAggregate(model, caller, object, request);
  const rows = await ask(context, aggregateSql(plan), planningOf(plan));
  return pageOf(plan, rows, request.limit, (last) => cursorAfterGroup(model, plan, last));
}

/** One record; absent, unreadable and malformed ids are all `record_not_found`. */
export async function readRecord(
  context: ReadContext,
  object: ObjectModel,
  request: { readonly id: string; readonly fields: readonly string[] | undefined },
): Promise<{ readonly plan: ReadPlan; readonly row: Row }> {
  const { model, caller } = context;
  const id = parseRecordId(request.id);
  const ids = id === undefined ? [] : [id];
  const plan = planGet(model, caller, object, { ids, fields: request.fields });
  const [row] = id === undefined ? [] : await ask(context, readSql(plan));
  if (row === undefined) throw new ApiError('record_not_found', { param: 'record_id' });
  return { plan, row };
}

/** Hits over all object types, best first (§4.6): `object_type`, `id`, `display`, `subtitle`. */
export async function readHits(
  context: ReadContext,
  request: SearchRequest,
): Promise<readonly Row[]> {
  const plan = planSearch(context.model, context.caller, request);
  return plan === undefined ? [] : ask(context, searchSql(plan));
}

/** Send the one statement of a read; it is stopped when nobody waits for it any more. */
export async function ask(
  { db, model, signal }: ReadContext,
  statement: Sql,
  options: QueryOptions = {},
): Promise<readonly Row[]> {
  try {
    const stopping = signal === undefined ? {} : { signal };
    return await db.query(toStatement(statement), { ...options, ...stopping });
  } catch (error) {
    throw isDatabaseError(error) ? await explainByRevision(db, model, error) : error;
  }
}

/** The statement asked for one row more than the page, to tell whether another follows. */
export function pageOf<Plan>(
  plan: Plan,
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): Page<Plan> {
  const shown = rows.slice(0, limit);
  const last = shown[shown.length - 1];
  const more = rows.length > limit && last !== undefined;
  return { plan, rows: shown, next_cursor: more ? cursorOf(last) : null };
}

/**
 * A statement with a text is planned for this text: one letter and a rare word have nothing in common.
 * PostgreSQL may plan a prepared one for all texts alike, and then reads a table of a million records
 * in 1.5 s where the index of texts takes 1 ms.
 */
function planningOf({ text }: Pick<ReadPlan, 'text'>): QueryOptions {
  return text === undefined ? {} : { prepare: false };
}

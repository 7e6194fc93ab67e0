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
  isPlainWalk,
  type ListRequest,
  planGet,
  planList,
  type ReadPlan,
  startAfter,
} from '../plan/read-plan.ts';
import { planSearch, type SearchRequest } from '../plan/search-plan.ts';
import { aggregateSql } from '../sql/aggregate-sql.ts';
import { linkedSql } from '../sql/linked-sql.ts';
import { PAGE_COLUMN, pagesSql, readSql } from '../sql/read-sql.ts';
import { searchSql } from '../sql/search-sql.ts';
import { type Statement, toStatement } from '../sql/sql.ts';
import { isDatabaseError, type Queryable, type QueryOptions, type Row } from '../store/db.ts';
import { gather, SHARED } from '../store/gather.ts';
import { explainByRevision } from './changed-definition.ts';
import { keepPlan } from './kept-plans.ts';

/** Who reads what. */
export interface ReadContext {
  readonly db: Queryable;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** Aborts the statement. */
  readonly signal?: () => AbortSignal;
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
  { cursor, ...request }: ListRequest,
): Promise<Page> {
  const { model } = context;
  const question = `${object.object_type} ${JSON.stringify(request)}`;
  const { plan, fetch } = keepPlan(context, question, () => openWalk(context, object, request));
  const after = startAfter(model, plan.binding, cursor);
  const rows = await fetch({ cursor, after, context });
  return pageOf(plan, rows, request.limit, (last) => cursorAfter(model, plan, last));
}

interface AskedPage {
  readonly cursor: ListRequest['cursor'];
  readonly after: ReadPlan['after'];
  readonly context: ReadContext;
}

interface Walk {
  readonly plan: ReadPlan;
  readonly fetch: (asked: AskedPage) => Promise<readonly Row[]>;
}

/** Rows of pages that come with one statement. */
const MOST_ROWS = 500;

/** Pages of a plain walk that one caller asks for at the same time come with one statement. */
function openWalk(
  { model, caller }: ReadContext,
  object: ObjectModel,
  request: Omit<ListRequest, 'cursor'>,
): Walk {
  const plan = planList(model, caller, object, { ...request, cursor: undefined });
  const first = toStatement(readSql(plan));
  function fetch({ after, context }: AskedPage): Promise<readonly Row[]> {
    const statement = after === undefined ? first : toStatement(readSql({ ...plan, after }));
    return ask(context, statement, planningOf(plan));
  }
  if (!isPlainWalk(plan)) return { plan, fetch };
  async function run(asked: readonly AskedPage[]): Promise<readonly (readonly Row[])[]> {
    const [alone, ...others] = asked as readonly [AskedPage];
    if (others.length === 0) return [await fetch(alone)];
    const starts = new Map(asked.map(({ cursor, after }) => [cursor, after]));
    const pages = await fetchPages(alone.context, plan, starts);
    return asked.map(({ cursor }) => pages.get(cursor) ?? []);
  }
  const most = Math.max(1, Math.floor(MOST_ROWS / request.limit));
  return { plan, fetch: gather(run, { ...SHARED, most }) };
}

/** Rows by the cursor of their page. */
async function fetchPages(
  context: ReadContext,
  plan: ReadPlan,
  starts: ReadonlyMap<AskedPage['cursor'], ReadPlan['after']>,
): Promise<ReadonlyMap<AskedPage['cursor'], readonly Row[]>> {
  const pages = [...starts.keys()].map((cursor) => ({ cursor, rows: [] as Row[] }));
  const statement = toStatement(pagesSql(plan, [...starts.values()]));
  for (const row of await ask(shared(context), statement)) {
    pages[Number(row[PAGE_COLUMN]) - 1]?.rows.push(row);
  }
  return new Map(pages.map(({ cursor, rows }) => [cursor, rows]));
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
  const rows = id === undefined ? [] : await ask(context, toStatement(linkedSql(plan)));
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
  const rows = await ask(context, toStatement(aggregateSql(plan)), planningOf(plan));
  return pageOf(plan, rows, request.limit, (last) => cursorAfterGroup(model, plan, last));
}

/** One record; absent, unreadable and malformed ids are all `record_not_found`. */
export async function readRecord(
  context: ReadContext,
  object: ObjectModel,
  request: { readonly id: string; readonly fields: readonly string[] | undefined },
): Promise<{ readonly plan: ReadPlan; readonly row: Row }> {
  const { fields } = request;
  const question = `get ${object.object_type} ${JSON.stringify(fields ?? null)}`;
  const { plan, fetch } = keepPlan(context, question, () => openFetch(context, object, fields));
  const id = parseRecordId(request.id);
  const row = id === undefined ? undefined : await fetch({ id, context });
  if (row === undefined) throw new ApiError('record_not_found', { param: 'record_id' });
  return { plan, row };
}

interface Asked {
  readonly id: string;
  readonly context: ReadContext;
}

interface Fetch {
  readonly plan: ReadPlan;
  readonly fetch: (asked: Asked) => Promise<Row | undefined>;
}

/** Records can be large. */
const MOST_FETCHED = 50;

/** Nobody's leaving may cancel what others wait for. */
function shared({ db, model, caller }: ReadContext): ReadContext {
  return { db, model, caller };
}

/** Records that one caller asks for at the same time come with one statement. */
function openFetch(
  { model, caller }: ReadContext,
  object: ObjectModel,
  fields: readonly string[] | undefined,
): Fetch {
  const plan = planGet(model, caller, object, { ids: [], fields });
  async function run(asked: readonly Asked[]): Promise<readonly (Row | undefined)[]> {
    const [first] = asked as readonly [Asked];
    const ids = [...new Set(asked.map(({ id }) => id))];
    const rows = await ask(shared(first.context), toStatement(readSql({ ...plan, ids })));
    const found = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ id }) => found.get(id));
  }
  return { plan, fetch: gather(run, { ...SHARED, most: MOST_FETCHED }) };
}

/** Hits over all object types, best first (§4.6): `object_type`, `id`, `display`, `subtitle`. */
export async function readHits(
  context: ReadContext,
  request: SearchRequest,
): Promise<readonly Row[]> {
  const plan = planSearch(context.model, context.caller, request);
  return plan === undefined ? [] : ask(context, toStatement(searchSql(plan)));
}

/** Send the one statement of a read; it is stopped when nobody waits for it any more. */
export async function ask(
  { db, model, signal }: ReadContext,
  statement: Statement,
  options: QueryOptions = {},
): Promise<readonly Row[]> {
  try {
    const stopping = signal === undefined ? {} : { signal: signal() };
    return await db.query(statement, { ...options, ...stopping });
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

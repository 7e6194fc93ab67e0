// Every read: request → plan → one SQL statement → rows → page. The functions differ only in how they
// plan.

import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import type { ObjectModel, WorkspaceModel } from '../model/model.ts';
import { parseRecordId } from '../model/record-id.ts';
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
import {
  type Account,
  isDatabaseError,
  type QueryOptions,
  type Row,
  type Shareable,
} from '../postgres/db.ts';
import { aggregateSql } from '../sql/aggregate-sql.ts';
import { linkedSql } from '../sql/linked-sql.ts';
import { PAGE_COLUMN, pagesSql, readSql, selectedColumns } from '../sql/read-sql.ts';
import { searchSql } from '../sql/search-sql.ts';
import { type Statement, toStatement } from '../sql/sql.ts';
import { PLACE_COLUMN, wantedSql, wantedWithin } from '../sql/wanted-sql.ts';
import { explainByRevision } from './changed-definition.ts';
import { accountOf, coalesce } from './coalesce.ts';
import { cachedPlan } from './plan-cache.ts';

/** The caller of a read and the model it uses. */
export interface ReadContext {
  readonly db: Shareable;
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
  const { db, model, caller } = context;
  const question = `${object.object_type} ${JSON.stringify(request)}`;
  const { plan, kind, first } = cachedPlan(context, question, () => {
    const made = planList(model, caller, object, { ...request, cursor: undefined });
    const isPlain = isPlainWalk(made);
    return {
      plan: made,
      kind: isPlain ? `page ${kindOf(made)}` : undefined,
      first: toStatement(readSql(made)),
    };
  });
  const after = startAfter(model, plan.binding, cursor);
  const statement = after === undefined ? first : toStatement(readSql({ ...plan, after }));
  const rows =
    kind === undefined
      ? await readShared(context, statement, planningOf(plan))
      : await coalesce(db, kind, { after, statement, plan, context }, sharingPages(request.limit));
  return pageOf(plan, rows, request.limit, (last) => cursorAfter(model, plan, last));
}

/** The kind under which reads of the same columns are coalesced, independent of the caller. */
function kindOf({ schema, object, reach, ...plan }: ReadPlan): string {
  const columns = selectedColumns({ object, ...plan });
  return JSON.stringify([schema, object.object_type, columns, reach.user_ids, plan.limit]);
}

interface WantedPage {
  readonly after: ReadPlan['after'];
  /** The statement of this page only. */
  readonly statement: Statement;
  readonly plan: ReadPlan;
  readonly context: ReadContext;
}

/** Rows of the pages in one coalesced statement. */
const MOST_ROWS = 500;

/** Only plain pages are coalesced: an index has their rows in order, so none of them is slow. */
function sharingPages(limit: number) {
  return { run: fetchPages, most: Math.max(1, Math.floor(MOST_ROWS / limit)) };
}

async function fetchPages(wanted: readonly WantedPage[]): Promise<readonly (readonly Row[])[]> {
  const [{ plan, context, statement: own }, another] = wanted as readonly [WantedPage, WantedPage?];
  if (another === undefined) return [await ask(context, own)];
  const starts = new Map(wanted.map(({ after }) => [JSON.stringify(after ?? null), after]));
  const pages = new Map([...starts.keys()].map((cursor) => [cursor, [] as Row[]]));
  const inOrder = [...pages.values()];
  const statement = toStatement(pagesSql(plan, [...starts.values()]));
  for (const row of await askForAll(wanted, statement)) {
    inOrder[Number(row[PAGE_COLUMN]) - 1]?.push(row);
  }
  return wanted.map(({ after }) => pages.get(JSON.stringify(after ?? null)) ?? []);
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
  const question = `groups ${object.object_type} ${JSON.stringify(request)}`;
  const { plan, statement } = cachedPlan(context, question, () => {
    const made = planAggregate(model, caller, object, request);
    return { plan: made, statement: toStatement(aggregateSql(made)) };
  });
  const rows = await readShared(context, statement, planningOf(plan));
  return pageOf(plan, rows, request.limit, (last) => cursorAfterGroup(model, plan, last));
}

/** One record; absent, unreadable and malformed ids are all `record_not_found`. */
export async function readRecord(
  context: ReadContext,
  object: ObjectModel,
  request: { readonly id: string; readonly fields: readonly string[] | undefined },
): Promise<{ readonly plan: ReadPlan; readonly row: Row }> {
  const { db, model, caller } = context;
  const { fields } = request;
  const question = `get ${object.object_type} ${JSON.stringify(fields ?? null)}`;
  const { plan, kind } = cachedPlan(context, question, () => {
    const made = planGet(model, caller, object, { ids: [], fields });
    return {
      plan: made,
      kind: `get ${kindOf({ ...made, reach: { ...made.reach, user_ids: [] } })}`,
    };
  });
  const id = parseRecordId(request.id);
  const row = id && (await coalesce(db, kind, { id, plan, context }, SHARING_RECORDS));
  if (!row) throw new ApiError('record_not_found', { param: 'record_id' });
  return { plan, row };
}

interface WantedRecord {
  readonly id: string;
  readonly plan: ReadPlan;
  readonly context: ReadContext;
}

/** Records in one coalesced statement; few, because records can be large. */
const SHARING_RECORDS = { run: fetchRecords, most: 50 };

/** Each record is looked up within the reach of the caller that requested it. */
async function fetchRecords(
  wanted: readonly WantedRecord[],
): Promise<readonly (Row | undefined)[]> {
  const [{ plan }] = wanted as readonly [WantedRecord];
  const within = wanted.map((one) => wantedWithin(one.plan.reach, [one.id]));
  const ids = within.flatMap((one) => one.ids);
  const reaches = within.flatMap((one) => one.reaches);
  const statement = toStatement(wantedSql(plan, { ids, reaches }));
  const found: Row[] = [];
  for (const row of await askForAll(wanted, statement)) {
    found[Number(row[PLACE_COLUMN]) - 1] = row;
  }
  return wanted.map((_, index) => found[index]);
}

/** A shared statement is not cancelled when one of its requests is aborted. */
function askForAll(
  wanted: readonly { readonly context: ReadContext }[],
  statement: Statement,
  options?: QueryOptions,
): Promise<readonly Row[]> {
  const contexts = wanted.map(({ context }) => context);
  const { db, model, caller } = contexts[0] as ReadContext;
  return ask({ db, model, caller }, statement, { ...options, ...accountOf(contexts) });
}

/** Hits over all object types, best first (§4.6): `object_type`, `id`, `display`, `subtitle`. */
export async function readHits(
  context: ReadContext,
  request: SearchRequest,
): Promise<readonly Row[]> {
  const plan = planSearch(context.model, context.caller, request);
  return plan === undefined ? [] : readShared(context, toStatement(searchSql(plan)));
}

/** Requests that share one statement; many, because they share one result. */
const MOST_SHARED = 100;

/**
 * Send the one statement of a read; concurrent reads with the same statement and parameters share it. The reach
 * is among the parameters, so only callers with the same reach share it (D207).
 */
function readShared(
  context: ReadContext,
  statement: Statement,
  options?: QueryOptions,
): Promise<readonly Row[]> {
  const { text, values } = statement;
  const kind = `same ${context.model.revision} ${JSON.stringify(values)} ${text}`;
  const run = async (wanted: readonly { readonly context: ReadContext }[]) => {
    const [only, another] = wanted as readonly [{ context: ReadContext }, unknown?];
    const rows = await (another === undefined
      ? ask(only.context, statement, options)
      : askForAll(wanted, statement, options));
    return wanted.map(() => rows);
  };
  return coalesce(context.db, kind, { context }, { run, most: MOST_SHARED });
}

/** Send the one statement of a read; it is cancelled when its request is aborted. */
export async function ask(
  { db, model, signal }: ReadContext,
  statement: Statement,
  options: QueryOptions & Account = {},
): Promise<readonly Row[]> {
  try {
    const stopping = signal === undefined ? {} : { signal: signal() };
    return await db.query(statement, { ...options, ...stopping });
  } catch (error) {
    throw isDatabaseError(error) ? await explainByRevision(db, model, error) : error;
  }
}

/** The statement selects one row more than the page, which tells whether another page follows. */
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
 * A statement with a text search is planned for its text: one letter and a rare word need different plans.
 * PostgreSQL may plan a prepared one for all texts alike, and then reads a table of a million records
 * in 1.5 s where the index of texts takes 1 ms.
 */
function planningOf({ text }: Pick<ReadPlan, 'text'>): QueryOptions {
  return text === undefined ? {} : { prepare: false };
}

// Every read: request → plan → one SQL statement → rows → page. The functions differ only in how they
// plan.

import { type ApiError, errorFromProblems, recordNotFound } from '../../../errors.ts';
import { LIMITS } from '../../../limits.ts';
import { say } from '../../../messages/message.ts';
import type { ObjectModel } from '../../../model/definition/model.ts';
import { OPERAND_KINDS } from '../../../model/values/field-type.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import type { AnswerSize } from '../../../model/values/value-size.ts';
import {
  type AggregatePlan,
  type AggregateRequest,
  cursorAfterGroup,
  planAggregate,
} from '../../../plan/read/aggregate-plan.ts';
import {
  longColumns,
  mostOfRow,
  WHOLE_ANSWER,
  withinSize,
} from '../../../plan/read/answer-size.ts';
import type { CursorValue } from '../../../plan/read/cursor.ts';
import { planExpanded } from '../../../plan/read/expand-plan.ts';
import type { Condition } from '../../../plan/read/filter.ts';
import {
  type LinkedRequest,
  type LinkedToInput,
  planLinked,
  withLinkedTo,
} from '../../../plan/read/linked-plan.ts';
import {
  cursorAfter,
  type Expansion,
  isPlainWalk,
  type ListRequest,
  type ReadPlan,
  startAfter,
} from '../../../plan/read/read-plan.ts';
import { planRecord } from '../../../plan/read/rollup-plan.ts';
import { conditionsOf, isRelative, type Where, whereAt } from '../../../plan/read/where.ts';
import type { QueryOptions, Row } from '../../../postgres/db.ts';
import { aggregateSql } from '../../../sql/read/aggregate-sql.ts';
import { linkedSql } from '../../../sql/read/linked-sql.ts';
import { BYTES_COLUMN } from '../../../sql/read/measured-sql.ts';
import {
  COUNT_COLUMN,
  countedSql,
  PAGE_COLUMN,
  pagesSql,
  readSql,
  selectedColumns,
} from '../../../sql/read/read-sql.ts';
import { PLACE_COLUMN, reachableIds, recordsByIdSql } from '../../../sql/read/shared-ids-sql.ts';
import { type Statement, toStatement } from '../../../sql/sql.ts';
import { coalesce } from './coalesce.ts';
import { bytesOf, fittingRows } from './fitting-rows.ts';
import { cachedPlan } from './plan-cache.ts';
import { type Expanded, readExpanded } from './read-expanded.ts';
import { readRollups } from './read-rollups.ts';
import { ask, askForAll, type ReadContext, readShared } from './read-statement.ts';
import { plannedSearch, type SearchRequest } from './search-statement.ts';
import { withRemedy } from './slow-read.ts';

/** Rows with the plan that says how to show them. */
export interface Page<Plan = ReadPlan> {
  readonly plan: Plan;
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
  /** The targets of the rows' references. */
  readonly expanded?: Expanded;
  /** The number of rows in all, as far as they are counted. */
  readonly count?: number | undefined;
}

/** One page of a list, search or question (interface specification §4.3). */
export async function readPage(
  context: ReadContext,
  object: ObjectModel,
  { endpoint, query, limit, cursor, linked, counted = false, size = WHOLE_ANSWER }: PageRequest,
): Promise<Page> {
  const { db, model } = context;
  const asking = [endpoint, query, limit, counted, size.page, linked];
  const question = `${object.object_type} ${JSON.stringify(asking)}`;
  const compile = (plan: ReadPlan) => toStatement(counted ? countedSql(plan) : readSql(plan));
  const cachedQuestion = cachedPlan(context, question, (planner) => {
    const asked = { endpoint, query, limit, cursor: undefined };
    const listed = planExpanded(model, planner, object, asked);
    const scope = { model, caller: planner, object };
    const within = linked === undefined ? listed : withLinkedTo(scope, listed, linked);
    const sizedPlan = withinSize(within, size);
    const isTimeless = !isRelative(sizedPlan.where);
    const isPlain = isPlainWalk(sizedPlan) && !counted && sizedPlan.size === undefined;
    return {
      plan: sizedPlan,
      isTimeless,
      kind: isPlain ? `page ${kindOf(sizedPlan)}` : undefined,
      planning: planningOf(sizedPlan),
      first: isTimeless ? compile(sizedPlan) : undefined,
    };
  });
  const { plan, after } = startedAt(context, cachedQuestion, cursor);
  const { kind, first, planning } = cachedQuestion;
  const statement = () => (after === undefined && first) || compile({ ...plan, after });
  const rows =
    kind === undefined
      ? await withRemedy(plan, () => readShared(context, statement(), planning))
      : await coalesce(db, kind, { after, statement, plan, context }, sharingPages(limit));
  const found = counted ? rows.filter(({ id }) => id !== null) : rows;
  const { page, expanded } = await fittedPage(context, { plan, rows: found, limit, size });
  const count = counted ? Number(rows[0]?.[COUNT_COLUMN]) : undefined;
  return { plan, rows: page.rows, next_cursor: page.next_cursor, expanded, count };
}

/** A page of records, whether they are counted as well, and how large it may be. */
export interface PageRequest extends ListRequest {
  readonly counted?: boolean;
  readonly size?: AnswerSize;
  /** Only records that this one is linked to. */
  readonly linked?: LinkedToInput | undefined;
}

interface FoundRows {
  readonly plan: ReadPlan;
  /** One more than the page when another page follows. */
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly size: AnswerSize;
}

/** The rows that fit into an answer, with the records that they refer to. */
async function fittedPage(
  context: ReadContext,
  { plan, rows, limit, size }: FoundRows,
): Promise<{ readonly page: Page; readonly expanded: Expanded }> {
  const shown = rows.slice(0, limit);
  const { expand } = plan;
  const expanded = await readExpanded(context, expand, shown);
  const isSmall = plan.size === undefined && expand === undefined;
  const count = isSmall ? limit : fittingRows(shown, { expand, expanded, size });
  const { model, caller } = context;
  const page = pageOf(plan, rows, count, (last) => cursorAfter(model, caller, plan, last));
  return { page: { ...page, rows: await readRollups(context, plan, page.rows) }, expanded };
}

interface Timed {
  readonly where: Where;
  readonly order: readonly unknown[];
  readonly binding: string;
  readonly moment?: number;
}

/**
 * The plan as seen from the moment of the first page, and where the page starts. Errors: `invalid_cursor`.
 */
function startedAt<Plan extends Timed>(
  { model, caller, now }: ReadContext,
  { plan, isTimeless }: { readonly plan: Plan; readonly isTimeless: boolean },
  cursor: string | undefined,
): { readonly plan: Plan; readonly after: readonly CursorValue[] | undefined } {
  const values = startAfter(model, caller, plan.binding, cursor);
  if (isTimeless) return { plan, after: values };
  if (now === undefined) throw new Error('a question about now without a clock');
  const moment = values === undefined ? now() / 1000 : Number(values.at(-1));
  return {
    plan: { ...plan, moment, where: whereAt(plan.where, moment) },
    after: values?.slice(0, plan.order.length),
  };
}

/** The kind under which reads of the same columns are coalesced, independent of the caller. */
function kindOf({ schema, object, reach, ...plan }: ReadPlan): string {
  const columns = selectedColumns({ object, ...plan });
  return JSON.stringify([schema, object.object_type, columns, reach.user_ids, plan.limit]);
}

interface PageRead {
  readonly after: ReadPlan['after'];
  /** The statement of this page only, built when no other page is read with it. */
  readonly statement: () => Statement;
  readonly plan: ReadPlan;
  readonly context: ReadContext;
}

/** Rows of the pages in one coalesced statement. */
const MOST_ROWS = 500;

/** Only plain pages are coalesced: an index has their rows in order, so none of them is slow. */
function sharingPages(limit: number) {
  return { run: fetchPages, most: Math.max(1, Math.floor(MOST_ROWS / limit)) };
}

async function fetchPages(requests: readonly PageRead[]): Promise<readonly (readonly Row[])[]> {
  const [{ plan, context, statement: own }, another] = requests as readonly [PageRead, PageRead?];
  if (another === undefined) return [await ask(context, own())];
  const starts = new Map(requests.map(({ after }) => [JSON.stringify(after ?? null), after]));
  const pages = new Map([...starts.keys()].map((cursor) => [cursor, [] as Row[]]));
  const inOrder = [...pages.values()];
  const statement = toStatement(pagesSql(plan, [...starts.values()]));
  for (const row of await askForAll(requests, statement)) {
    inOrder[Number(row[PAGE_COLUMN]) - 1]?.push(row);
  }
  return requests.map(({ after }) => pages.get(JSON.stringify(after ?? null)) ?? []);
}

/** One page of the records a record is linked to; `id` as the client sent it (§4.4). */
export async function readLinked(
  context: ReadContext,
  object: ObjectModel,
  request: LinkedRequest,
): Promise<Page> {
  const { model, caller } = context;
  const id = parseRecordId(request.id);
  const { source, page: whole } = planLinked(model, caller, object, { ...request, id: id ?? '' });
  const size = WHOLE_ANSWER;
  const plan = withinSize(whole, size);
  const rows =
    id === undefined ? [] : await ask(context, toStatement(linkedSql({ source, page: plan })));
  if (rows.length === 0) throw recordNotFound();
  const linked = rows.filter((row) => row.id !== null);
  const { limit } = request;
  const { page, expanded } = await fittedPage(context, { plan, rows: linked, limit, size });
  return { ...page, expanded };
}

/** One page of an aggregate, computed over the complete filtered set (§4.3). */
export async function readGroups(
  context: ReadContext,
  object: ObjectModel,
  request: AggregateRequest,
): Promise<Page<AggregatePlan>> {
  const { model, caller } = context;
  const { cursor, ...asked } = request;
  const question = `groups ${object.object_type} ${JSON.stringify(asked)}`;
  const cachedQuestion = cachedPlan(context, question, (planner) => {
    const made = planAggregate(model, planner, object, asked);
    const isTimeless = !isRelative(made.where);
    const first = isTimeless ? toStatement(aggregateSql(made)) : undefined;
    return { plan: made, isTimeless, first };
  });
  const { plan, after } = startedAt(context, cachedQuestion, cursor);
  const first = after === undefined ? cachedQuestion.first : undefined;
  const statement = first ?? toStatement(aggregateSql({ ...plan, after }));
  const rows = await withRemedy({ object, where: plan.where, order: [] }, () =>
    readShared(context, statement, planningOf(plan)),
  );
  const count = fittingRows(rows.slice(0, request.limit), { size: request.size ?? WHOLE_ANSWER });
  return pageOf(plan, rows, count, (last) => cursorAfterGroup(model, caller, plan, last));
}

/** One record; absent, unreadable and malformed ids are all `record_not_found`. */
export async function readRecord(
  context: ReadContext,
  object: ObjectModel,
  request: { readonly id: string; readonly fields: readonly string[] | undefined },
): Promise<{ readonly plan: ReadPlan; readonly row: Row }> {
  const { db, model } = context;
  const { fields } = request;
  const question = `get ${object.object_type} ${JSON.stringify(fields ?? null)}`;
  const { plan, kind, most } = cachedPlan(context, question, (planner) => {
    const made = planRecord(model, planner, object, { ids: [], fields });
    const bytes = mostOfRow(longColumns(made));
    return {
      plan: made,
      kind: `get ${kindOf({ ...made, reach: { ...made.reach, user_ids: [] } })}`,
      // Pages that could be larger than an answer are measured, each on its own.
      most: bytes > LIMITS.recordBytes ? 0 : sharingOf(bytes),
    };
  });
  const id = parseRecordId(request.id);
  const sharing = { run: fetchRecords, most };
  const row =
    id &&
    (most === 0
      ? await fetchMeasured(context, { ...plan, ids: [id] })
      : await coalesce(db, kind, { id, plan, context }, sharing));
  if (!row) throw recordNotFound();
  const [computed = row] = await readRollups(context, plan, [row]);
  return { plan, row: computed };
}

/** Bytes of the records of one coalesced statement, and how many they are at most. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_RECORDS = 50;

/** The number of records of at most so many bytes that share a statement. */
function sharingOf(bytes: number): number {
  return Math.min(MOST_RECORDS, Math.floor(MOST_BYTES / bytes));
}

/** Errors: `validation_failed` for a record that is larger than an answer may be. */
async function fetchMeasured(context: ReadContext, plan: ReadPlan): Promise<Row | undefined> {
  const size = { page: LIMITS.recordBytes, record: LIMITS.recordBytes };
  const [row] = await ask(context, toStatement(readSql({ ...plan, size })));
  if (row !== undefined) fittingRows([row], { size });
  return row;
}

interface RecordRead {
  readonly id: string;
  readonly plan: ReadPlan;
  readonly context: ReadContext;
}

/** Each record is looked up within the reach of the caller that requested it. */
async function fetchRecords(
  requests: readonly RecordRead[],
): Promise<readonly (Row | undefined)[]> {
  const [{ plan }] = requests as readonly [RecordRead];
  const within = requests.map((one) => reachableIds(one.plan.reach, [one.id]));
  const ids = within.flatMap((one) => one.ids);
  const reaches = within.flatMap((one) => one.reaches);
  const statement = toStatement(recordsByIdSql(plan, { ids, reaches }));
  const found: Row[] = [];
  for (const row of await askForAll(requests, statement)) {
    found[Number(row[PLACE_COLUMN]) - 1] = row;
  }
  return requests.map((_, index) => found[index]);
}

/** Hits of a search, and what their references lead to. */
export interface Hits {
  readonly rows: readonly Row[];
  /** The expansions by object type. */
  readonly expand: ReadonlyMap<string, readonly Expansion[]>;
  readonly expanded: Expanded;
}

/** Hits over all object types, best first (§4.6): `object_type`, `id`, `display`, `subtitle`. */
export async function readHits(context: ReadContext, request: SearchRequest): Promise<Hits> {
  const planned = plannedSearch(context, request);
  if (planned === undefined) return { rows: [], expand: new Map(), expanded: new Map() };
  const { plan, statement } = planned;
  const rows = await readShared(context, statement);
  const expand = new Map(plan.targets.map((one) => [one.object.object_type, one.expand]));
  const { expanded, count } = await expandHits(context, expand, rows);
  if (count < rows.length) throw tooManyHits(count);
  return { rows, expand, expanded };
}

/** A search has no next page for the others. */
function tooManyHits(count: number): ApiError {
  const message = say('hits_too_large', { limit: count });
  return errorFromProblems([{ param: 'limit', code: 'validation_failed', message }]);
}

/** Keys of different objects refer to different things, so that each is looked for under a name of its own. */
async function expandHits(
  context: ReadContext,
  expand: Hits['expand'],
  rows: readonly Row[],
): Promise<{ readonly expanded: Expanded; readonly count: number }> {
  const nameOf = (objectType: unknown, key: string) => `${objectType}.${key}`;
  const expansions = [...expand].flatMap(([objectType, some]) =>
    some.map((one) => ({ ...one, column: nameOf(objectType, one.key) })),
  );
  const referring = rows.map((row) => {
    const entries = Object.entries((row.refers_to ?? {}) as Row);
    const ids = entries.map(([key, id]) => [nameOf(row.object_type, key), id] as const);
    return Object.fromEntries([...ids, [BYTES_COLUMN, bytesOf(row)]]);
  });
  const expanded = await readExpanded(context, expansions, referring);
  const count = fittingRows(referring, { expand: expansions, expanded, size: WHOLE_ANSWER });
  return { expanded, count };
}

/** The statement selects one row more than the page, which shows whether another page follows. */
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
function planningOf({ text, where }: Pick<ReadPlan, 'text' | 'where'>): QueryOptions {
  return text === undefined && !conditionsOf(where).some(isOfText) ? {} : { prepare: false };
}

function isOfText({ op }: Condition): boolean {
  return OPERAND_KINDS[op] === 'part';
}

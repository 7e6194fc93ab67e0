// The records of a question, page by page. Pages are found by cursors, which lead forward only: each page knows the
// one before it, so that a bound on pages can drop the first ones and find them again. The names of referenced
// records come with their page.

import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query';
import {
  type Field,
  isRecordsError,
  LIMITS,
  type Page,
  type RecordData,
  type Where,
} from '@workspace-records/client';
import { useEffect, useMemo } from 'react';
import { askTogether } from './ask-together.ts';
import { useIsEmpty } from './drained-pages.ts';
import { isOfPerson, isOfRecord } from './field-facts.ts';
import { fieldValue } from './field-value.ts';
import { nameKeyOf } from './name-keys.ts';
import { type Session, useSession } from './session.ts';
import { isEqual, MOST_FIELDS, printSort, type Sorting } from './view-state.ts';
import { splitPlain, treeOf } from './where.ts';
import { zoneOfBrowser } from './zoned-time.ts';

/** A question on the records of an object. */
export interface RecordQuestion {
  readonly q: string;
  readonly sort: readonly Sorting[];
  /** All of them must be true. */
  readonly where: readonly Where[];
  readonly fields: readonly string[];
  /** References and users among the fields whose names come along: see `expandable`. */
  readonly expand: readonly Field[];
  /** True for one of several lists: their queries of one moment go out as one request. */
  readonly isBesideOthers?: boolean;
  /** Records of a page, when fewer are shown. */
  readonly limit?: number;
}

/** The beginning of a page, with the pages before it. */
interface PageStart {
  readonly index: number;
  readonly cursor: string | undefined;
  readonly before: PageStart | undefined;
}

export const PAGE_ROWS = 100;
/** Pages that are kept: 3,000 records of 20 fields are some megabytes. */
const MOST_PAGES = 30;
const START: PageStart = { index: 0, cursor: undefined, before: undefined };

/** The fields whose names come with a page. References come first: each one left out costs a request more. */
export function expandable(fields: readonly Field[]): readonly Field[] {
  return [...fields.filter(isOfRecord), ...fields.filter(isOfPerson)].slice(
    0,
    LIMITS.expandedReferences,
  );
}

interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * One page. A request takes twenty fields: those beyond come by the ids of the page, all in one more request, which
 * only lists of more columns make. A record that was deleted in between has the first ones.
 */
export async function readPage(
  session: Pick<Session, 'client'>,
  type: string,
  question: RecordQuestion,
  options: PageOptions,
): Promise<Page<RecordData>> {
  const [fields = [], ...further] = portionsOf(question.fields);
  const page = await readFirst(session, type, { ...question, fields }, options);
  if (further.length === 0 || page.data.length === 0) return page;
  const where: Where = { field: 'id', op: 'in', value: page.data.map(({ id }) => id) };
  const furtherPages = await Promise.all(
    further.map((portion) =>
      askTogether(
        session.client,
        { object_type: type, where, fields: [...portion], limit: PAGE_ROWS },
        options.signal,
      ),
    ),
  );
  return { ...page, data: joined([page, ...(furtherPages as Page<RecordData>[])]) };
}

function portionsOf(fields: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(fields.length / MOST_FIELDS);
  return Array.from({ length: count }, (_, at) =>
    fields.slice(at * MOST_FIELDS, (at + 1) * MOST_FIELDS),
  );
}

/** The rows of the first page, with the fields of all; its versions count, as those that were read before. */
function joined([first, ...others]: readonly Page<RecordData>[]): RecordData[] {
  const byId = others.map((page) => new Map(page.data.map((row) => [row.id, row])));
  return (first?.data ?? []).map((row) =>
    byId.reduce((one, rows) => withFields(one, rows.get(row.id)), row),
  );
}

function withFields(row: RecordData, other: RecordData | undefined): RecordData {
  if (other === undefined) return row;
  const fields = { ...other.fields, ...row.fields };
  const custom = { ...Object(other.fields?.custom_fields), ...Object(row.fields?.custom_fields) };
  const isCustom = Object.keys(custom).length > 0;
  return { ...other, ...row, fields: isCustom ? { ...fields, custom_fields: custom } : fields };
}

/** Reads from the list where plain filters suffice, else from the query endpoint. */
async function readFirst(
  { client }: Pick<Session, 'client'>,
  type: string,
  question: RecordQuestion,
  { limit = question.limit ?? PAGE_ROWS, cursor, signal }: PageOptions,
): Promise<Page<RecordData>> {
  const { q, fields } = question;
  const records = client.records(type);
  const { filters, others } = splitPlain(question.where);
  const expand = question.expand.map(({ key }) => key);
  const sort = printSort(question.sort);
  const options = signal === undefined ? {} : { signal };
  if (others.length === 0 && question.isBesideOthers !== true) {
    const shown = { ...(q === '' ? {} : { q }), fields, sort, filters };
    const query = { ...shown, ...(expand.length === 0 ? {} : { expand: expand.join(',') }) };
    const page = await records.list({ ...query, limit, cursor }, options);
    return page as Page<RecordData>;
  }
  const body = {
    ...selectionOf(question),
    ...(fields.length === 0 ? {} : { fields }),
    ...(expand.length === 0 ? {} : { expand }),
    sort: question.sort.map(({ key, isDescending }) => ({
      field: key,
      direction: isDescending ? ('desc' as const) : ('asc' as const),
    })),
  };
  const asked = { ...body, limit, ...(cursor === undefined ? {} : { cursor }) };
  return question.isBesideOthers === true
    ? askTogether(client, { ...asked, object_type: type }, signal)
    : records.query(asked, options);
}

/**
 * The selection of records, as the endpoints that take a tree have it; days and months are those of the browser's
 * time zone.
 */
export function selectionOf({ q, where }: Pick<RecordQuestion, 'q' | 'where'>) {
  const tree = treeOf(where);
  return {
    ...(q === '' ? {} : { query: q }),
    ...(tree === undefined ? {} : { where: tree }),
    timezone: zoneOfBrowser(),
  };
}

export function recordsQuery(session: Session, type: string, question: RecordQuestion) {
  const { workspace } = session;
  const { expand, ...params } = question;
  const queryKey = [workspace, type, 'list', { ...params, expand: expand.map(({ key }) => key) }];
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam: { cursor }, signal, client: queries }) => {
      const page = await readPage(session, type, question, { cursor, signal });
      keepNames(queries, workspace, page.data, expand);
      return page;
    },
    initialPageParam: START,
    getNextPageParam: ({ pagination }, _, place): PageStart | undefined =>
      pagination.next_cursor === null
        ? undefined
        : { index: place.index + 1, cursor: pagination.next_cursor, before: place },
    getPreviousPageParam: (_, __, { before }) => before,
    maxPages: MOST_PAGES,
    // A list that is shown again must not read all of its pages again; changes come as events.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface Expanded {
  /** The name of a person. */
  readonly name?: string | null;
  readonly email?: string | null;
  /** The name of a record. */
  readonly display?: string | null;
}

/** Stores names where record-names.ts and person-names.ts look first. */
export function keepNames(
  queries: QueryClient,
  workspace: string,
  records: readonly RecordData[],
  expand: readonly Field[],
): void {
  for (const field of expand) {
    const { key } = field;
    // Many records of a page refer to the same one.
    const names = new Map<unknown, string | null>();
    for (const record of records) {
      const id = fieldValue(record, { key, storage: 'physical' });
      const found = record.expanded?.[key] as Expanded | null | undefined;
      if (id === null || found === undefined) continue;
      const name = isOfRecord(field) ? found?.display : (found?.name ?? found?.email);
      names.set(id, name ?? null);
    }
    for (const [id, name] of names) {
      queries.setQueryData(nameKeyOf(workspace, field, id), name);
    }
  }
}

export interface RecordRows {
  readonly queryKey: QueryKey;
  /** The loaded records. The list has `first` records before them, which may have been loaded earlier. */
  readonly records: RecordData[];
  readonly first: number;
  /** Rows that are known to be there. */
  readonly count: number;
  readonly hasMore: boolean;
  /** The question finds no record at all. */
  readonly isEmpty: boolean;
  readonly isPending: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  /** Called with the rows in view; loads missing ones around them. */
  show(first: number, last: number): void;
  refresh(): void;
  readonly isRefreshing: boolean;
}

export function useRecordRows(type: string, question: RecordQuestion): RecordRows {
  const listQuery = recordsQuery(useSession(), type, question);
  const query = useInfiniteQuery(listQuery);
  const { data, error, hasNextPage, hasPreviousPage, isFetching, refetch } = query;
  const isExpired = isRecordsError(error, 'invalid_cursor');
  // Its cursors are of an older definition: the pages are read again from the first one, and the rows stay in view.
  useEffect(() => {
    if (isExpired) void refetch();
  }, [isExpired, refetch]);
  const [place = START] = (data?.pageParams ?? []) as PageStart[];
  const first = place.index * PAGE_ROWS;
  const records = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const count = first + records.length;
  return {
    queryKey: listQuery.queryKey,
    records,
    first,
    count,
    hasMore: hasNextPage,
    isEmpty: useIsEmpty(query, records.length),
    isPending: query.isPending,
    isLoadingMore: query.isFetchingNextPage,
    error: isExpired ? null : error,
    show(top, bottom) {
      if (isFetching || error !== null) return;
      if (hasNextPage && bottom > count - PAGE_ROWS / 2) void query.fetchNextPage();
      else if (hasPreviousPage && top < first + PAGE_ROWS / 2) void query.fetchPreviousPage();
    },
    refresh: () => void refetch(),
    isRefreshing: isFetching && !query.isFetchingNextPage && !query.isPending,
  };
}

/** Read the shown lists of an object again, and their counts. */
export async function refreshLists(
  queries: QueryClient,
  workspace: string,
  type: string,
): Promise<void> {
  const isList = ([place, object, kind]: readonly unknown[]) =>
    isEqual([place, object], [workspace, type]) && (kind === 'list' || kind === 'groups');
  await queries.invalidateQueries({ predicate: ({ queryKey }) => isList(queryKey) });
}

// The records that a question finds, page by page. Pages are found by cursors, which lead forward only: each page knows the one
// before it, so that a bound on pages can drop the first ones and find them again.

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { isRecordsError, type Page, type RecordData } from '@workspace-records/client';
import { useEffect, useMemo } from 'react';
import { type Session, useSession } from './session.ts';
import { type FieldFilters, printSort, type Sorting } from './view-state.ts';

export interface ListParams {
  readonly q: string;
  readonly sort: readonly Sorting[];
  readonly filters: FieldFilters;
  readonly fields: readonly string[];
}

/** Where a page begins, by way of those before it. */
interface Place {
  readonly index: number;
  readonly cursor: string | undefined;
  readonly before: Place | undefined;
}

export const PAGE_ROWS = 100;
/** Pages that are kept: 3,000 records of 20 fields are some megabytes. */
const MOST_PAGES = 30;
const START: Place = { index: 0, cursor: undefined, before: undefined };

export function recordsQuery({ workspace, client }: Session, type: string, params: ListParams) {
  const { q, sort, filters, fields } = params;
  const query = { ...(q === '' ? {} : { q }), sort: printSort(sort), filters, fields };
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'list', params],
    queryFn: ({ pageParam: { cursor }, signal }) =>
      client.records(type).list({ ...query, cursor, limit: PAGE_ROWS }, { signal }) as Promise<
        Page<RecordData>
      >,
    initialPageParam: START,
    getNextPageParam: ({ pagination }, _, place): Place | undefined =>
      pagination.next_cursor === null
        ? undefined
        : { index: place.index + 1, cursor: pagination.next_cursor, before: place },
    getPreviousPageParam: (_, __, { before }) => before,
    maxPages: MOST_PAGES,
    // A list that is shown again must not read all of its pages anew; what has changed comes by events.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface RecordRows {
  /** Those that are loaded; `first` of the list are before them, and may have been loaded once. */
  readonly records: RecordData[];
  readonly first: number;
  /** Rows that are known to be there. */
  readonly count: number;
  readonly hasMore: boolean;
  readonly isPending: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  /** Told which rows are in view; loads what is missing around them. */
  show(first: number, last: number): void;
  refresh(): void;
  readonly isRefreshing: boolean;
}

export function useRecordRows(type: string, params: ListParams): RecordRows {
  const query = useInfiniteQuery(recordsQuery(useSession(), type, params));
  const { data, error, hasNextPage, hasPreviousPage, isFetching, refetch } = query;
  const isExpired = isRecordsError(error, 'invalid_cursor');
  // Its cursors are of an older definition: the pages are found anew from the first one, and the rows stay in view.
  useEffect(() => {
    if (isExpired) void refetch();
  }, [isExpired, refetch]);
  const [place = START] = (data?.pageParams ?? []) as Place[];
  const first = place.index * PAGE_ROWS;
  const records = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const count = first + records.length;
  return {
    records,
    first,
    count,
    hasMore: hasNextPage,
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

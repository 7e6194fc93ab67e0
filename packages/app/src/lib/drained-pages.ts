// Pages whose rows have gone: records that are deleted, or unlinked, leave the pages that were read. An answer that has no row
// left is not an empty one while the service has more, so the next page is read.

import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

type Pages = Pick<
  UseInfiniteQueryResult,
  'isSuccess' | 'isFetching' | 'hasNextPage' | 'hasPreviousPage' | 'fetchNextPage'
>;

/**
 * True when there are no rows at all, here or in the service. `rows`: the present number of rows in the loaded pages.
 */
export function useIsEmpty(query: Pages, rows: number): boolean {
  const { isSuccess, isFetching, hasNextPage, hasPreviousPage, fetchNextPage } = query;
  const isDrained = isSuccess && rows === 0 && hasNextPage;
  useEffect(() => {
    if (isDrained && !isFetching) void fetchNextPage();
  }, [isDrained, isFetching, fetchNextPage]);
  return isSuccess && rows === 0 && !hasNextPage && !hasPreviousPage;
}

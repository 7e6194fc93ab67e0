// From page to page, as long as there is another.

import type { Pagination } from './schema.ts';

export interface Page<Item> {
  readonly data: Item[];
  readonly pagination: Pagination;
}

/** The page size of a walk through all pages, unless the caller gives one. */
const LARGEST_PAGE = 100;

/** A query about pages. */
interface Paged {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** All pages from the cursor of the query on, each requested on demand. */
export async function* pagesFrom<Query extends Paged, Of extends Page<unknown>>(
  query: Query,
  load: (query: Query) => Promise<Of>,
): AsyncGenerator<Of, void, undefined> {
  for (let cursor = query.cursor; ; ) {
    const page = await load({ ...query, cursor });
    yield page;
    if (page.pagination.next_cursor === null) return;
    cursor = page.pagination.next_cursor;
  }
}

/** The items of all pages. */
export async function* itemsFrom<Query extends Paged, Item>(
  query: Query,
  load: (query: Query) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const pages = pagesFrom({ ...query, limit: query.limit ?? LARGEST_PAGE }, load);
  for await (const { data } of pages) yield* data;
}

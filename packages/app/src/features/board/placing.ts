// Records in the loaded pages of columns: taken out of one and put into another, before the service has answered. Pure.

import type { InfiniteData } from '@tanstack/react-query';
import type { Page, RecordData } from '@workspace-records/client';

export type Pages = InfiniteData<Page<RecordData>>;

/** The position of a record, so that it can be put back there. */
export interface CardPosition {
  readonly page: number;
  readonly row: number;
}

/** The position of a new record, whatever the sort order is. */
export const TOP: CardPosition = { page: 0, row: 0 };

export function placeOf({ pages }: Pages, id: string): CardPosition | undefined {
  for (const [page, { data }] of pages.entries()) {
    const row = data.findIndex((record) => record.id === id);
    if (row >= 0) return { page, row };
  }
  return undefined;
}

/** Pages that stay as they are stay the objects that they were. */
export function withoutRecord(list: Pages, id: string): Pages {
  const place = placeOf(list, id);
  return place === undefined ? list : withPage(list, place, (rows) => rows.toSpliced(place.row, 1));
}

/** A record that is there already is only shown as it is now. */
export function putIn(list: Pages, record: RecordData, wished: CardPosition = TOP): Pages {
  const known = placeOf(list, record.id);
  if (known !== undefined) return withPage(list, known, (rows) => rows.with(known.row, record));
  const place = { ...wished, page: Math.min(wished.page, list.pages.length - 1) };
  return withPage(list, place, (rows) => rows.toSpliced(place.row, 0, record));
}

function withPage(
  list: Pages,
  { page }: CardPosition,
  change: (rows: RecordData[]) => RecordData[],
): Pages {
  const pages = list.pages.map((one, index) =>
    index === page ? { ...one, data: change(one.data) } : one,
  );
  return { ...list, pages };
}

/** A record that came with two pages, because it was moved between them, is shown once. */
export function eachOnce(records: readonly RecordData[]): RecordData[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

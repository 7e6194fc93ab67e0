// The list that records were opened from: its address and its records in their order. It is kept in this tab, so that
// the page of a record leads back to it, and to the records before and after.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page, RecordData } from '@workspace-records/client';
import type { SearchParams } from './search-params.ts';
import { readDraft, writeDraft } from './storage.ts';

export interface ListTrail {
  readonly search: SearchParams;
  /** The ids of the loaded records. */
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

interface ListPlace {
  readonly workspace: string;
  readonly type: string;
}

export function noteTrail(place: ListPlace, trail: ListTrail): void {
  writeDraft(nameOf(place), trail);
}

/** Undefined: no list of the object was shown in this tab. */
export function readTrail(place: ListPlace): ListTrail | undefined {
  return readDraft(nameOf(place)) as ListTrail | undefined;
}

function nameOf({ workspace, type }: ListPlace): string {
  return `trail:${workspace}:${type}`;
}

/** The records of the shown lists of an object, in their order: one list, or those of the columns or groups. */
export function shownRecords(
  queries: QueryClient,
  { workspace, type }: ListPlace,
): Omit<ListTrail, 'search'> {
  const lists = queries
    .getQueryCache()
    .findAll({ queryKey: [workspace, type, 'list'], type: 'active' })
    .flatMap(({ state }) => (state.data as InfiniteData<Page<RecordData>> | undefined) ?? []);
  const ids = lists.flatMap(({ pages }) => pages.flatMap(({ data }) => data.map(({ id }) => id)));
  const hasMore = lists.some(({ pages }) => pages.at(-1)?.pagination.next_cursor !== null);
  return { ids: [...new Set(ids)], hasMore };
}

export interface Neighbours {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** The position, from 1. */
  readonly position: number;
}

/** Undefined: the record is not among them. */
export function neighboursOf(ids: readonly string[], id: string): Neighbours | undefined {
  const at = ids.indexOf(id);
  if (at < 0) return undefined;
  return { previous: ids[at - 1], next: ids[at + 1], position: at + 1 };
}

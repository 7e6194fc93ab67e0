// The live state that features use: whether a record is gone, and the changes that a list does not show yet.

import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from '../lib/session.ts';
import { followGone, isGone } from './gone-records.ts';
import { followLists, listState } from './list-states.ts';
import { startLive } from './live.ts';

/** One stream for all that is below, as long as it is there. */
export function useLive(): void {
  const session = useSession();
  const queries = useQueryClient();
  useEffect(() => startLive(session, queries), [session, queries]);
}

export interface LiveRecord {
  /** Deleted, or out of the person's reach. */
  readonly isGone: boolean;
}

/** The record itself is read again by the page that shows it. */
export function useLiveRecord(type: string, id: string): LiveRecord {
  return { isGone: useSyncExternalStore(followGone, () => isGone(type, id)) };
}

export interface LiveList {
  /** Records that have come, left or moved; a list never moves by itself. */
  readonly changes: number;
  /** There may be more. */
  readonly isOld: boolean;
  /** Reads the list from its start. */
  show(): void;
}

/** The changes of a list of `recordsQuery`. An empty list has no row that could move and is read again by itself. */
export function useLiveList(list: QueryKey, isEmpty: boolean): LiveList {
  const queries = useQueryClient();
  const { changed, isOld } = useSyncExternalStore(followLists, () => listState(list));
  const isBehind = isEmpty && (isOld || changed.size > 0);
  useEffect(() => {
    if (!isBehind) return;
    void queries.invalidateQueries({ queryKey: list, exact: true }, { cancelRefetch: false });
  }, [queries, list, isBehind]);
  return {
    changes: isEmpty ? 0 : changed.size,
    isOld: isOld && !isEmpty,
    show: () => void queries.resetQueries({ queryKey: list, exact: true }),
  };
}

/** Lists of more pages are not read again by themselves. */
const FEW_PAGES = 2;

/** Refreshes several short lists, such as the columns of a board: new and moved records show at once. */
export function useLiveColumns(type: string): void {
  const { workspace } = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    const isShort = ({ queryKey, state }: Query) => {
      const { pages } = Object(state.data);
      const { changed, isOld } = listState(queryKey);
      return Array.isArray(pages) && pages.length <= FEW_PAGES && (isOld || changed.size > 0);
    };
    const queryKey = [workspace, type, 'list'];
    return followLists(
      () => void queries.invalidateQueries({ queryKey, type: 'active', predicate: isShort }),
    );
  }, [workspace, type, queries]);
}

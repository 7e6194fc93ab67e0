// The state of lists about changes that they do not show: the number of records that have come, gone elsewhere or
// moved, and the rows that were not read again while they were not shown.

import { hashKey, type QueryKey } from '@tanstack/react-query';

export interface ListState {
  /** Records by their ids, each counted once. */
  readonly changed: ReadonlySet<string>;
  /** True when rows have changed and it is not known which. */
  readonly isOld: boolean;
}

export const UNCHANGED: ListState = Object.freeze({ changed: new Set<string>(), isOld: false });

const states = new Map<string, ListState>();
const unread = new Map<string, Set<string>>();
const listeners = new Set<() => void>();

export function listState(list: QueryKey): ListState {
  return states.get(hashKey(list)) ?? UNCHANGED;
}

export function followLists(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteChanged(list: QueryKey, ids: Iterable<string>): void {
  const { changed, isOld } = listState(list);
  const all = new Set([...changed, ...ids]);
  if (all.size > changed.size) setState(list, { changed: all, isOld });
}

export function noteOld(list: QueryKey): void {
  if (!listState(list).isOld) setState(list, { ...listState(list), isOld: true });
}

/** The list was read from its start: it shows everything. */
export function forgetChanges(list: QueryKey): void {
  unread.delete(hashKey(list));
  if (listState(list) !== UNCHANGED) setState(list, UNCHANGED);
}

/** Forgets a record that is gone: no list has to show it. */
export function forgetRecord(id: string): void {
  for (const [key, { changed, isOld }] of states) {
    if (changed.has(id))
      put(key, { changed: new Set([...changed].filter((one) => one !== id)), isOld });
  }
}

/** Rows to be read when the list is looked at again. */
export function noteUnread(list: QueryKey, ids: Iterable<string>): void {
  const key = hashKey(list);
  unread.set(key, new Set([...(unread.get(key) ?? []), ...ids]));
}

export function takeUnread(list: QueryKey): readonly string[] {
  const key = hashKey(list);
  const ids = unread.get(key) ?? [];
  unread.delete(key);
  return [...ids];
}

function setState(list: QueryKey, state: ListState): void {
  put(hashKey(list), state);
}

function put(key: string, state: ListState): void {
  if (state === UNCHANGED) states.delete(key);
  else states.set(key, state);
  for (const listener of listeners) listener();
}

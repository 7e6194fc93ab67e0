// The record that is shown beside a list: a parameter of its address. Rows and cards ask for it by way of here; the
// host (features/record/peek-host.tsx) changes the address.

import type { SearchParams } from './search-params.ts';

const PEEK = 'peek';

interface SplitSearch {
  /** The parameters of the list itself. */
  readonly list: SearchParams;
  readonly peek: string | undefined;
}

const known = new WeakMap<SearchParams, SplitSearch>();

/** The parts of an address. The same address gives the same object, so that effects can depend on it. */
export function splitPeek(search: SearchParams): SplitSearch {
  const found = known.get(search);
  if (found !== undefined) return found;
  const { [PEEK]: peek, ...list } = search;
  const split = { list, peek };
  known.set(search, split);
  return split;
}

export function withPeek(list: SearchParams, peek: string | undefined): SearchParams {
  return peek === undefined ? list : { ...list, [PEEK]: peek };
}

const listeners = new Set<(id: string) => void>();

export function followPeek(listener: (id: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function askPeek(id: string): void {
  for (const listener of listeners) listener(id);
}

// Addresses of some records of a list, which people send one another.

import { printSearch } from './search-params.ts';

/** The most ids that a filter takes. */
export const MOST_LINKED = 100;

/** The address of the list that shows these records alone. */
export function addressOfRecords(list: string, ids: readonly string[]): string {
  return `${list}${printSearch({ 'filter[id][in]': ids.join(',') })}`;
}

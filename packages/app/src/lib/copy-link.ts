// Addresses that people send one another: of the page, or of some records of a list.

import { printSearch } from './search-params.ts';

/** The most ids that a filter takes. */
export const MOST_LINKED = 100;

/** Resolves to false where the browser does not allow it. */
export async function copyLink(address: string = location.href): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false;
  }
}

/** The address of the list that shows these records alone. */
export function addressOfRecords(list: string, ids: readonly string[]): string {
  return `${list}${printSearch({ 'filter[id][in]': ids.join(',') })}`;
}

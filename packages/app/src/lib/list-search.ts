// The search in a list: parts of texts are found in the name of a record, and in the shown columns that have an index.
// Pure.

import { type Field, LIMITS, type ObjectDefinition, type Where } from '@workspace-records/client';
import { factsOf, isQueryable } from './field-facts.ts';
import type { ViewState } from './view-state.ts';

/** Shorter parts of texts are found in names only. */
export const SHORTEST_PART = LIMITS.matchedTextMinimum;

export interface SearchedColumns {
  /** The name first. */
  readonly searched: readonly Field[];
  /** Texts without an index. */
  readonly left: readonly Field[];
}

export function searchedColumns(
  { fields, display_field }: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  shown: readonly Field[],
  indexed: ReadonlySet<string>,
): SearchedColumns {
  const name = fields.filter(({ key }) => key === display_field);
  const texts = shown.filter(
    (field) =>
      field.key !== display_field &&
      isQueryable(field) &&
      factsOf(field).operators.includes('contains'),
  );
  return {
    searched: [...name, ...texts.filter(({ key }) => indexed.has(key))],
    left: texts.filter(({ key }) => !indexed.has(key)),
  };
}

/** Undefined: the service's own search of names is enough. */
export function searchPart(q: string, { searched }: SearchedColumns): Where | undefined {
  const { length } = [...q];
  if (searched.length < 2 || length < SHORTEST_PART || length > LIMITS.textQueryLength)
    return undefined;
  return { any: searched.map(({ key }) => ({ field: key, op: 'contains', value: q })) };
}

/** The view with its search as a condition. */
export function withSearch(view: ViewState, part: Where | undefined): ViewState {
  return part === undefined ? view : { ...view, q: '', where: [...view.where, part] };
}

/** A change of that view as one of the view in the address: as long as the condition is there, the search is too. */
export function withoutSearch(
  next: ViewState,
  view: ViewState,
  part: Where | undefined,
): ViewState {
  if (part === undefined) return next;
  const isKept = next.where.includes(part);
  return {
    ...next,
    q: isKept && next.q === '' ? view.q : next.q,
    where: next.where.filter((one) => one !== part),
  };
}

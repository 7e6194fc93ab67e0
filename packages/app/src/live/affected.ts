// Whether a changed record may be in another place of a list than before, may have come into it, or may have left it.

import type { RecordQuestion } from '../lib/record-lists.ts';
import { conditionsOf } from '../lib/where.ts';
import type { RecordChange } from './gathered.ts';
import type { CountedChanges } from './recount.ts';

/** `candidate`: only the service knows whether the record matches the question of the list. */
export type Effect = 'none' | 'moved' | 'candidate';

export type AskedQuestion = Pick<RecordQuestion, 'q' | 'sort' | 'where'>;

const TOUCHED = 'updated_at';

export function effectOn(
  { q, sort, where }: AskedQuestion,
  { fields, isNew }: RecordChange,
  isShown: boolean,
): Effect {
  const isAnyOf = (keys: readonly string[]) =>
    keys.some((key) => key === TOUCHED || fields.has(key));
  const isAsked =
    isAnyOf(where.flatMap(conditionsOf).map(({ field }) => columnOf(field))) ||
    (q !== '' && fields.size > 0);
  const isSorted = isAnyOf(sort.map(({ key }) => key));
  if (isShown) return isAsked || isSorted ? 'moved' : 'none';
  return isNew || isAsked || isSorted ? 'candidate' : 'none';
}

/** True when the list does not have all records of the object, so that a candidate may not match. */
export function isNarrowed({ q, where }: AskedQuestion): boolean {
  return q !== '' || where.length > 0;
}

/** True when the answer of a report may change: its groups, metrics and conditions name the fields. */
export function mayCount(question: unknown, { fields, isOther }: CountedChanges): boolean {
  if (isOther) return true;
  const { query, filters } = Object(question);
  if (query !== undefined || filters !== undefined) return fields.size > 0;
  return namedIn(question).some((field) => field === TOUCHED || fields.has(columnOf(field)));
}

function namedIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'field' && typeof value === 'string' ? [value] : namedIn(value),
  );
}

/** The column of a path: for `company_id.sector` the reference, because changes of its target are not followed. */
function columnOf(field: string): string {
  return field.split('.', 1)[0] ?? field;
}

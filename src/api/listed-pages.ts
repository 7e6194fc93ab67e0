// Pages of rows that are listed by their id, newest first: a cursor has the id of the last row that was shown.

import { fittedRows } from '../flow/records/read/fitting-rows.ts';
import { LISTED_ANSWER } from '../plan/read/answer-size.ts';
import { decodeCursor, encodeCursor } from '../plan/read/cursor.ts';
import { presentPagination } from './present.ts';

/** The query of a page. */
export interface PageQuestion {
  readonly secret: Buffer;
  /** The scope of a cursor: the workspace, the user and the filter. */
  readonly binding: string;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface Listed<Listing, Id extends string | number> {
  /** The newest rows below this id, undefined: of all. */
  load(before: Id | undefined, limit: number): Promise<readonly Listing[]>;
  idOf(row: Listing): Id;
}

/**
 * The rows to show, as many as an answer may have where they are measured; one more is loaded, to see whether there
 * are others. Errors: `invalid_cursor`.
 */
export async function loadPage<Listing extends object, Id extends string | number>(
  { secret, binding, limit, cursor }: PageQuestion,
  { load, idOf }: Listed<Listing, Id>,
) {
  const before = cursor === undefined ? [] : decodeCursor(secret, binding, cursor);
  const [first] = before;
  const after = typeof first === 'string' ? before.join('') : first;
  const loaded = await load(after as Id | undefined, limit + 1);
  const rows = fittedRows(loaded.slice(0, limit), LISTED_ANSWER);
  const last = loaded.length > rows.length ? rows.at(-1) : undefined;
  const next = last === undefined ? null : encodeCursor(secret, binding, piecesOf(idOf(last)));
  return { rows, pagination: presentPagination(limit, next) };
}

/** The id in pieces of a length that a cursor has whole. */
function piecesOf(id: string | number): readonly (string | number)[] {
  return typeof id === 'number' ? [id] : (id.match(/.{1,70}/gs) ?? ['']);
}

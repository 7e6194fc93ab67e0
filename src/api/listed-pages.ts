// Pages of what is listed by its id, newest first: a cursor has the id of the last row that was shown.

import { decodeCursor, encodeCursor } from '../plan/cursor.ts';
import { presentPagination } from './present.ts';

/** What a page was asked for with. */
export interface PageQuestion {
  readonly secret: Buffer;
  /** What a cursor belongs to: the workspace, the user and the filter. */
  readonly binding: string;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface Listed<Row, Id extends string | number> {
  /** The newest rows below this id, undefined: of all. */
  load(before: Id | undefined, limit: number): Promise<readonly Row[]>;
  idOf(row: Row): Id;
}

/** The rows to show; one more is asked for, to know whether there are others. Errors: `invalid_cursor`. */
export async function loadPage<Row, Id extends string | number>(
  { secret, binding, limit, cursor }: PageQuestion,
  { load, idOf }: Listed<Row, Id>,
) {
  const [before] = cursor === undefined ? [] : decodeCursor(secret, binding, cursor);
  const rows = await load(before as Id | undefined, limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last === undefined ? null : encodeCursor(secret, binding, [idOf(last)]);
  return { shown, pagination: presentPagination(limit, next) };
}

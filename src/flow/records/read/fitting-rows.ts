// Limits the rows of an answer by size (D385): the database has measured those that could be too large; an expanded
// record counts as often as it is shown. Rows that are cut come on the next page.

import type { ShownPerson } from '../../../control/people/directory.ts';
import { errorFromProblems } from '../../../errors.ts';
import { say } from '../../../messages/message.ts';
import type { AnswerSize } from '../../../model/values/value-size.ts';
import type { Expansion } from '../../../plan/read/read-plan.ts';
import type { Row } from '../../../postgres/db.ts';
import { BYTES_COLUMN, withoutBytes } from '../../../sql/read/measured-sql.ts';
import { type Expanded, expandedKind } from './read-expanded.ts';

export interface Fitting {
  readonly expand?: readonly Expansion[] | undefined;
  readonly expanded?: Expanded;
  readonly size: AnswerSize;
}

/**
 * The number of rows that fit, in their order. Errors: `validation_failed` when the first alone is larger than a
 * record may be.
 */
export function fittingRows(
  rows: readonly Row[],
  { expand = [], expanded, size }: Fitting,
): number {
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    bytes += bytesOf(row);
    for (const one of expand) bytes += bytesOfExpansion(one, row, expanded);
    if (index === 0) requireFitting(bytes, size.record);
    else if (bytes > size.page) return index;
  }
  return rows.length;
}

/** The rows that fit into an answer, without their sizes. */
export function fittedRows<Listing extends object>(
  rows: readonly Listing[],
  size: AnswerSize,
): readonly Listing[] {
  return rows.slice(0, fittingRows(rows as readonly Row[], { size })).map(withoutBytes);
}

/** Errors: `validation_failed`. */
function requireFitting(bytes: number, most: number): void {
  if (bytes <= most) return;
  const message = say('record_too_large', { most });
  throw errorFromProblems([{ param: 'fields', code: 'validation_failed', message }]);
}

/** Zero: it was not measured, for it cannot be large. */
export function bytesOf({ [BYTES_COLUMN]: bytes = 0 }: Row): number {
  return bytes as number;
}

function bytesOfExpansion({ target, column }: Expansion, row: Row, expanded?: Expanded): number {
  const found = target && expanded?.get(expandedKind(target))?.get(row[column]);
  if (found === undefined) return 0;
  return target === 'user' ? bytesOfPerson(found) : bytesOf(found);
}

/** Bytes of a person besides the name, and of each team that is shown with them. */
const PERSON_BYTES = 300;
const TEAM_BYTES = 30;

/** People behind those that an answer may have are without their teams. */
function bytesOfPerson({ teams }: Row): number {
  if (teams === null) return Number.POSITIVE_INFINITY;
  const shown = teams as NonNullable<ShownPerson['teams']>;
  return shown.reduce((sum, { name }) => sum + TEAM_BYTES + (name ?? '').length, PERSON_BYTES);
}

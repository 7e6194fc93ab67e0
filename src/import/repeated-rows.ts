// Rows of a dry run for a record that a row before them would have written, and the database does not have.

import { cutText } from '../errors.ts';
import type { RunningReport } from './import-report.ts';
import type { ImportRequest } from './import-request.ts';
import type { BuiltRow } from './rows/build-rows.ts';
import type { RowResult } from './write-rows.ts';

interface Rows {
  readonly request: ImportRequest;
  readonly report: RunningReport;
}

/** The result that the row would have after those before it. */
export function afterEarlier(rows: Rows, built: BuiltRow, result: RowResult): RowResult {
  const { request } = rows;
  const repetition = request.rehearsal?.remember(built);
  if (repetition === undefined) return result;
  // A comment or a link stays as it is.
  if (request.plan.subject.kind !== 'records') return { ...result, created: false, changed: false };
  const { firstLine } = repetition;
  if (firstLine !== undefined) noteDouble(rows, built, firstLine);
  return { ...result, created: false, kept: request.kept === 'record' ? 'record' : result.kept };
}

/** A row of records whose match values another row of its file has. */
function noteDouble({ request, report }: Rows, { row, values }: BuiltRow, first: number): void {
  report.doubles = (report.doubles ?? 0) + 1;
  const given = new Map([...values].map(([{ field }, value]) => [field, value]));
  const value = request.plan.match.map((field) => String(given.get(field) ?? '')).join(', ');
  request.onDouble?.({ line: row.line, first_line: first, value: cutText(value, 60) });
}

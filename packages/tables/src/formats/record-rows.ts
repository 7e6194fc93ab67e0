// Records with values by name as rows of a table: a column for each name, in the order in which they occur.

import { tableFault } from '../table-fault.ts';
import { BATCH_ROWS, type FormatBatch, type FormatChoices } from './format-rows.ts';

/** Texts by the names of their columns. */
export type TextRecord = ReadonlyMap<string, string>;

/** Cells with the empty ones between them. */
const MOST_CELLS = 50_000_000;

/** The line of a record is its place below the headings, as in a spreadsheet. Errors: a fault. */
export function* recordRows(
  records: readonly TextRecord[],
  { columns: most }: Pick<FormatChoices, 'columns'>,
): Generator<FormatBatch['rows']> {
  const columns = new Set<string>();
  for (const [index, record] of records.entries()) {
    for (const name of record.keys()) columns.add(name);
    if (columns.size > most) throw tableFault('columns', index + 2);
  }
  if (columns.size === 0) throw tableFault('empty');
  if (columns.size * records.length > MOST_CELLS) throw tableFault('large');
  const names = [...columns];
  yield [{ line: 1, cells: names }];
  for (let from = 0; from < records.length; from += BATCH_ROWS) {
    yield records.slice(from, from + BATCH_ROWS).map((record, index) => ({
      line: from + index + 2,
      cells: names.map((name) => record.get(name) ?? ''),
    }));
  }
}

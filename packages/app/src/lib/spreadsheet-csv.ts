// Tables for spreadsheets: CSV by RFC 4180 in which no text is calculated. Pure.

import { csvCell, guardText } from '../../../tables/src/csv-text.ts';

export type CsvCell = string | number | null;

export function spreadsheetCsv(rows: readonly (readonly CsvCell[])[]): string {
  // With a byte-order mark, by which a spreadsheet recognises UTF-8.
  return `\uFEFF${rows.map((cells) => cells.map(cellText).join(',')).join('\r\n')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return csvCell(guardText(cell));
}

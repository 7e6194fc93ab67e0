// Tables for spreadsheets: CSV by RFC 4180 in which no text is calculated. Pure.

export type CsvCell = string | number | null;

/** The first characters by which a spreadsheet takes a text for a formula (OWASP, CSV injection). */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export function spreadsheetCsv(rows: readonly (readonly CsvCell[])[]): string {
  // With a byte-order mark, by which a spreadsheet recognises UTF-8.
  return `\uFEFF${rows.map((cells) => cells.map(cellText).join(',')).join('\r\n')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const guarded = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

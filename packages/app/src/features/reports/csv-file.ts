// A report as a CSV file: its groups and figures, with the names that the page shows. Pure but for the download.

import type { GroupValue } from './figures.ts';

export type CsvCell = string | number | null;

/** The first characters by which a spreadsheet takes a text for a formula (OWASP, CSV injection). */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  // With a byte-order mark, by which a spreadsheet recognises UTF-8.
  return `\uFEFF${rows.map((cells) => cells.map(cellText).join(',')).join('\r\n')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const guarded = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return `${plain || 'report'}.csv`;
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Text of a value: of periods the first day, which spreadsheets can sort. */
export function valueText(
  value: GroupValue,
  {
    isPeriod,
    nameOf,
  }: { readonly isPeriod: boolean; readonly nameOf: (value: GroupValue) => string },
): string {
  if (value === null) return '';
  return isPeriod ? String(value) : nameOf(value);
}

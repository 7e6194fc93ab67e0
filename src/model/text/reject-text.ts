// Rows that were not imported, as a file of their own: the problem of each row comes first, in columns that an import
// ignores, so that a person can correct the file and import it again. Pure.

import { csvCell, guardText } from '../../../packages/tables/src/csv-text.ts';

/** Columns with what was wrong; no field has such a name, and imports pass over them. */
export const NOTE_COLUMNS = ['_line', '_field', '_reason'] as const;
/** Property that holds a line which was not JSON; the person who corrects it puts the object in its place. */
export const UNREADABLE_ROW = '_row';

export interface RejectedRow {
  readonly line: number;
  readonly problems: readonly { readonly field: string; readonly reason: string }[];
  /** Cells of a CSV file without guards, or the text of a line. */
  readonly texts: readonly string[];
}

/** The layout of the file of rejects: that of the file the rows come from. */
export type RejectLayout =
  | { readonly kind: 'csv'; readonly delimiter: string; readonly columns: readonly string[] }
  | { readonly kind: 'json_lines' };

export function isNoteColumn(name: string): boolean {
  return (NOTE_COLUMNS as readonly string[]).includes(name);
}

/** The header of a CSV file. Columns of earlier notes are left out. */
export function rejectHeader(layout: RejectLayout): string {
  if (layout.kind === 'json_lines') return '';
  const columns = layout.columns.filter((column) => !isNoteColumn(column));
  return csvLine([...NOTE_COLUMNS, ...columns], layout.delimiter);
}

/** The line of a row, with its end. */
export function rejectLine(layout: RejectLayout, { line, problems, texts }: RejectedRow): string {
  const fields = fieldsOf(problems);
  const reason = reasonsOf(problems);
  if (layout.kind === 'json_lines') {
    return jsonLine({ _line: line, _field: fields, _reason: reason }, texts.join(''));
  }
  const { columns, delimiter } = layout;
  const cells = texts.filter((_, index) => !isNoteColumn(columns[index] ?? ''));
  // Somebody else's text, in a file that will be opened in a spreadsheet.
  return csvLine([String(line), fields, reason, ...cells].map(guardText), delimiter);
}

export function fieldsOf(problems: RejectedRow['problems']): string {
  return [...new Set(problems.map(({ field }) => field))].join(', ');
}

export function reasonsOf(problems: RejectedRow['problems']): string {
  return problems.map(({ reason }) => reason).join(' ');
}

function csvLine(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\n`;
}

/** The object on the line keeps its text: numbers may have more digits than are read. */
function jsonLine(notes: Readonly<Record<string, unknown>>, text: string): string {
  const keys = keysOn(text);
  if (keys === undefined) return `${JSON.stringify({ ...notes, [UNREADABLE_ROW]: text })}\n`;
  const noted = JSON.stringify(notes);
  const row = text.trim();
  // Of equal keys the last one counts.
  if (keys.some(isNoteColumn)) return `${row.slice(0, -1)},${noted.slice(1)}\n`;
  return `${noted.slice(0, -1)}${keys.length === 0 ? '' : ','}${row.slice(1)}\n`;
}

/** The keys of the object on the line; undefined when there is none. */
function keysOn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.keys(value) : undefined;
  } catch {
    return undefined;
  }
}

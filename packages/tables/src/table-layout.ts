// The layout of a table, from its beginning: delimiter, header line, headings. Pure.

import { type CsvRow, openCsvParser } from './csv-parser.ts';
import { faultOf } from './table-fault.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Excel's first line, which names the delimiter and is no row. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?[\r\n]*$/i;

export function isSeparatorLine({ line, raw }: Pick<CsvRow, 'line' | 'raw'>): boolean {
  return line === 1 && SEPARATOR_LINE.test(raw);
}

/** The delimiter that the first line of the text names. */
export function namedDelimiter(text: string): string | undefined {
  return SEPARATOR_LINE.exec(text.split('\n', 1)[0] ?? '')?.[1];
}

/** Rows that are compared. */
const COMPARED = 100;

/** The delimiter that gives most of the first rows the same number of cells, and the most of them. */
export function findDelimiter(text: string): string {
  const named = namedDelimiter(text);
  if (named !== undefined) return named;
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(text, delimiter) }));
  const [best] = scored.toSorted((one, other) => other.score - one.score);
  return best !== undefined && best.score > 0 ? best.delimiter : ',';
}

function scoreOf(text: string, delimiter: Delimiter): number {
  const rows = firstRows(text, delimiter);
  const width = usualWidth(rows);
  if (width < 2) return 0;
  const equal = rows.filter(({ cells }) => cells.length === width).length;
  return (equal / rows.length) * 100 + Math.min(width, 50);
}

/** The complete rows of the beginning of a file. */
export function firstRows(text: string, delimiter: string): readonly CsvRow[] {
  const parser = openCsvParser(delimiter, { cells: Infinity, length: Infinity });
  const isTable = (row: CsvRow) => !isBlank(row.cells) && !isSeparatorLine(row);
  try {
    const whole = text.endsWith('\n') ? text : `${text}\n`;
    return parser.push(whole).filter(isTable).slice(0, COMPARED);
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return [];
  }
}

/** The most common number of cells, of equals the first; notes above and below a table are rows of one cell. */
function usualWidth(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const ordered = [...counts].toSorted(([, one], [, other]) => other - one);
  const wide = ordered.find(([width, count]) => width > 1 && count > 1);
  return (wide ?? ordered[0])?.[0] ?? 0;
}

/**
 * The lines before the header: the first row with the usual number of cells and as many columns in use as most rows have.
 * The rows above it are narrower; else the first row is the header.
 */
export function findSkipLines(rows: readonly CsvRow[]): number {
  const width = usualWidth(rows);
  const ofTable = rows.filter(({ cells }) => cells.length === width);
  const widths = ofTable.map(usedColumns).toSorted((one, other) => one - other);
  const usual = widths[Math.floor(widths.length / 2)] ?? 0;
  const header = ofTable.find((row) => usedColumns(row) >= usual);
  if (header === undefined) return 0;
  const above = rows.slice(0, rows.indexOf(header));
  const areNotes = above.every((row) => usedColumns(row) < usedColumns(header));
  return above.length > 0 && areNotes ? header.line - 1 : 0;
}

/** Columns up to the last one with a text. */
function usedColumns({ cells }: CsvRow): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '' || cell.trim() === '');
}

/** A heading on one line. */
export function headingText(cell: string): string {
  return cell.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Without empty ones at the end; each once, none empty. */
export function headingsOf(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  const used = new Set<string>();
  return cells.slice(0, last + 1).map((cell, index) => {
    const base = headingText(cell) || `Column ${index + 1}`;
    let heading = base;
    for (let next = 2; used.has(heading); next += 1) heading = `${base} (${next})`;
    used.add(heading);
    return heading;
  });
}

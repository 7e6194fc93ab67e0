// A file of rows as a table: encoding and delimiter found, headings made unique, facts of each column, and the whole file
// again as CSV in UTF-8, which is sent to the service. Memory: a chunk, the facts, and blobs that the browser keeps on
// disk. Runs in a worker.

import { LIMITS } from '@workspace-records/client';
import { csvText, fault, faultOf, rowsOf } from './csv-file.ts';
import { type GuessedField, guessTypes } from './guess-types.ts';
import { type Delimiter, type Encoding, findDelimiter, findEncoding } from './text-encoding.ts';

export interface ReadOptions {
  /** Undefined: found. */
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

export interface ColumnFacts {
  /** Rows with a value. */
  readonly filled: number;
  /** The values in the order of their first rows, up to `MOST_DISTINCT`. */
  readonly distinct: readonly string[];
  /** True: there are more values than `distinct` has. */
  readonly isMany: boolean;
}

export interface Table {
  /** CSV in UTF-8 with commas; the headings are `headings`. */
  readonly content: Blob;
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /** Each once, none empty. */
  readonly headings: readonly string[];
  /** The number of rows without blank ones and the header. */
  readonly rows: number;
  /** The first rows. */
  readonly sample: readonly (readonly string[])[];
  readonly columns: readonly ColumnFacts[];
  readonly guesses: readonly GuessedField[];
}

export const MOST_DISTINCT = 200;
const SAMPLE_ROWS = 50;
/** Rows from which types are guessed. */
const GUESSED_ROWS = 1000;
const START_BYTES = 64 * 1024;

/** `onRows` is called now and then with the rows so far. Errors: a fault (csv-file.ts). */
export async function readTable(
  file: Blob,
  options: ReadOptions = {},
  onRows: (rows: number) => void = () => undefined,
): Promise<Table> {
  const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
  if (start.length === 0) throw fault('empty');
  // Spreadsheets are archives.
  if (start[0] === 0x50 && start[1] === 0x4b) throw fault('spreadsheet');
  const encoding = options.encoding ?? findEncoding(start);
  const text = new TextDecoder(encoding).decode(start);
  const delimiter = options.delimiter ?? findDelimiter(text);
  try {
    return await readAs(file, { encoding, delimiter }, onRows);
  } catch (error) {
    // The first bytes were those of UTF-8, and later ones are not.
    if (faultOf(error) !== 'encoding' || options.encoding !== undefined) throw error;
    return readAs(file, { encoding: 'windows-1252', delimiter }, onRows);
  }
}

type Form = Pick<Table, 'encoding' | 'delimiter'>;

async function readAs(
  file: Blob,
  { encoding, delimiter }: Form,
  onRows: (rows: number) => void,
): Promise<Table> {
  const table = openTable();
  for await (const rows of rowsOf(file, encoding, delimiter)) {
    table.add(rows);
    onRows(table.rows());
  }
  return { encoding, delimiter, ...table.finish() };
}

function openTable() {
  const parts: Blob[] = [];
  const first: (readonly string[])[] = [];
  let bytes = 0;
  let headings: readonly string[] | undefined;
  let facts: ReturnType<typeof openFacts>[] = [];
  let count = 0;
  const keep = (rows: readonly (readonly string[])[]) => {
    const part = new Blob([csvText(rows)]);
    bytes += part.size;
    if (bytes > LIMITS.sentFileBytes) throw fault('large');
    parts.push(part);
  };
  const note = (row: readonly string[]) => {
    if (isBlank(row)) return;
    count += 1;
    if (first.length < GUESSED_ROWS) first.push(row);
    for (const [index, column] of facts.entries()) column.add(row[index] ?? '');
  };
  return {
    rows: () => count,
    add(rows: readonly (readonly string[])[]) {
      let body = rows;
      if (headings === undefined) {
        const at = rows.findIndex((row) => !isBlank(row) && !isSeparatorLine(row));
        if (at < 0) return;
        headings = headingsOf(rows[at] ?? []);
        facts = headings.map(openFacts);
        keep([headings]);
        body = rows.slice(at + 1);
      }
      const { length } = headings;
      const even = body.map((row) => evenRow(row.map(trimmed), length));
      for (const row of even) note(row);
      keep(even);
    },
    finish(): Omit<Table, keyof Form> {
      if (headings === undefined) throw fault('empty');
      const columns = facts.map((column) => column.finish());
      const content = new Blob(parts, { type: 'text/csv' });
      const sample = first.slice(0, SAMPLE_ROWS);
      const guesses = guessTypes(headings, first);
      return { content, headings, rows: count, sample, columns, guesses };
    },
  };
}

function openFacts() {
  const distinct = new Set<string>();
  let filled = 0;
  let isMany = false;
  return {
    add(text: string) {
      if (text === '') return;
      filled += 1;
      if (isMany || distinct.has(text)) return;
      if (distinct.size >= MOST_DISTINCT) isMany = true;
      else distinct.add(text);
    },
    finish: (): ColumnFacts => ({ filled, distinct: [...distinct], isMany }),
  };
}

/** A cell without spaces around it: after a comma they are no part of the value. */
function trimmed(cell: string): string {
  // Most cells have none, and an expression for each of a million cells takes seconds.
  if (!isSpace(cell.charCodeAt(0)) && !isSpace(cell.charCodeAt(cell.length - 1))) return cell;
  return cell.replaceAll(/^[ \t\u00a0]+|[ \t\u00a0]+$/g, '');
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 160;
}

function isBlank(row: readonly string[]): boolean {
  return row.every((cell) => cell === '' || cell.trim() === '');
}

/** Excel's first line, which names the delimiter and is no row. */
function isSeparatorLine(row: readonly string[]): boolean {
  return /^sep=.?$/.test(row.join(''));
}

/** A short row gets the cells that it lacks; empty cells after the last column are dropped, others the service refuses. */
function evenRow(row: readonly string[], length: number): readonly string[] {
  if (row.length === length || isBlank(row)) return row;
  if (row.length < length) return [...row, ...Array<string>(length - row.length).fill('')];
  return isBlank(row.slice(length)) ? row.slice(0, length) : row;
}

/** Headings that the service takes: without spaces around them, none empty, each once. Errors: a fault. */
function headingsOf(row: readonly string[]): readonly string[] {
  const last = row.findLastIndex((cell) => cell.trim() !== '');
  if (last >= LIMITS.importColumns) throw fault('columns');
  const used = new Set<string>();
  return row.slice(0, last + 1).map((cell, index) => {
    const base = cell.replace(/^\ufeff/, '').trim() || `Column ${index + 1}`;
    let heading = base;
    for (let next = 2; used.has(heading); next += 1) heading = `${base} (${next})`;
    used.add(heading);
    return heading;
  });
}

// A file as a table: what it is, its encoding, delimiter and header line, its rows with the problems of their length, and
// a guess for each column, all found from the whole file. The memory is that of a row and of the facts.

import { type CsvBounds, type CsvRow, openCsvParser } from './csv-parser.ts';
import { cellText } from './csv-text.ts';
import { openDecoder } from './decoder.ts';
import type { Encoding } from './encoding-names.ts';
import { openEncodingFinder } from './encodings.ts';
import type { ColumnFacts, GuessedField } from './guess.ts';
import { guessedFields, openColumn } from './guess-types.ts';
import { findPreset, withSourceIds } from './presets/find-preset.ts';
import type { Preset } from './presets/preset.ts';
import { tableFault } from './table-fault.ts';
import {
  findDelimiter,
  findSkipLines,
  firstRows,
  headingsOf,
  isBlank,
  isSeparatorLine,
  requireTable,
} from './table-layout.ts';

/** How a file is written. */
export interface TableFormat {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** Lines before the header. */
  readonly skipLines: number;
}

export interface TableBounds extends CsvBounds {
  readonly columns: number;
}

/** A row below the header. */
export interface TableRow extends CsvRow {
  /** Has another number of cells than the header, apart from empty cells behind the last column. */
  readonly isUneven: boolean;
  readonly isBlank: boolean;
}

export interface TableReader {
  /** Undefined until the header is there. */
  headings(): readonly string[] | undefined;
  /** Rows below the header. Errors: a fault. */
  push(text: string): readonly TableRow[];
  end(): readonly TableRow[];
}

export interface TableReaderOptions extends Pick<TableFormat, 'delimiter' | 'skipLines'> {
  readonly bounds: TableBounds;
  /** True: cells keep spaces around them, and apostrophes. */
  readonly raw?: boolean;
}

/** The table in a text that comes in pieces. */
export function openTableReader(options: TableReaderOptions): TableReader {
  const { delimiter, skipLines, bounds, raw = false } = options;
  const parser = openCsvParser(delimiter, bounds);
  let headings: readonly string[] | undefined;
  const read = (rows: readonly CsvRow[]): readonly TableRow[] =>
    rows.flatMap((row) => {
      if (headings !== undefined) return [tableRow(row, headings.length, raw)];
      if (row.line <= skipLines || isBlank(row.cells) || isSeparatorLine(row)) return [];
      headings = headingsOf(row.cells);
      if (headings.length > bounds.columns) throw tableFault('columns', row.line);
      return [];
    });
  return {
    headings: () => headings,
    push: (text) => read(parser.push(text)),
    end: () => read(parser.end()),
  };
}

/** Spreadsheets leave empty cells behind the last column. */
function tableRow(row: CsvRow, columns: number, raw: boolean): TableRow {
  const cells = raw ? row.cells : row.cells.map(cellText);
  const isUneven = cells.length < columns || !isBlank(cells.slice(columns));
  return {
    ...row,
    cells: isUneven ? cells : cells.slice(0, columns),
    isUneven: isUneven && !isBlank(cells),
    isBlank: isBlank(cells),
  };
}

/** The facts of a file before its import. */
export interface Reading {
  /** Each once, none empty, each on one line. */
  readonly headings: readonly string[];
  /** Without blank and uneven ones. */
  readonly rows: number;
  /** Of each column. */
  readonly columns: readonly ColumnFacts[];
  readonly guesses: readonly GuessedField[];
  /** The program that wrote the file. */
  readonly preset: Preset | undefined;
  /** The first rows. */
  readonly sample: readonly (readonly string[])[];
  /** Rows that do not have as many cells as the header. */
  readonly uneven: { readonly count: number; readonly first: readonly UnevenRow[] };
}

export interface UnevenRow {
  readonly line: number;
  readonly cells: number;
  readonly text: string;
}

const SAMPLE_ROWS = 50;
const UNEVEN_ROWS = 20;
const UNEVEN_LENGTH = 200;

/** Collects the facts of the rows of a table. */
export function openReading(reader: TableReader, today: Date, product?: string) {
  let columns: ReturnType<typeof openColumn>[] | undefined;
  const sample: (readonly string[])[] = [];
  const first: UnevenRow[] = [];
  let rows = 0;
  let uneven = 0;
  const add = (row: TableRow) => {
    columns ??= (reader.headings() ?? []).map((heading) => openColumn(heading, today));
    if (row.isBlank) return;
    if (row.isUneven) {
      uneven += 1;
      const text = row.raw.slice(0, UNEVEN_LENGTH);
      if (first.length < UNEVEN_ROWS) first.push({ line: row.line, cells: row.cells.length, text });
      return;
    }
    rows += 1;
    if (sample.length < SAMPLE_ROWS) sample.push(row.cells);
    for (const [index, column] of columns.entries()) {
      const text = row.cells[index] ?? '';
      if (text !== '') column.add(text);
    }
  };
  return {
    rows: () => rows,
    add(more: readonly TableRow[]) {
      for (const row of more) add(row);
    },
    finish(): Reading {
      const headings = reader.headings();
      if (headings === undefined) throw tableFault('empty');
      columns ??= headings.map((heading) => openColumn(heading, today));
      const preset = findPreset(headings, product);
      const found = columns.map((column) => column.guess());
      return {
        ...{ headings, rows, sample, preset, uneven: { count: uneven, first } },
        columns: columns.map((column) => column.facts()),
        guesses: withSourceIds(guessedFields(headings, found), preset),
      };
    },
  };
}

/** Choices of a person or a mapping; the rest is found. */
export interface TableChoices {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: string | undefined;
  readonly skipLines?: number | undefined;
  /** The program that wrote it. */
  readonly product?: string | undefined;
}

export interface Table extends Reading, TableFormat {
  /** False: a person has to look at the letters. */
  readonly isEncodingSure: boolean;
  /** The likely encodings, this one first. */
  readonly likelyEncodings: readonly Encoding[];
  /** The first lines of the file, above the header as well, by their numbers. */
  readonly firstLines: readonly (readonly [line: number, text: string])[];
}

export interface ReadOptions {
  readonly bounds: TableBounds;
  readonly today: Date;
  /** Called with the rows so far; others have a turn when it returns a promise. */
  readonly onRows?: (rows: number) => Promise<void> | void;
}

/** The beginning, from which the layout is found. */
const START_BYTES = 64 * 1024;
const FIRST_LINES = 30;

/** Reads a file twice: for its encoding, and for its rows. Errors: a fault. */
export async function readTable(
  open: () => AsyncIterable<Uint8Array>,
  choices: TableChoices,
  { bounds, today, onRows }: ReadOptions,
): Promise<Table> {
  const { start, found } = await findForm(open(), onRows);
  const encoding = choices.encoding ?? found.encoding;
  requireTable(start, '');
  // The last character may be cut off.
  const text = openDecoder(encoding).push(start);
  requireTable(start, text);
  const delimiter = choices.delimiter ?? findDelimiter(text);
  const rows = firstRows(text, delimiter);
  const skipLines = choices.skipLines ?? findSkipLines(rows);
  const reader = openTableReader({ delimiter, skipLines, bounds });
  const reading = openReading(reader, today, choices.product);
  const decoder = openDecoder(encoding);
  for await (const piece of open()) {
    reading.add(reader.push(decoder.push(piece)));
    await onRows?.(reading.rows());
  }
  reading.add(reader.push(decoder.end()));
  reading.add(reader.end());
  return {
    ...{ encoding, delimiter, skipLines, ...reading.finish() },
    isEncodingSure: choices.encoding !== undefined || found.isSure,
    likelyEncodings: found.likely,
    firstLines: rows.slice(0, FIRST_LINES).map(({ line, raw }) => [line, raw.slice(0, 80)]),
  };
}

async function findForm(bytes: AsyncIterable<Uint8Array>, onRows: ReadOptions['onRows']) {
  const finder = openEncodingFinder();
  const start = new Uint8Array(START_BYTES);
  let length = 0;
  for await (const piece of bytes) {
    finder.push(piece);
    const part = piece.subarray(0, START_BYTES - length);
    start.set(part, length);
    length += part.length;
    await onRows?.(0);
  }
  if (length === 0) throw tableFault('empty');
  return { start: start.subarray(0, length), found: finder.finish() };
}

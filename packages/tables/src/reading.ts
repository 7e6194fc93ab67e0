// A file as a table: what it is, its encoding, delimiter and header line, its rows with the problems of their length, and
// a guess for each column, all found from the whole file. The memory is that of a row and of the facts.

import { type CsvBounds, type CsvRow, openCsvParser } from './csv-parser.ts';
import { cellText, csvText } from './csv-text.ts';
import { openDecoder } from './decoder.ts';
import type { Encoding } from './encoding-names.ts';
import { openEncodingFinder } from './encodings.ts';
import type { Format, FormatBatch, LeftOut, OpenFormat } from './formats/format-rows.ts';
import { formatIn } from './formats/format-signs.ts';
import { openFormat as openHere } from './formats/open-format.ts';
import type { ColumnFacts, GuessedField } from './guess.ts';
import { guessedFields, openColumn } from './guess-types.ts';
import { type Notation, notationOf } from './notation.ts';
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
} from './table-layout.ts';

/** How a file is written. */
export interface TableFormat {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** Lines before the header. */
  readonly skipLines: number;
  /** Undefined: text with delimiters. */
  readonly format?: Format | undefined;
  /** The sheets of a workbook or lists of a JSON object, and the one that is read. */
  readonly sheets?: readonly string[] | undefined;
  readonly sheet?: string | undefined;
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
  read(rows: readonly CsvRow[]): readonly TableRow[];
}

export interface TableReaderOptions extends Pick<TableFormat, 'format' | 'skipLines'> {
  readonly bounds: TableBounds;
  /** True: cells keep spaces around them, and apostrophes. */
  readonly raw?: boolean;
}

/** The table in the rows of a file. */
function openTableReader(options: TableReaderOptions): TableReader {
  const { skipLines, bounds } = options;
  let headings: readonly string[] | undefined;
  return {
    headings: () => headings,
    read: (rows) =>
      rows.flatMap((row) => {
        if (headings !== undefined) return [tableRow(row, headings.length, options)];
        if (row.line <= skipLines || isBlank(row.cells) || isSeparatorLine(row)) return [];
        headings = headingsOf(row.cells);
        if (headings.length > bounds.columns) throw tableFault('columns', row.line);
        return [];
      }),
  };
}

/** Spreadsheets leave empty cells behind the last column, and workbooks have no cells behind the last value of a row. */
function tableRow(
  row: CsvRow,
  columns: number,
  { format, raw = false }: Pick<TableReaderOptions, 'format' | 'raw'>,
): TableRow {
  const clean = format === undefined ? cellText : (text: string) => text.trim();
  const cells = raw ? [...row.cells] : row.cells.map(clean);
  while (format !== undefined && cells.length < columns) cells.push('');
  const isUneven = cells.length < columns || !isBlank(cells.slice(columns));
  return {
    ...row,
    cells: isUneven ? cells : cells.slice(0, columns),
    isUneven: isUneven && !isBlank(cells),
    isBlank: isBlank(cells),
  };
}

/** Rows of a table in another form, as CSV has them. */
function csvRowsOf({ rows }: FormatBatch): readonly CsvRow[] {
  return rows.map(({ cells, line }) => ({ cells, line, raw: csvText([cells]).slice(0, -1) }));
}

/** The facts of a file before its import. */
export interface Reading {
  /** Each once, none empty, each on one line. */
  readonly headings: readonly string[];
  /** The number of rows, without blank and uneven ones. */
  readonly rows: number;
  /** The facts of each column. */
  readonly columns: readonly ColumnFacts[];
  readonly guesses: readonly GuessedField[];
  readonly notation: Notation;
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
function openReading(reader: TableReader, today: Date, product?: string) {
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
      const notation = notationOf(columns.map((column) => column.written()));
      const found = columns.map((column) => column.guess(notation));
      return {
        ...{ headings, rows, sample, preset, notation, uneven: { count: uneven, first } },
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
  readonly sheet?: string | undefined;
  /** The program that wrote it. */
  readonly product?: string | undefined;
}

export interface Table extends Reading, TableFormat {
  readonly leftOut: readonly LeftOut[];
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
  /** In a thread of its own, for example; here when left out. */
  readonly openFormat?: OpenFormat;
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
  options: ReadOptions,
): Promise<Table> {
  const { bounds, today, onRows } = options;
  const { start, found: form } = await findForm(open(), onRows);
  const source = await openSource(open, { start, encoding: form.encoding, choices }, options);
  const { rows: first, batches, isBinary, ...about } = source;
  const skipLines = choices.skipLines ?? findSkipLines(first);
  const reader = openTableReader({ format: about.format, skipLines, bounds });
  const reading = openReading(reader, today, choices.product);
  for await (const batch of batches) {
    reading.add(reader.read(batch));
    await onRows?.(reading.rows());
  }
  return {
    ...{ ...about, skipLines, ...reading.finish() },
    isEncodingSure: isBinary || choices.encoding !== undefined || form.isSure,
    likelyEncodings: isBinary ? ['utf-8'] : form.likely,
    firstLines: first.slice(0, FIRST_LINES).map(({ line, raw }) => [line, raw.slice(0, 80)]),
  };
}

/** Rows with the headings of their table. */
export interface TableBatch {
  readonly leftOut: readonly LeftOut[];
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

/** The rows of a file whose table is known. Errors: a fault. */
export async function* tableRows(
  bytes: AsyncIterable<Uint8Array>,
  table: Omit<TableFormat, 'sheets'>,
  {
    bounds,
    openFormat = openHere,
    raw = false,
  }: Pick<ReadOptions, 'bounds' | 'openFormat'> & Pick<TableReaderOptions, 'raw'>,
): AsyncGenerator<TableBatch> {
  const { format, encoding, sheet } = table;
  const reader = openTableReader({ ...table, bounds, raw });
  const batchOf = (rows: readonly CsvRow[], leftOut: TableBatch['leftOut'] = []): TableBatch => {
    const read = reader.read(rows);
    return { headings: reader.headings() ?? [], rows: read, leftOut };
  };
  if (format === undefined) {
    for await (const rows of textRows(bytes, { ...table, bounds })) yield batchOf(rows);
    return;
  }
  const batches = openFormat(format, bytes, { encoding, sheet, columns: bounds.columns });
  for await (const batch of batches) yield batchOf(csvRowsOf(batch), batch.leftOut);
}

/** A file whose layout is found. */
interface Source extends Omit<TableFormat, 'skipLines'> {
  /** The first rows. */
  readonly rows: readonly CsvRow[];
  /** All rows, from the first one. */
  readonly batches: AsyncIterable<readonly CsvRow[]>;
  /** The encoding means nothing. */
  readonly isBinary: boolean;
  readonly leftOut: readonly LeftOut[];
}

interface Start {
  readonly start: Uint8Array;
  readonly encoding: Encoding;
  readonly choices: TableChoices;
}

async function openSource(
  open: () => AsyncIterable<Uint8Array>,
  { start, encoding: found, choices }: Start,
  { bounds, openFormat = openHere }: ReadOptions,
): Promise<Source> {
  const isBinary = formatIn(start, '') !== undefined;
  const encoding = isBinary ? 'utf-8' : (choices.encoding ?? found);
  // The last character may be cut off.
  const text = isBinary ? '' : openDecoder(encoding).push(start);
  const format = formatIn(start, text);
  if (format === undefined) {
    const delimiter = choices.delimiter ?? findDelimiter(text);
    const batches = textRows(open(), { encoding, delimiter, bounds });
    const rows = firstRows(text, delimiter);
    return { encoding, delimiter, rows, batches, isBinary, leftOut: [] };
  }
  const batches = openFormat(format, open(), {
    ...{ encoding, sheet: choices.sheet, columns: bounds.columns },
  })[Symbol.asyncIterator]();
  const first = await batches.next();
  if (first.done === true) throw tableFault('empty');
  const { sheets, sheet, leftOut = [] } = first.value;
  const rows = csvRowsOf(first.value);
  async function* all() {
    yield rows;
    for (;;) {
      const { value, done } = await batches.next();
      if (done === true) return;
      yield csvRowsOf(value);
    }
  }
  const about = { encoding, delimiter: ',', format, sheets, sheet, rows, isBinary, leftOut };
  return { ...about, batches: all() };
}

async function* textRows(
  bytes: AsyncIterable<Uint8Array>,
  {
    encoding,
    delimiter,
    bounds,
  }: Pick<TableFormat, 'encoding' | 'delimiter'> & {
    readonly bounds: TableBounds;
  },
): AsyncGenerator<readonly CsvRow[]> {
  const decoder = openDecoder(encoding);
  const parser = openCsvParser(delimiter, bounds);
  for await (const piece of bytes) yield parser.push(decoder.push(piece));
  yield parser.push(decoder.end());
  yield parser.end();
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

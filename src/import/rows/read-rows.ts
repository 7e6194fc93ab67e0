// Reads the rows of a file of any form in constant memory. Problems of one row are reported with the row;
// problems of the file as a whole (encoding, quotes, header) end the reading with one line for the operator. The
// mapping interprets the columns.

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { openDecoder } from '../../../packages/tables/src/decoder.ts';
import type { Encoding } from '../../../packages/tables/src/encoding-names.ts';
import { wideEncoding } from '../../../packages/tables/src/encodings.ts';
import type { LeftOut } from '../../../packages/tables/src/formats/format-rows.ts';
import { formatIn } from '../../../packages/tables/src/formats/format-signs.ts';
import { openInThread } from '../../../packages/tables/src/node/format-thread.ts';
import { type TableRow, tableRows } from '../../../packages/tables/src/reading.ts';
import { DELIMITERS, namedDelimiter } from '../../../packages/tables/src/table-layout.ts';
import { operatorError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { BEYOND, JSON_BOUNDS } from '../../model/text/json-depth.ts';
import { parseJsonText } from '../../model/text/json-text.ts';
import { isNoteColumn, NOTE_COLUMNS, UNREADABLE_ROW } from '../../model/text/reject-text.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { explained, likelyEncoding, openTurns, readBytes, readText, refuse } from './file-text.ts';

export type SourceFormat =
  | {
      readonly kind: 'csv';
      readonly delimiter: string;
      readonly encoding?: Encoding;
      /** Lines before the header. */
      readonly skipLines?: number;
      /** Rows with another number of cells than the header are left out without a problem. */
      readonly skipUneven?: boolean;
      /** The sheet of a workbook, or the list of a JSON object. */
      readonly sheet?: string;
    }
  | { readonly kind: 'json_lines'; readonly encoding?: Encoding };

export interface SourceFile {
  readonly path: string;
  readonly format: SourceFormat;
  /** True: cells keep spaces around them, and an apostrophe before what looks like a formula (csv-text.ts). */
  readonly raw?: boolean;
}

/** One row; `line` is the first of its lines in the file, counted from 1. */
export interface SourceRow {
  readonly line: number;
  readonly raw: string;
  /** The cells of a CSV file in their order, without guards; of JSON lines the line. */
  readonly texts: readonly string[];
  readonly cells: ReadonlyMap<string, unknown>;
  /** Why the row cannot be used at all. */
  readonly problem: string | undefined;
  /** No column has a value, or the mapping leaves the row out. */
  readonly isBlank: boolean;
}

/** The problem of a row; `field` as the mapping names it, '' for the row as a whole. */
export interface RowProblem {
  readonly field: string;
  readonly reason: string;
}

export interface FileSummary {
  /** The header; undefined for JSON lines, where each row names its own columns. */
  readonly columns: readonly string[] | undefined;
  readonly rows: number;
  /** True when the rows have the ids of their records; of JSON lines the first one decides. */
  readonly hasIds: boolean;
  /** Content that is in no row. */
  readonly leftOut: readonly LeftOut[];
  /** The digest of all bytes, by which the same file is recognised. */
  readonly digest: string;
}

/** The most characters of a row: as many as the bytes of a batch. */
const ROW_LENGTH = LIMITS.batchBodyBytes;
/** Bounds of a JSON line: it has columns as a CSV file has. */
const LINE_BOUNDS = Object.freeze({ ...JSON_BOUNDS, outerKeys: LIMITS.importColumns });
/** Bounds of a table. */
export const TABLE_BOUNDS = Object.freeze({
  ...{ columns: LIMITS.importColumns, cells: LIMITS.importCells, length: ROW_LENGTH },
});

/** Tables; the content of a file says in which form. */
const TABLE_ENDINGS: readonly string[] = [
  ...['.csv', '.tsv', '.txt', '.xlsx', '.xlsm', '.json', '.vcf', '.ldif', '.ldi'],
];
export const ENDINGS_TEXT = '.csv, .tsv, .txt, .xlsx, .json, .jsonl, .ndjson, .vcf or .ldif';

/** The format by the ending of the name; undefined for another ending. */
export function formatOf(path: string, delimiter?: string): SourceFormat | undefined {
  const ending = extname(path).toLowerCase();
  const usual = ending === '.tsv' ? '\t' : ',';
  if (TABLE_ENDINGS.includes(ending)) return { kind: 'csv', delimiter: delimiter ?? usual };
  return ending === '.jsonl' || ending === '.ndjson' ? { kind: 'json_lines' } : undefined;
}

/** How a mapping says that a file is written. */
export type WrittenChoices = Pick<
  Mapping,
  'delimiter' | 'encoding' | 'skip_lines' | 'uneven_rows' | 'sheet'
>;

/**
 * The format of a file: as the mapping says, and else as its first bytes do. `encoding` overrides both. A file of rejected
 * rows has no lines above its header, and the encoding of the mapping only when a program has written it again.
 */
export async function formatOfFile(
  path: string,
  choices: WrittenChoices = {},
  encoding?: Encoding,
): Promise<SourceFormat | undefined> {
  const { delimiter, skip_lines = 0, uneven_rows, sheet } = choices;
  const start = startOf(path);
  const wide = wideEncoding(start);
  const text = textOfStart(start, wide ?? 'utf-8');
  const format = formatOf(path, delimiter ?? namedDelimiter(text));
  if (format === undefined || start.length === 0) return format;
  const areRejects = hasNotes(text, format);
  const isAmbiguous = areRejects && choices.encoding !== undefined;
  const unicode = isAmbiguous ? await unicodeOf(path) : undefined;
  const stated = encoding ?? unicode ?? choices.encoding ?? wide;
  const written = stated === undefined ? format : { ...format, encoding: stated };
  if (written.kind === 'json_lines') return written;
  const skipLines = areRejects ? 0 : skip_lines;
  return {
    ...{ ...written, skipLines, skipUneven: uneven_rows === 'skip' },
    ...(sheet === undefined ? {} : { sheet }),
  };
}

/** True of a file of rejected rows; programs may write its header again with quotation marks. */
function hasNotes(text: string, format: SourceFormat): boolean {
  const [line = ''] = text.split(/[\r\n]/, 1);
  if (format.kind === 'json_lines') return line.startsWith(`{"${NOTE_COLUMNS[0]}":`);
  const cells = line.split(format.delimiter).map((cell) => cell.replaceAll('"', '').trim());
  return NOTE_COLUMNS.every((name, index) => cells[index] === name);
}

/** The Unicode encoding of the file; undefined when it has another one. */
async function unicodeOf(path: string): Promise<Encoding | undefined> {
  const encoding = await likelyEncoding(path);
  return encoding.startsWith('utf-') ? encoding : undefined;
}

/** Enough bytes for the encoding and the first line. */
const START = 4096;

function startOf(path: string): Buffer {
  requireFile(path);
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(START);
      return start.subarray(0, readSync(file, start));
    } finally {
      closeSync(file);
    }
  } catch {
    // Reading the whole file finds its problem.
    return Buffer.alloc(0);
  }
}

/** Read the whole file once, so that a broken one is refused before anything is written. */
export async function inspectFile(file: SourceFile): Promise<FileSummary> {
  requireFile(file.path);
  const hash = createHash('sha256');
  const summary =
    file.format.kind === 'csv' ? await inspectCsv(file, hash) : await inspectJson(file, hash);
  return { ...summary, digest: hash.digest('hex') };
}

async function inspectCsv(file: SourceFile, hash: Hash): Promise<Omit<FileSummary, 'digest'>> {
  let rows = 0;
  let columns: readonly string[] = [];
  let leftOut: FileSummary['leftOut'] = [];
  for await (const batch of readTable(file, hash)) {
    columns = batch.headings;
    leftOut = batch.leftOut;
    rows += batch.rows.length;
  }
  if (columns.length === 0) throw operatorError(`${file.path} is empty.`);
  requireDelimiter(file, columns);
  return { columns, rows, hasIds: columns.includes('id'), leftOut };
}

async function inspectJson(file: SourceFile, hash: Hash): Promise<Omit<FileSummary, 'digest'>> {
  let rows = 0;
  let hasIds = false;
  for await (const { text, line } of readLines(file, hash)) {
    if (rows === 0 && text.trimStart().startsWith('[')) {
      throw refuse(file.path, line, 'this is a JSON array; name the file .json');
    }
    if (rows === 0) {
      const first = parseObject(text);
      hasIds = typeof first === 'object' && Object.hasOwn(first, 'id');
    }
    rows += 1;
  }
  return { columns: undefined, rows, hasIds, leftOut: [] };
}

/** A pipe can be read only once, and an import reads the file at least twice. */
function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw operatorError(
    `Cannot read ${path}: an import needs a regular file, because it reads it more than once.`,
  );
}

/** The rows in the order of the file. */
export function readRows(file: SourceFile): AsyncGenerator<SourceRow> {
  return file.format.kind === 'csv' ? readCsvRows(file) : readJsonRows(file);
}

async function* readCsvRows(file: SourceFile): AsyncGenerator<SourceRow> {
  const turns = openTurns();
  const skipsUneven = file.format.kind === 'csv' && file.format.skipUneven === true;
  for await (const { headings, rows } of readTable(file)) {
    for (const row of rows) {
      const isLeftOut = row.isUneven && skipsUneven;
      yield isLeftOut ? { ...csvRow(headings, row), isBlank: true } : csvRow(headings, row);
      await turns.next();
    }
  }
}

function csvRow(columns: readonly string[], { line, raw, cells, isUneven }: TableRow): SourceRow {
  return {
    ...{ line, raw, texts: cells },
    cells: new Map(columns.map((column, index) => [column, cells[index] ?? ''])),
    isBlank: cells.every((text, index) => text.trim() === '' || isNoteColumn(columns[index] ?? '')),
    problem: isUneven
      ? say('import_columns_differ', { count: cells.length, columns: columns.length }).text
      : undefined,
  };
}

/** The table of a file, some rows at a time. */
function readTable({ path, format, raw = false }: SourceFile, hash?: Hash) {
  const {
    encoding = 'utf-8',
    skipLines = 0,
    ...written
  } = format as SourceFormat & { kind: 'csv' };
  async function* batches() {
    const start = startOf(path);
    const form = formatIn(start, textOfStart(start, encoding));
    const table = { ...written, encoding, skipLines, format: form };
    const options = { bounds: TABLE_BOUNDS, openFormat: openInThread, raw };
    yield* tableRows(readBytes(path, hash), table, options);
  }
  return explained({ path, encoding }, batches());
}

/** The last character may be cut off, and letters do not matter here. */
function textOfStart(start: Uint8Array, encoding: Encoding): string {
  try {
    return openDecoder(encoding).push(start);
  } catch {
    return new TextDecoder().decode(start);
  }
}

async function* readJsonRows(file: SourceFile): AsyncGenerator<SourceRow> {
  for await (const { text, line } of readLines(file)) {
    const parsed = parseObject(text);
    const row = { line, raw: text, texts: [text] };
    if (typeof parsed === 'string') {
      yield { ...row, cells: new Map(), problem: parsed, isBlank: false };
      continue;
    }
    const cells = new Map(Object.entries(parsed));
    const isBlank = [...cells].every(([name, value]) => value === null || isNoteColumn(name));
    yield { ...row, cells, problem: undefined, isBlank };
  }
}

const NOT_MENDED = say('import_row_not_corrected', { marker: UNREADABLE_ROW }).text;

/** The object on the line, or its problem. */
function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const parsed = parseJsonText(text, LINE_BOUNDS);
    if (!('value' in parsed)) return `The line ${beyondText(parsed.beyond)}.`;
    const { value } = parsed;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (Object.hasOwn(value, UNREADABLE_ROW)) return NOT_MENDED;
      return value as Readonly<Record<string, unknown>>;
    }
    return say('import_line_not_object').text;
  } catch {
    return say('import_line_not_json').text;
  }
}

function beyondText(bound: keyof typeof BEYOND): string {
  return bound === 'size'
    ? `${BEYOND.size.text}, of them ${LIMITS.importColumns} columns`
    : BEYOND.depth.text;
}

/** Requires more than one column, or one without another delimiter in its name. */
function requireDelimiter({ path, format }: SourceFile, names: readonly string[]): void {
  const delimiter = format.kind === 'csv' ? format.delimiter : '';
  const [only = ''] = names;
  const other = DELIMITERS.find((candidate) => candidate !== delimiter && only.includes(candidate));
  if (names.length !== 1 || other === undefined) return;
  const named = JSON.stringify(other);
  throw refuse(
    path,
    1,
    `the columns seem to be separated by ${named}; say so with --delimiter, ` +
      `or in the mapping file: delimiter: ${named}`,
  );
}

/** The lines of the file that are not blank. */
async function* readLines(
  { path, format: { encoding } }: SourceFile,
  hash?: Hash,
): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let rest = '';
  let line = 0;
  const turns = openTurns();
  for await (const text of explained({ path, encoding }, readText(path, encoding, hash))) {
    // Only the new text is searched: a line may come in many pieces.
    const lines = text.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    for (const item of lines) {
      line += 1;
      requireLength(path, line, item);
      if (item.trim() !== '') yield { text: lineText(item), line };
      await turns.next();
    }
    requireLength(path, line + 1, rest);
  }
  if (rest.trim() !== '') yield { text: lineText(rest), line: line + 1 };
}

function lineText(line: string): string {
  return line.slice(line.startsWith('\uFEFF') ? 1 : 0, line.endsWith('\r') ? -1 : undefined);
}

function requireLength(path: string, line: number, text: string): void {
  if (text.length <= ROW_LENGTH) return;
  throw refuse(path, line, `the line is longer than ${ROW_LENGTH} characters`);
}

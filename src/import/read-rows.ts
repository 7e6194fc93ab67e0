// Reads a CSV or JSON lines file row by row in constant memory. Problems of one row are reported with the row;
// problems of the file as a whole (encoding, quotes, header) end the reading with one line for the operator. The
// mapping interprets the columns.

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { isOperatorError, operatorError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { say } from '../messages/message.ts';
import { unguardText } from '../model/csv-text.ts';
import { BEYOND, JSON_BOUNDS } from '../model/json-depth.ts';
import { parseJsonText } from '../model/json-text.ts';
import { isNoteColumn, UNREADABLE_ROW } from '../model/reject-text.ts';
import { openCellCount } from './cell-count.ts';
import { NO_TEXT, openTurns, readText, refuse } from './file-text.ts';

export type SourceFormat =
  | { readonly kind: 'csv'; readonly delimiter: string }
  | { readonly kind: 'json_lines' };

export interface SourceFile {
  readonly path: string;
  readonly format: SourceFormat;
  /** True: an apostrophe before what looks like a formula belongs to the text (csv-text.ts). */
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
  /** No column has a value. */
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
  /** Of all bytes: the same file is known again. */
  readonly digest: string;
}

/** The byte-order mark. */
const MARK = '\uFEFF';
/** The first line by which a spreadsheet says what separates the columns. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?[\r\n]*$/i;
/** Longer than any request could make a record at once. */
const ROW_LENGTH = LIMITS.batchBodyBytes;
/** Bounds of a JSON line: it has columns as a CSV file has. */
const LINE_BOUNDS = Object.freeze({ ...JSON_BOUNDS, outerKeys: LIMITS.importColumns });
const DELIMITERS = [',', ';', '\t', '|'];

/** The format by the ending of the name; undefined for another ending. */
export function formatOf(path: string, delimiter?: string): SourceFormat | undefined {
  const ending = extname(path).toLowerCase();
  if (ending === '.csv') return { kind: 'csv', delimiter: delimiter ?? ',' };
  if (ending === '.tsv') return { kind: 'csv', delimiter: delimiter ?? '\t' };
  return ending === '.jsonl' || ending === '.ndjson' ? { kind: 'json_lines' } : undefined;
}

/** The same with the separator of the file itself, unless `delimiter` gives one. */
export function formatOfFile(path: string, delimiter?: string): SourceFormat | undefined {
  return formatOf(path, delimiter ?? separatorOf(path));
}

/** The separator in the first line; undefined when it has none. */
export function separatorOf(path: string): string | undefined {
  requireFile(path);
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(16);
      const [line] = start.toString('utf8', 0, readSync(file, start)).split('\n');
      return SEPARATOR_LINE.exec(line ?? '')?.[1];
    } finally {
      closeSync(file);
    }
  } catch {
    // Reading the whole file finds its problem.
    return undefined;
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
  let records = 0;
  let columns: readonly string[] | undefined;
  const isHeader = () => {
    records += 1;
    return records === 1;
  };
  for await (const { fields } of readRecords(file, { hash, isWanted: isHeader })) {
    columns = requireHeader(file, fields);
  }
  const rows = records - 1;
  if (columns === undefined) throw operatorError(`${file.path} is empty.`);
  return { columns, rows, hasIds: columns.includes('id') };
}

async function inspectJson({ path }: SourceFile, hash: Hash): Promise<Omit<FileSummary, 'digest'>> {
  let rows = 0;
  let hasIds = false;
  for await (const { text, line } of readLines(path, hash)) {
    if (rows === 0 && text.trimStart().startsWith('[')) {
      throw refuse(path, line, 'this is a JSON array; write one object on each line');
    }
    if (rows === 0) {
      const first = parseObject(text);
      hasIds = typeof first === 'object' && Object.hasOwn(first, 'id');
    }
    rows += 1;
  }
  return { columns: undefined, rows, hasIds };
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
  return file.format.kind === 'csv' ? readCsvRows(file) : readJsonRows(file.path);
}

async function* readCsvRows(file: SourceFile): AsyncGenerator<SourceRow> {
  let columns: readonly string[] | undefined;
  for await (const { fields, raw, line } of readRecords(file)) {
    if (columns === undefined) {
      columns = requireHeader(file, fields);
      continue;
    }
    const texts = file.raw === true ? fields : fields.map(unguardText);
    yield { line, raw, ...csvRow(columns, texts) };
  }
}

/** Spreadsheets leave empty cells behind the last column, and rows without any value. */
function csvRow(
  columns: readonly string[],
  cells: readonly string[],
): Omit<SourceRow, 'line' | 'raw'> {
  const isBlank = cells.every(
    (text, index) => text.trim() === '' || isNoteColumn(columns[index] ?? ''),
  );
  const isFull = cells.length >= columns.length && isEmptyFrom(cells, columns.length);
  const texts = cells.length > columns.length && isFull ? cells.slice(0, columns.length) : cells;
  return {
    texts,
    cells: new Map(columns.map((column, index) => [column, texts[index] ?? ''])),
    isBlank,
    problem: isFull
      ? undefined
      : say('import_columns_differ', { count: cells.length, columns: columns.length }).text,
  };
}

function isEmptyFrom(texts: readonly string[], start: number): boolean {
  for (let index = start; index < texts.length; index += 1) {
    if (texts[index]?.trim() !== '') return false;
  }
  return true;
}

async function* readJsonRows(path: string): AsyncGenerator<SourceRow> {
  for await (const { text, line } of readLines(path)) {
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

interface CsvRecord {
  readonly fields: readonly string[];
  readonly raw: string;
  readonly line: number;
}

/** For the inspection of a file: a record that is not needed costs little. */
interface Inspection {
  readonly hash: Hash;
  isWanted(): boolean;
}

async function* readRecords(
  { path, format }: SourceFile,
  inspection?: Inspection,
): AsyncGenerator<CsvRecord> {
  let lastLine = 0;
  const onRecord = (
    { record, raw }: { readonly record: readonly string[]; readonly raw: string },
    { lines }: { readonly lines: number },
  ): CsvRecord | null => {
    lastLine = lines;
    if (lines === 1 && SEPARATOR_LINE.test(raw)) return null;
    if (inspection?.isWanted() === false) return null;
    const text = withoutLineEnds(raw);
    // Files that were put together have the mark of each; one in quotes is a character.
    if (text.startsWith(MARK)) {
      const [first = '', ...others] = record;
      return { fields: [first.slice(1), ...others], raw: text.slice(1), line: lineOf(text, lines) };
    }
    return { fields: record, raw: text, line: lineOf(text, lines) };
  };
  const parser = parse({
    delimiter: format.kind === 'csv' ? format.delimiter : ',',
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_LENGTH,
    raw: true,
    // Its type lacks the fields that `raw` adds, and that a record may become anything.
    on_record: onRecord as unknown as NonNullable<Options['on_record']>,
  });
  const text = readCountedText({ path, format }, inspection?.hash);
  pipeline(Readable.from(text), parser, () => undefined);
  const turns = openTurns();
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      yield record;
      await turns.next();
    }
  } catch (error) {
    throw isOperatorError(error) ? error : refuse(path, lastLine + 1, reasonOf(error), error);
  }
}

/** The text of a CSV file, in which no row has more cells than a spreadsheet can have. */
async function* readCountedText(
  { path, format }: SourceFile,
  hash: Hash | undefined,
): AsyncGenerator<string> {
  const count = openCellCount(format.kind === 'csv' ? format.delimiter : ',');
  for await (const text of readText(path, hash)) {
    if (!count.take(text)) {
      throw refuse(path, count.line(), `the row has more than ${LIMITS.importCells} cells`);
    }
    yield text;
  }
}

/** The first line of a text that ends on this line. */
function lineOf(text: string, last: number): number {
  return last - text.split('\n').length + 1;
}

/** A loop, because an expression for the end tries every line end within the text. */
function withoutLineEnds(text: string): string {
  const isEnd = (index: number) => text[index] === '\n' || text[index] === '\r';
  let start = 0;
  while (isEnd(start)) start += 1;
  let end = text.length;
  while (end > start && isEnd(end - 1)) end -= 1;
  return text.slice(start, end);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CsvError)) return String(error);
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'the row has a quotation mark that is never closed';
    case 'CSV_MAX_RECORD_SIZE':
      return `the row is longer than ${ROW_LENGTH} bytes; is a quotation mark left open?`;
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quotation mark inside a value; write the value in "…" and the mark as ""';
    default:
      return error.message;
  }
}

/** The header: distinct names, and more than one column or no other delimiter in sight. */
function requireHeader({ path, format }: SourceFile, cells: readonly string[]): readonly string[] {
  const named = cells.findLastIndex((name) => name.trim() !== '');
  const names = named < 0 ? cells : cells.slice(0, named + 1);
  const delimiter = format.kind === 'csv' ? format.delimiter : '';
  const [only = ''] = names;
  const other = DELIMITERS.find((candidate) => candidate !== delimiter && only.includes(candidate));
  if (names.length === 1 && other !== undefined) {
    const shown = JSON.stringify(other);
    throw refuse(
      path,
      1,
      `the columns seem to be separated by ${shown}; say so with --delimiter, ` +
        `or in the mapping file: delimiter: ${shown}`,
    );
  }
  if (names.length > LIMITS.importColumns)
    throw refuse(path, 1, `the file has more than ${LIMITS.importColumns} columns`);
  const headed = names.join('');
  if (headed.includes('\0')) throw refuse(path, 1, NO_TEXT);
  if (headed.includes('\r')) {
    throw refuse(path, 1, 'the lines end with CR alone; save the file with LF or CRLF');
  }
  const known = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name.trim() === '') throw refuse(path, 1, `column ${index + 1} has no name`);
    if (known.has(name)) throw refuse(path, 1, `the column "${name}" is there twice`);
    known.add(name);
  }
  return names;
}

/** The lines of the file that are not blank. */
async function* readLines(
  path: string,
  hash?: Hash,
): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let rest = '';
  let line = 0;
  const turns = openTurns();
  for await (const text of readText(path, hash)) {
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
  return line.slice(line.startsWith(MARK) ? 1 : 0, line.endsWith('\r') ? -1 : undefined);
}

function requireLength(path: string, line: number, text: string): void {
  if (text.length <= ROW_LENGTH) return;
  throw refuse(path, line, `the line is longer than ${ROW_LENGTH} characters`);
}

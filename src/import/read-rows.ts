// Reads a CSV or JSON lines file row by row in constant memory. What is wrong with one row is said
// with the row; what is wrong with the file as a whole (encoding, quotes, header) ends the reading
// with one line for the operator. What the columns mean is the mapping's business.

import { createHash, type Hash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { isOperatorError, operatorError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { unguardText } from '../model/csv-text.ts';
import { JSON_BOUNDS, TOO_DEEP } from '../model/json-depth.ts';
import { parseJsonText } from '../model/json-text.ts';
import { UNREADABLE_ROW } from '../model/reject-text.ts';

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
}

/** What is wrong with a row; `field` as the mapping names it, '' for the row as a whole. */
export interface RowProblem {
  readonly field: string;
  readonly reason: string;
}

export interface FileSummary {
  /** The header; undefined for JSON lines, where each row names its own columns. */
  readonly columns: readonly string[] | undefined;
  readonly rows: number;
  /** True when the rows bring the ids of their records; of JSON lines the first one tells. */
  readonly hasIds: boolean;
  /** Of all bytes: the same file is known again. */
  readonly digest: string;
}

/** Longer than any request could make a record at once. */
const ROW_LENGTH = LIMITS.batchBodyBytes;
const DELIMITERS = [',', ';', '\t', '|'];

/** The format by the ending of the name; undefined when it says nothing. */
export function formatOf(path: string, delimiter?: string): SourceFormat | undefined {
  const ending = extname(path).toLowerCase();
  if (ending === '.csv') return { kind: 'csv', delimiter: delimiter ?? ',' };
  if (ending === '.tsv') return { kind: 'csv', delimiter: delimiter ?? '\t' };
  return ending === '.jsonl' || ending === '.ndjson' ? { kind: 'json_lines' } : undefined;
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
  throw operatorError(`Cannot read ${path}: it is no file, and an import reads it more than once.`);
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
    const cells = new Map(columns.map((column, index) => [column, texts[index] ?? '']));
    const problem =
      fields.length === columns.length
        ? undefined
        : `The row has ${fields.length} columns, the header has ${columns.length}.`;
    yield { line, raw, texts, cells, problem };
  }
}

async function* readJsonRows(path: string): AsyncGenerator<SourceRow> {
  for await (const { text, line } of readLines(path)) {
    const parsed = parseObject(text);
    const row = { line, raw: text, texts: [text] };
    yield typeof parsed === 'string'
      ? { ...row, cells: new Map(), problem: parsed }
      : { ...row, cells: new Map(Object.entries(parsed)), problem: undefined };
  }
}

const NOT_MENDED = `The row was not mended: put its object in place of "${UNREADABLE_ROW}".`;

/** The object on the line, or what is wrong with it. */
function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const parsed = parseJsonText(text, JSON_BOUNDS);
    if (!('value' in parsed)) return `The line ${TOO_DEEP}.`;
    const { value } = parsed;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (Object.hasOwn(value, UNREADABLE_ROW)) return NOT_MENDED;
      return value as Readonly<Record<string, unknown>>;
    }
    return 'The line must hold one JSON object.';
  } catch {
    return 'The line is not valid JSON.';
  }
}

interface CsvRecord {
  readonly fields: readonly string[];
  readonly raw: string;
  readonly line: number;
}

/** Reading to know the file: of each record it is asked whether it is wanted, and the others cost little. */
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
    if (inspection?.isWanted() === false) return null;
    const text = withoutLineEnds(raw);
    return { fields: record, raw: text, line: lines - text.split('\n').length + 1 };
  };
  const parser = parse({
    delimiter: format.kind === 'csv' ? format.delimiter : ',',
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_LENGTH,
    raw: true,
    // Its type knows neither what `raw` adds nor that a record may become anything.
    on_record: onRecord as unknown as NonNullable<Options['on_record']>,
  });
  pipeline(Readable.from(decode(path, inspection?.hash)), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<CsvRecord>;
  } catch (error) {
    throw isOperatorError(error) ? error : refuse(path, lastLine + 1, reasonOf(error), error);
  }
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

/** The header: known, distinct names, and more than one column or no other delimiter in sight. */
function requireHeader({ path, format }: SourceFile, names: readonly string[]): readonly string[] {
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
  for await (const text of decode(path, hash)) {
    // Only the new text is searched: a line may come in many pieces.
    const lines = text.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    for (const item of lines) {
      line += 1;
      requireLength(path, line, item);
      if (item.trim() !== '') yield { text: withoutReturn(item), line };
    }
    requireLength(path, line + 1, rest);
  }
  if (rest.trim() !== '') yield { text: withoutReturn(rest), line: line + 1 };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function requireLength(path: string, line: number, text: string): void {
  if (text.length <= ROW_LENGTH) return;
  throw refuse(path, line, `the line is longer than ${ROW_LENGTH} characters`);
}

/** The text of the file without its byte-order mark. */
async function* decode(path: string, hash?: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 0;
  const read = (chunk?: Buffer) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      const reason = 'from here on the file is not UTF-8 text; save it as UTF-8';
      throw refuse(path, line + countValidLines(chunk), reason, error);
    }
  };
  try {
    for await (const chunk of createReadStream(path)) {
      if (line === 0) requireUtf8Mark(path, chunk);
      line ||= 1;
      hash?.update(chunk);
      const text = read(chunk);
      line += text.split('\n').length - 1;
      yield text;
    }
  } catch (error) {
    throw isOperatorError(error) ? error : cannotRead(path, error);
  }
  yield read();
}

const NO_TEXT = 'the file is no UTF-8 text but UTF-16 or binary data; save it as UTF-8';

/** UTF-16 says what it is in its first two bytes. */
function requireUtf8Mark(path: string, [first, second]: Buffer): void {
  const mark = `${first} ${second}`;
  if (mark === '255 254' || mark === '254 255') throw refuse(path, 1, NO_TEXT);
}

/** Line breaks before the first byte that is not UTF-8. */
function countValidLines(chunk: Buffer | undefined): number {
  const text = new TextDecoder('utf-8').decode(chunk ?? Buffer.alloc(0));
  const end = text.indexOf('\uFFFD');
  return text.slice(0, end === -1 ? undefined : end).split('\n').length - 1;
}

function cannotRead(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : error;
  const reasons = new Map<unknown, string>([
    ['ENOENT', 'there is no such file'],
    ['EISDIR', 'it is a folder'],
  ]);
  return operatorError(`Cannot read ${path}: ${reasons.get(code) ?? String(code)}.`, error);
}

function refuse(path: string, line: number, reason: string, cause?: unknown): Error {
  return operatorError(`${path}:${line}: ${reason}${reason.endsWith('?') ? '' : '.'}`, cause);
}

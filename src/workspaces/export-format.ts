// The file that holds one workspace: gzip over lines of JSON and the rows of tables as COPY prints them
// (docs/operations.md). Defines its content and the checks that find a damaged or foreign file; it reads and writes
// no database.

import { createGzip, type Gzip } from 'node:zlib';
import { operatorError } from '../errors.ts';
import { isObject } from '../model/definition/definition.ts';

export const FORMAT = 'workspace-records export';
export const FORMAT_VERSION = 2;
/** Files from before the first release: they name migrations that no longer exist, and their search rows are rebuilt. */
export const UNRELEASED_VERSION = 1;
const READABLE: readonly unknown[] = [UNRELEASED_VERSION, FORMAT_VERSION];

/** A fifth larger than the smallest, in a ninth of its time. */
const GZIP_LEVEL = 1;
/** The bytes of the packed file that are read or written at once. */
export const PACKED_CHUNK_BYTES = 2 ** 18;

/** Packs everything that the file has. */
export function openPacking(): Gzip {
  return createGzip({ level: GZIP_LEVEL, chunkSize: PACKED_CHUNK_BYTES });
}

/** The name of a file that is made now, or was made at this moment. */
export function archiveName(slug: string, moment = new Date().toISOString()): string {
  return `${slug}.${moment.slice(0, 19).replaceAll(':', '-')}Z.gz`;
}

/** The line after the rows of a table; COPY never prints such a row. */
export const END_OF_ROWS: Buffer = Buffer.from('\\.\n');

/** A table and its rows in the file, which come in the order of the header. */
export interface ExportedTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

/** The first line: everything that must be known before the rows. */
export interface ExportHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** The release of the service that wrote it. */
  readonly release: string;
  readonly exported_at: string;
  readonly workspace: { readonly slug: string; readonly name: string; readonly revision: number };
  /** Files of `migrations/workspace` that had shaped the tables. */
  readonly migrations: readonly string[];
  /** Last number of each sequence; null when it has given out none. */
  readonly sequences: Readonly<Record<string, string | null>>;
  /** `_definitions` first: the tables of records come from it. */
  readonly tables: readonly ExportedTable[];
  /** Files on records, whose bytes come behind the tables; undefined in files of releases without them. */
  readonly files?: number;
}

/** The line before the bytes of a file. */
export interface FileLine {
  readonly file: string;
  /** True: the bytes were lost before the export. */
  readonly missing?: true;
}

/** The second line: rows of `api_keys` as JSON, without the workspace; the secrets are hashes. */
export interface KeysLine {
  readonly api_keys: readonly Readonly<Record<string, unknown>>[];
}

/** The last line; the digest is that of everything before it. */
export interface EndLine {
  readonly end: { readonly rows: number; readonly sha256: string };
}

export function lineOf(
  value: ExportHeader | KeysLine | EndLine | FileLine | { readonly table: string },
) {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** The header, or an operator error when the file is not a readable file of a workspace. */
export function parseHeader(line: string): ExportHeader {
  const header = parseLine(line);
  if (header?.format !== FORMAT) throw foreign();
  if (!READABLE.includes(header.version)) {
    throw operatorError(
      `The file has version ${header.version} of the format; this release reads ${READABLE.join(' and ')}.`,
    );
  }
  if (!isHeader(header)) throw damaged();
  return header as unknown as ExportHeader;
}

/** A line behind the header, which can only be wrong in a file that is damaged. */
export function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function damaged(cause?: unknown): Error {
  return operatorError('The file is damaged or cut off; nothing was restored.', cause);
}

export function foreign(cause?: unknown): Error {
  return operatorError('The file is not an export of a workspace.', cause);
}

/** The number of rows of these tables. */
export function totalRows(tables: readonly ExportedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** The number of rows that begin in a piece of them. */
export function countRows(piece: Buffer): number {
  let rows = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) rows += 1;
  return rows;
}

function isHeader(header: Readonly<Record<string, unknown>>): boolean {
  const { release, workspace, migrations, sequences, tables, files = 0 } = header;
  return (
    Number.isSafeInteger(files) &&
    typeof release === 'string' &&
    isObject(workspace) &&
    typeof workspace.slug === 'string' &&
    typeof workspace.name === 'string' &&
    Number.isSafeInteger(workspace.revision) &&
    isTexts(migrations) &&
    isObject(sequences) &&
    Object.values(sequences).every((last) => last === null || /^-?\d{1,19}$/.test(String(last))) &&
    Array.isArray(tables) &&
    tables.every(isTable)
  );
}

function isTable(table: unknown): table is ExportedTable {
  return (
    isObject(table) &&
    typeof table.name === 'string' &&
    Number.isSafeInteger(table.rows) &&
    isTexts(table.columns)
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

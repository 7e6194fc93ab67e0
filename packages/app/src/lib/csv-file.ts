// Tables as text: rows of a decoded stream, with the memory of a chunk, and rows written as CSV with commas.

import { Parser } from 'papaparse';
import type { Encoding } from './text-encoding.ts';

type Row = readonly string[];

/** A row of more characters is a quotation mark that is never closed. */
const LONGEST_ROW = 8 * 1024 * 1024;

/** The reason why a file cannot be read. */
export type FileFault = 'quote' | 'encoding' | 'empty' | 'spreadsheet' | 'large' | 'columns';

/** Thrown as the cause of an error: workers pass no classes on. */
export function faultOf(error: unknown): FileFault | undefined {
  return error instanceof Error && typeof error.cause === 'string'
    ? (error.cause as FileFault)
    : undefined;
}

export function fault(cause: FileFault): Error {
  return new Error(`the file cannot be read: ${cause}`, { cause });
}

/** The rows of a file, some at a time; line breaks of every kind become `\n`. Errors: a fault. */
export async function* rowsOf(
  file: Blob,
  encoding: Encoding,
  delimiter: string,
): AsyncGenerator<readonly Row[]> {
  let pending = '';
  for await (const text of textsOf(file, encoding)) {
    pending += text;
    const { rows, rest } = wholeRows(pending, delimiter);
    pending = rest;
    if (pending.length > LONGEST_ROW) throw fault('quote');
    if (rows.length > 0) yield rows;
  }
  if (pending !== '') yield lastRows(pending, delimiter);
}

/** All rows of a text. */
export function parseRows(text: string, delimiter = ','): readonly Row[] {
  const plain = text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  return plain === '' ? [] : lastRows(plain, delimiter);
}

function wholeRows(text: string, delimiter: string) {
  const { data, meta } = new Parser({ delimiter, newline: '\n' }).parse(text, 0, true);
  return { rows: data, rest: text.slice(meta.cursor) };
}

function lastRows(text: string, delimiter: string): readonly Row[] {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
  const { data, errors } = new Parser({ delimiter, newline: '\n' }).parse(whole, 0, false);
  if (errors.some(({ code }) => code === 'MissingQuotes')) throw fault('quote');
  return data;
}

async function* textsOf(file: Blob, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const reader = file.stream().getReader();
  let held = '';
  for (;;) {
    const { value, done } = await reader.read();
    const text = held + decoded(decoder, value);
    // A line break of two characters may be cut in the middle.
    held = !done && text.endsWith('\r') ? '\r' : '';
    const plain = (held === '' ? text : text.slice(0, -1)).replaceAll(/\r\n?/g, '\n');
    if (plain !== '') yield plain;
    if (done) return;
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw fault('encoding');
  }
}

/** Lines of CSV in UTF-8, as the service reads them. */
export function csvText(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\n`).join('');
}

function cellText(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

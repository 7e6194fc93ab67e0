// Reads the file of a workspace piece by piece, checks that it is whole, and hands out its lines and
// the rows of its tables. However large the file is, a few pieces of it are in memory.

import { createHash } from 'node:crypto';
import { isOperatorError } from '../errors.ts';
import { countRows, damaged, END_OF_ROWS, foreign, parseLine } from './export-format.ts';

export interface ExportReader {
  /** The next line; the file is damaged when there is none. */
  line(): Promise<string>;
  /** The rows up to the end of a table, in pieces of whole rows. */
  rows(): AsyncGenerator<Buffer>;
  /** Read the last line: everything before it has arrived, and the file ends after it. */
  finish(): Promise<void>;
}

const NEWLINE = 10;
const BEHIND_A_ROW = Buffer.concat([Buffer.of(NEWLINE), END_OF_ROWS]);
/** PostgreSQL takes no value beyond 1 GB, and JavaScript no text: a longer line is none of ours. */
const MOST_BYTES = 512 * 2 ** 20;

/** `input` is the packed file; the reader ends the iteration only when it was read to its end. */
export function openExportReader(input: AsyncIterable<Buffer>): ExportReader {
  const unread = openUnread(input);
  const hash = createHash('sha256');
  let count = 0;
  return {
    async line() {
      const line = await takeLine(unread);
      hash.update(line);
      return line.toString();
    },
    async *rows() {
      for (;;) {
        const { rows, isEnd } = await takeRows(unread);
        hash.update(rows);
        count += countRows(rows);
        if (rows.length > 0) yield rows;
        if (isEnd) break;
      }
      hash.update(unread.take(END_OF_ROWS.length));
    },
    async finish() {
      const last = parseLine((await takeLine(unread)).toString());
      const end = last?.end as { readonly rows?: unknown; readonly sha256?: unknown } | undefined;
      if (end?.rows !== count || end.sha256 !== hash.digest('hex')) throw damaged();
      if (unread.rest().length > 0 || (await unread.more())) throw damaged();
    },
  };
}

/** Bytes that have arrived and were not handed out yet. */
interface Unread {
  rest(): Buffer;
  take(length: number): Buffer;
  /** Read on to the next end of a line; false when the file had ended before. */
  more(): Promise<boolean>;
}

function openUnread(input: AsyncIterable<Buffer>): Unread {
  const source = input[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    rest: () => rest,
    take(length) {
      const taken = rest.subarray(0, length);
      rest = rest.subarray(length);
      return taken;
    },
    async more() {
      const pieces = await readPieces(source, rest);
      rest = Buffer.concat(pieces);
      return pieces.length > 1;
    },
  };
}

/** The rest, and pieces up to one with an end of a line or to the end of the file. */
async function readPieces(source: AsyncIterator<Buffer>, rest: Buffer): Promise<Buffer[]> {
  const pieces = [rest];
  for (let size = rest.length; size < MOST_BYTES; ) {
    const { value, done } = await source.next().catch((error: unknown) => {
      throw explainRead(error);
    });
    if (done === true) return pieces;
    pieces.push(value);
    if (value.includes(NEWLINE)) return pieces;
    size += value.length;
  }
  throw damaged();
}

async function takeLine(unread: Unread): Promise<Buffer> {
  for (;;) {
    const end = unread.rest().indexOf(NEWLINE);
    if (end !== -1) return unread.take(end + 1);
    if (!(await unread.more())) throw damaged();
  }
}

/** Whole rows that are here, and whether the table ends behind them. */
async function takeRows(
  unread: Unread,
): Promise<{ readonly rows: Buffer; readonly isEnd: boolean }> {
  for (;;) {
    const rest = unread.rest();
    const startsWithEnd = rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS);
    const end = startsWithEnd ? 0 : rest.indexOf(BEHIND_A_ROW) + 1;
    if (startsWithEnd || end > 0) return { rows: unread.take(end), isEnd: true };
    const whole = rest.lastIndexOf(NEWLINE) + 1;
    // The last row may be the end mark in part: then it is looked at again with the rest.
    if (whole > 0) return { rows: unread.take(whole), isEnd: false };
    if (!(await unread.more())) throw damaged();
  }
}

/** Describes errors of gunzip; failures of the file system are reported unchanged. */
function explainRead(error: unknown): unknown {
  if (isOperatorError(error) || !(error instanceof Error) || !('code' in error)) return error;
  if (error.message === 'incorrect header check') return foreign(error);
  return String(error.code).startsWith('Z_') ? damaged(error) : error;
}

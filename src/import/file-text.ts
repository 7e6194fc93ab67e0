// The text of a file, piece by piece, and the lines that refuse a file that is not text.

import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isOperatorError, operatorError } from '../errors.ts';

/** Bytes that are read at once: 64 KB have 32,000 rows of one character, which are parsed in one turn. */
const PIECE = 16 * 1024;
/** Milliseconds for which rows are used before other requests have a turn. */
const TURN_MS = 5;

/** Turns of the event loop for others, between rows that come from memory. */
export function openTurns(): { next(): Promise<void> | undefined } {
  let end = performance.now() + TURN_MS;
  return {
    next() {
      if (performance.now() < end) return undefined;
      return setImmediate().then(() => {
        end = performance.now() + TURN_MS;
      });
    },
  };
}

/** The text of the file without its byte-order mark. */
export async function* readText(path: string, hash?: Hash): AsyncGenerator<string> {
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
    for await (const chunk of createReadStream(path, { highWaterMark: PIECE })) {
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

export const NO_TEXT = 'the file is UTF-16 or binary data; save it as UTF-8 text';

/** The first two bytes of UTF-16 identify it. */
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

/** The one line for the operator. */
export function refuse(path: string, line: number, reason: string, cause?: unknown): Error {
  return operatorError(`${path}:${line}: ${reason}${reason.endsWith('?') ? '' : '.'}`, cause);
}

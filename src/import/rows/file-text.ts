// The text of a file, piece by piece, and the lines that refuse a file that is not text.

import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openDecoder } from '../../../packages/tables/src/decoder.ts';
import type { Encoding } from '../../../packages/tables/src/encoding-names.ts';
import { openEncodingFinder } from '../../../packages/tables/src/encodings.ts';
import { faultOf } from '../../../packages/tables/src/table-fault.ts';
import { isOperatorError, operatorError } from '../../errors.ts';
import { FAULT_MESSAGES } from '../../model/text/fault-message.ts';

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

/** The text of the file without its byte-order mark. Errors: a fault. */
export async function* readText(
  path: string,
  encoding: Encoding = 'utf-8',
  hash?: Hash,
): AsyncGenerator<string> {
  const decoder = openDecoder(encoding);
  for await (const chunk of readBytes(path, hash)) yield decoder.push(chunk);
  yield decoder.end();
}

/** The items; a fault of the file ends them as an operator error. */
export async function* explained<Item>(
  { path, encoding = 'utf-8' }: { readonly path: string; readonly encoding?: Encoding | undefined },
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    const line = Math.max(1, fault.line);
    if (fault.fault === 'encoding') throw await refuseEncoding(path, line, encoding);
    throw refuse(path, line, FAULT_MESSAGES[fault.fault].text, error);
  }
}

/** The bytes of the file. Errors: of an operator. */
export async function* readBytes(path: string, hash?: Hash): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: PIECE })) {
      hash?.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw isOperatorError(error) ? error : cannotRead(path, error);
  }
}

/** The encoding that the file probably has, from all of its bytes. Errors: of an operator. */
export async function likelyEncoding(path: string): Promise<Encoding> {
  const finder = openEncodingFinder();
  for await (const piece of readBytes(path)) finder.push(piece);
  return finder.finish().encoding;
}

/** Names the encoding that the file may have. */
async function refuseEncoding(path: string, line: number, encoding: Encoding): Promise<Error> {
  const likely = await likelyEncoding(path);
  const name = encoding === 'utf-8' ? 'UTF-8' : encoding;
  return refuse(
    path,
    line,
    `from here on the file is not ${name} text; it may be ${likely}: say so with --encoding, ` +
      `or in the mapping: encoding: ${likely}`,
  );
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
  return operatorError(`${path}:${line}: ${reason}.`, cause);
}

// Pieces of bytes as one.

import { tableFault } from './table-fault.ts';

/** The pieces of a file as one. Errors: the fault `large`. */
export async function joinedBytes(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) throw tableFault('large');
    // A stream may use the memory of a piece again.
    parts.push(piece.slice());
  }
  return joined(parts);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Bytes as a stream of one piece. */
export async function* wholeOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

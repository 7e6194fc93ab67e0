// The directory of a ZIP archive, read before anything is unpacked: what its parts claim to need is added up, and parts
// that claim nothing are refused. No more of a part is unpacked than it claims.

import { tableFault } from '../table-fault.ts';

export interface ArchivePart {
  readonly name: string;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  /** The place of its local header. */
  readonly header: number;
}

export interface Archive {
  readonly bytes: Uint8Array;
  readonly parts: readonly ArchivePart[];
}

export const PACKED_BYTES = 32 * 1024 * 1024;
const UNPACKED_BYTES = 400 * 1024 * 1024;
/** A part without a size may have this many packed bytes, which are at most a megabyte. */
const TINY = 1024;
export const MOST_OF_TINY = 2 * 1024 * 1024;

const END = 0x06054b50;
const END_LENGTH = 22;
const ENTRY = 0x02014b50;
const HAS_DESCRIPTOR = 8;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

/** Errors: the fault `large`, or `workbook` when the bytes are not an archive. */
export function readArchive(bytes: Uint8Array): Archive {
  if (bytes.length > PACKED_BYTES) throw tableFault('large');
  const view = viewOf(bytes);
  let end = bytes.length - END_LENGTH;
  const first = Math.max(0, end - 0xffff);
  while (end >= first && view.getUint32(end, true) !== END) end -= 1;
  if (end < first) throw tableFault('workbook');
  const count = view.getUint16(end + 10, true);
  const directory = view.getUint32(end + 16, true);
  // An archive of these bounds needs no ZIP64.
  if (count === 0xffff || directory > end) throw tableFault('workbook');
  const parts: ArchivePart[] = [];
  let unpacked = 0;
  for (let entry = directory; parts.length < count; ) {
    if (entry + 46 > end || view.getUint32(entry, true) !== ENTRY) throw tableFault('workbook');
    const part = readPart(bytes, entry);
    unpacked += part.unpacked;
    parts.push(part);
    entry += 46 + [28, 30, 32].reduce((sum, at) => sum + view.getUint16(entry + at, true), 0);
  }
  if (unpacked > UNPACKED_BYTES) throw tableFault('large');
  return { bytes, parts };
}

function readPart(bytes: Uint8Array, entry: number): ArchivePart {
  const view = viewOf(bytes);
  const nameEnd = entry + 46 + view.getUint16(entry + 28, true);
  const part = {
    name: new TextDecoder().decode(bytes.subarray(entry + 46, nameEnd)),
    method: view.getUint16(entry + 10, true),
    packed: view.getUint32(entry + 20, true),
    unpacked: view.getUint32(entry + 24, true),
    header: view.getUint32(entry + 42, true),
  };
  const isLater = (view.getUint16(entry + 8, true) & HAS_DESCRIPTOR) !== 0 && part.packed === 0;
  const isUnknown = part.unpacked === 0 && (part.packed > TINY || isLater);
  if (isUnknown && !part.name.endsWith('/')) throw tableFault('large');
  return part;
}

/** The text of a part, unpacked piece by piece. */
export async function* unpack({ bytes }: Archive, part: ArchivePart): AsyncGenerator<string> {
  const view = viewOf(bytes);
  if (part.header + 30 > bytes.length) throw tableFault('workbook');
  const lengths = view.getUint16(part.header + 26, true) + view.getUint16(part.header + 28, true);
  const from = part.header + 30 + lengths;
  const packed = new Blob([bytes.slice(from, from + part.packed)]).stream();
  const unpacked =
    part.method === 0 ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = unpacked.getReader();
  const decoder = new TextDecoder();
  let length = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw tableFault('workbook');
      });
      if (done) break;
      length += value.length;
      if (length > Math.max(part.unpacked, MOST_OF_TINY)) throw tableFault('large');
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  yield decoder.decode();
}

export async function unpackText(archive: Archive, part: ArchivePart): Promise<string> {
  let text = '';
  for await (const piece of unpack(archive, part)) text += piece;
  return text;
}

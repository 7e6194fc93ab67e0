// Ids for rows that no value identifies: made of the file, the mapping and the line, so that an import that was cut
// off is continued by the same command instead of making everything twice.

import { createHash } from 'node:crypto';

/** The id of the record of a line; `source` says which file is imported, and as what. */
export function idsOf(source: string): (line: number) => string {
  const start = createHash('sha256').update(source).digest().subarray(0, 12);
  return (line) => {
    const bytes = Buffer.alloc(16);
    start.copy(bytes);
    bytes.writeUInt32BE(line, 12);
    return madeId(bytes);
  };
}

/** An id that no record has, always the same for the same name. */
export function standInFor(name: string): string {
  return madeId(createHash('sha256').update(name).digest());
}

/** A UUID of the first 16 bytes, version 8: made by the application (RFC 9562). */
export function madeId(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return [0, 8, 12, 16, 20].map((from, index, all) => hex.slice(from, all[index + 1])).join('-');
}

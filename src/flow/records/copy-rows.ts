// Rows that were made beforehand, sent to a table by COPY.

import type { Copying } from '../../postgres/copy.ts';
import { type CopiedTable, copyInText } from '../../sql/write/copy-sql.ts';

/** Lines in the format of COPY, as they are sent. */
export function bufferOf(lines: readonly string[]): Buffer {
  return Buffer.from([...lines, ''].join('\n'));
}

export async function copyRows(
  tx: Copying,
  { schema, ...table }: CopiedTable & { readonly schema: string },
  rows: Buffer,
): Promise<void> {
  if (rows.length > 0) await tx.copyIn(copyInText(schema, table, false), piecesOf(rows));
}

const PIECE_BYTES = 262_144;

async function* piecesOf(rows: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < rows.length; at += PIECE_BYTES) yield rows.subarray(at, at + PIECE_BYTES);
}

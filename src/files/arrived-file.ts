// A file as it arrives: written under a temporary name and brought to the disk, with its size and digest.

import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Digested } from './stored-bytes.ts';

/** Only the owner of the process can read it. It is removed when it does not come to its end. */
export async function writeArriving(
  path: string,
  pieces: AsyncIterable<Buffer>,
): Promise<Digested> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      size += piece.length;
      await file.appendFile(piece);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
  return { size, sha256: hash.digest() };
}

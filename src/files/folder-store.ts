// Files in a folder: `<workspace>/<two characters>/<id>`, so that no folder has too many. A file gets its name when all of
// it is on the disk (docs/design/files.md).

import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeArriving } from './arrived-file.ts';
import type { ByteRange, FileStore, OpenBytes, StoredAt } from './stored-bytes.ts';

/** Bytes that are read at once. */
const PIECE_BYTES = 256 * 1024;

export function openFolderStore(folder: string): FileStore {
  return {
    async put(at, pieces) {
      const arriving = arrivingPath(folder, at);
      const digested = await writeArriving(arriving, pieces);
      const path = pathOf(folder, at);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(arriving, path);
      await syncFolder(dirname(path));
      return digested;
    },
    open: (at, range) => openBytes(pathOf(folder, at), range),
    async remove(at) {
      await rm(arrivingPath(folder, at), { force: true });
      await rm(pathOf(folder, at), { force: true });
    },
    removeAll: (workspace) => rm(join(folder, String(workspace)), { recursive: true, force: true }),
    addressOf: async () => undefined,
  };
}

/** Ids are made by the service; anything else would be a broken invariant. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function pathOf(folder: string, { workspace, id }: StoredAt): string {
  if (!Number.isSafeInteger(workspace) || !ID.test(id)) throw new Error('not the id of a file');
  // The end of an id is random, its beginning is the time.
  return join(folder, String(workspace), id.slice(-2), id);
}

/** The path of a file until all of it has arrived. */
export function arrivingPath(folder: string, at: StoredAt): string {
  return `${pathOf(folder, at)}.part`;
}

/** The name is on the disk as well, where the system can do that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => undefined);
  await folder.close();
}

async function openBytes(path: string, range: ByteRange): Promise<OpenBytes | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  return {
    pieces: () => piecesOf(file, range),
    discard: () => void file.close().catch(() => undefined),
  };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Errors: one when the file is shorter. */
async function* piecesOf(file: FileHandle, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  try {
    for (let at = start; at <= end; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end + 1 - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error('a stored file is shorter than its size');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

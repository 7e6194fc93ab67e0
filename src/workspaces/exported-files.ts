// The bytes of files on records in the file of a workspace: behind the tables, each as lines of base64
// (docs/design/files.md). A restore compares their digests with those of the rows.

import { loadStoredFiles, type StoredRecordFile } from '../control/stored/stored-files.ts';
import type { FileStore } from '../files/stored-bytes.ts';
import type { Queryable } from '../postgres/db.ts';
import { damaged, END_OF_ROWS, type FileLine, lineOf, parseLine } from './export-format.ts';
import type { ExportReader } from './export-reader.ts';

/** Pieces of the file of a workspace, and how many rows of it they are. */
export interface FileBytes {
  readonly pieces: AsyncIterable<Buffer>;
  /** Known when all pieces were read. */
  counted(): { readonly rows: number; readonly missing: number };
}

/** The lines of these files. One that the store has no longer is marked as such. */
export function fileBytes(
  store: FileStore,
  workspace: number,
  files: readonly StoredRecordFile[],
): FileBytes {
  let rows = 0;
  let missing = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (const { id, size } of files) {
      const stored = await store.open({ workspace, id }, { start: 0, end: size - 1 });
      const isMissing = stored === undefined;
      yield lineOf(isMissing ? { file: id, missing: true } : { file: id });
      if (isMissing) missing += 1;
      else {
        for await (const piece of stored.pieces()) {
          rows += 1;
          yield Buffer.from(`${Buffer.from(piece).toString('base64')}\n`);
        }
      }
      yield END_OF_ROWS;
    }
  }
  return { pieces: pieces(), counted: () => ({ rows, missing }) };
}

/**
 * Store the files that come next in the file of a workspace, whose rows are there; answers how many. Errors: operator
 * errors for bytes that are others than those of the row.
 */
export async function restoreFiles(
  tx: Queryable,
  { id: workspace, schema }: { readonly id: number; readonly schema: string },
  { reader, store }: { readonly reader: ExportReader; readonly store: FileStore },
  count: number,
): Promise<number> {
  if (count === 0) return 0;
  const files = new Map((await loadStoredFiles(tx, schema)).map((file) => [file.id, file]));
  let restored = 0;
  for (let at = 0; at < count; at += 1) {
    const line = parseLine(await reader.line()) as Partial<FileLine> | undefined;
    const file = files.get(String(line?.file));
    if (file === undefined) throw damaged();
    if (line?.missing === true) await skip(reader);
    else {
      await restoreOne(store, { workspace, file }, reader);
      restored += 1;
    }
  }
  return restored;
}

async function restoreOne(
  store: FileStore,
  { workspace, file }: { readonly workspace: number; readonly file: StoredRecordFile },
  reader: ExportReader,
): Promise<void> {
  const { size, sha256 } = await store.put({ workspace, id: file.id }, bytesOf(reader));
  if (size !== file.size || !sha256.equals(file.sha256)) throw damaged();
}

async function* bytesOf(reader: ExportReader): AsyncGenerator<Buffer> {
  for await (const rows of reader.rows()) {
    for (const row of rows.toString('latin1').split('\n')) {
      if (row !== '') yield Buffer.from(row, 'base64');
    }
  }
}

async function skip(reader: ExportReader): Promise<void> {
  for await (const rows of reader.rows()) if (rows.length > 0) throw damaged();
}

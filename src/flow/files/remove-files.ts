// Removes files for good: those that nothing has had for a day, and those of records that are erased. A row is marked
// before the bytes go and deleted after them, so that a process that ends in between loses none.

import {
  deleteFileRows,
  keepHeld,
  loadFileColumns,
  loadGoing,
  markGoing,
  releaseLost,
} from '../../control/stored/record-files.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import type { Queryable } from '../../postgres/db.ts';

/** The workspace whose files they are. */
export interface FileOwner {
  readonly id: number;
  readonly schema: string;
}

export interface FileKeeping {
  readonly db: Queryable;
  readonly store: FileStore;
}

/** Remove the files that an erasure has marked, at once. */
export async function removeMarkedFiles(keeping: FileKeeping, workspace: FileOwner): Promise<void> {
  const ids = await loadGoing(keeping.db, workspace.schema);
  await removeMarked(keeping, workspace, ids);
}

/** One pass over a workspace; answers how many files it has removed, at most so many. */
export async function collectFiles(
  keeping: FileKeeping,
  workspace: FileOwner,
  most: number,
): Promise<number> {
  const { db } = keeping;
  const { schema } = workspace;
  for (const column of await loadFileColumns(db, schema)) {
    if (column.isThere) await keepHeld(db, schema, column);
    await releaseLost(db, schema, column, most);
  }
  const ids = await markGoing(db, schema, most);
  await removeMarked(keeping, workspace, ids);
  return ids.length;
}

/** Remove a file that never became a whole one, or that nothing refers to. */
export function forgetFile(keeping: FileKeeping, workspace: FileOwner, id: string): Promise<void> {
  return removeMarked(keeping, workspace, [id]);
}

async function removeMarked(
  { db, store }: FileKeeping,
  { id: workspace, schema }: FileOwner,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const id of ids) await store.remove({ workspace, id });
  await deleteFileRows(db, schema, ids);
}

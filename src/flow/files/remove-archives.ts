// Removes archives of workspaces from the store: the bytes first, so that a process that ends in between loses none.

import {
  forgetArchive,
  loadExpiredArchives,
  type WorkspaceArchive,
} from '../../control/jobs/workspace-archives.ts';
import type { FileKeeping } from './remove-files.ts';

/** Removes at most so many expired archives, of one workspace or of all; returns the number. */
export async function removeExpiredArchives(
  keeping: FileKeeping,
  most: number,
  workspaceId?: number,
): Promise<number> {
  const archives = await loadExpiredArchives(keeping.db, most, workspaceId);
  await removeArchives(keeping, archives);
  return archives.length;
}

export async function removeArchives(
  { db, store }: FileKeeping,
  archives: readonly WorkspaceArchive[],
): Promise<void> {
  for (const { job_id, workspace_id: workspace, archive_id: id } of archives) {
    await store.remove({ workspace, id });
    await forgetArchive(db, job_id);
  }
}

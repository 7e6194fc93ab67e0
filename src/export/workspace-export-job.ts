// Exports of whole workspaces that were requested over HTTP (docs/design/workspaces.md, D627 to D629): the file that the
// command writes, into the store of files. A repeated attempt makes the file again, because it is of one moment.

import { pipeline } from 'node:stream/promises';
import { uuidv7 } from 'uuidv7';
import { authorOf, requireAdministrator, requireJobModel } from '../control/jobs/job-author.ts';
import { type AskedBy, WORKSPACE_EXPORT_JOBS } from '../control/jobs/job-kinds.ts';
import { type JobKind, type Report, whileHeld } from '../control/jobs/job-lease.ts';
import { withReason } from '../control/jobs/job-refusal.ts';
import type { Job } from '../control/jobs/jobs.ts';
import { loadOtherArchives } from '../control/jobs/workspace-archives.ts';
import { requireWorkspace, type WorkspaceRow } from '../control/workspace/workspaces.ts';
import type { FileStore } from '../files/stored-bytes.ts';
import { removeArchives } from '../flow/files/remove-archives.ts';
import { say } from '../messages/message.ts';
import type { Database } from '../postgres/db.ts';
import { openPacking } from '../workspaces/export-format.ts';
import { type Exported, exportWorkspace } from '../workspaces/workspace-export.ts';

export interface ArchiveMaking {
  readonly store: FileStore;
  /** The release of the service, for people. */
  readonly release: string;
}

export function exportingWorkspaces(db: Database, making: ArchiveMaking): JobKind {
  return {
    kind: WORKSPACE_EXPORT_JOBS,
    async run(job, signal, report) {
      const id = uuidv7();
      // Whatever becomes of the attempt, the file can be found and removed.
      const note: Report = (progress, tx) => report({ ...progress, archive_id: id }, tx);
      const work = { ...making, db: whileHeld(db, signal), job, signal, note, id };
      await withReason(signal, note, () => exportInto(work));
    },
  };
}

interface ArchiveRun extends ArchiveMaking {
  readonly db: Database;
  readonly job: Job;
  readonly signal: AbortSignal;
  readonly note: Report;
  /** The id of the file in the store; each attempt has another one. */
  readonly id: string;
}

async function exportInto(work: ArchiveRun): Promise<void> {
  const { db, job, store, note, id } = work;
  const workspaceId = Number(job.workspace_id);
  const { archive_id: earlier } = job.progress;
  if (typeof earlier === 'string') await store.remove({ workspace: workspaceId, id: earlier });
  await note({});
  const model = await requireJobModel(db, job);
  await requireAdministrator(db, model, authorOf(job, job.input as AskedBy));
  const workspace = await requireWorkspace(db, workspaceId);
  try {
    const made = await writeArchive(work, workspace);
    await removeArchives({ db, store }, await loadOtherArchives(db, workspaceId, job.id));
    await note(made);
  } catch (error) {
    // Where that fails too, the next attempt or the sweeper removes it.
    await store.remove({ workspace: workspaceId, id }).catch(() => undefined);
    throw error;
  }
}

/** Answers the progress at its end. */
async function writeArchive(work: ArchiveRun, workspace: WorkspaceRow) {
  const { db, store, release, signal, note, id } = work;
  const progress = { done: 0, total: 0, bytes: 0 };
  const options = {
    ...{ store, release, withoutKeys: false },
    onRows: (done: number, total: number) => void Object.assign(progress, { done, total }),
  };
  const exported = await exportWorkspace(db, workspace, options, (pieces) =>
    pipeline(
      pieces,
      openPacking(),
      async (packed: AsyncIterable<Buffer>) => {
        const at = { workspace: workspace.id, id };
        const { size } = await store.put(
          at,
          noted(packed, () => note({ ...progress })),
        );
        progress.bytes = size;
      },
      { signal },
    ),
  );
  const { records, files, missing_files, api_keys } = exported;
  return { ...progress, records, files, missing_files, api_keys, notes: notesOf(exported) };
}

/** Milliseconds between two notes of the progress. */
const NOTE_EVERY_MS = 1000;

/** Passes the pieces on, and calls `note` at most once per second. */
async function* noted(
  pieces: AsyncIterable<Buffer>,
  note: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let last = performance.now();
  for await (const piece of pieces) {
    yield piece;
    if (performance.now() - last < NOTE_EVERY_MS) continue;
    await note();
    last = performance.now();
  }
}

function notesOf({ missing_files, foreign }: Exported): readonly string[] {
  const lost = say('note_missing_files', { count: missing_files }).text;
  const strange = say('note_not_in_definition', { names: foreign.join(', ') }).text;
  return [...(missing_files > 0 ? [lost] : []), ...(foreign.length > 0 ? [strange] : [])];
}

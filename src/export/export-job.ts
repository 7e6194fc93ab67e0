// Exports that were requested over HTTP (D253): the records that the author may read, in pieces into the
// database. A repeated attempt makes the file again, because it is of one moment.

import { authorOf } from '../control/jobs/job-author.ts';
import { EXPORT_JOBS, type ExportInput } from '../control/jobs/job-kinds.ts';
import { type JobKind, type Report, whileHeld } from '../control/jobs/job-lease.ts';
import { withReason } from '../control/jobs/job-refusal.ts';
import type { Job, Progress } from '../control/jobs/jobs.ts';
import {
  appendPiece,
  completeFile,
  loadFileBytes,
  PIECE_BYTES,
  replaceExportFile,
} from '../control/stored/files.ts';
import { operatorError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { say } from '../messages/message.ts';
import { readRightsOf } from '../model/rights/read-rights.ts';
import { eventIdAt } from '../plan/events/event-id.ts';
import type { Database } from '../postgres/db.ts';
import { exportRecords } from './export-records.ts';

/** `mostBytes`: of a file. */
export function exporting(db: Database, mostBytes: number = LIMITS.exportFileBytes): JobKind {
  return {
    kind: EXPORT_JOBS,
    async run(job, signal, report) {
      const work = { db: whileHeld(db, signal), job, report, mostBytes };
      await withReason(signal, report, () => exportInto(work, job.input as ExportInput));
    },
  };
}

interface ExportRun {
  readonly db: Database;
  readonly job: Job;
  readonly report: Report;
  readonly mostBytes: number;
}

async function exportInto(work: ExportRun, input: ExportInput): Promise<void> {
  const { db, job, report } = work;
  const workspace = { id: Number(job.workspace_id), slug: String(job.workspace_id) };
  const user_id = Number(job.asked_by_user_id);
  const { object_type: objectType, format, raw, query: text, filters, fields, sort } = input;
  const { relationship, where, timezone, bom, names, user_ids: userIds } = input;
  const progress: ExportProgress = { done: 0, total: 0, bytes: 0 };
  let fileId = '';
  const { left_out } = await exportRecords(
    db,
    {
      ...{ workspace, objectType, relationship, format, raw, text, filters, fields, sort },
      ...{ where, timezone, bom, names, userIds },
      as: { ...authorOf(job, input), scopes: input.scopes },
      async onStart({ reading, objects, moment }) {
        progress.changes_cursor = eventIdAt(reading, moment);
        fileId = await replaceExportFile(db, job.id, {
          ...{ workspace_id: workspace.id, user_id, format },
          name: `${objectType}.${format}`,
          rights: readRightsOf(reading.caller, objects),
        });
      },
      onRows(done, total) {
        Object.assign(progress, { done, total });
      },
    },
    async (pieces) => {
      await store(work, pieces, {
        append: (number, bytes) => appendPiece(db, fileId, number, bytes),
        progress,
      });
    },
  );
  const notes =
    left_out.length === 0 ? [] : [say('note_not_readable', { fields: left_out.join(', ') }).text];
  const end: Progress = { ...progress, notes };
  await db.transaction(async (tx) => {
    await completeFile(tx, fileId, progress.bytes);
    await report(end, tx);
  });
}

interface ExportProgress {
  done: number;
  total: number;
  bytes: number;
  /** The position of the moment that the file shows. */
  changes_cursor?: string;
}

interface Destination {
  append(number: number, bytes: Buffer): Promise<void>;
  readonly progress: { bytes: number };
}

/** Pieces of one size, whatever the lines are. */
async function store(
  { db, job, report, mostBytes }: ExportRun,
  pieces: AsyncIterable<string | Uint8Array>,
  { append, progress }: Destination,
): Promise<void> {
  const usedBytes = await loadFileBytes(db, Number(job.workspace_id));
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  const put = async (bytes: Buffer) => {
    await append(number, bytes);
    number += 1;
    await report({ ...progress });
  };
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    rest = Buffer.concat([rest, bytes]);
    progress.bytes += bytes.length;
    requireRoom(progress.bytes, { others: usedBytes, mostBytes });
    for (; rest.length >= PIECE_BYTES; rest = rest.subarray(PIECE_BYTES)) {
      await put(rest.subarray(0, PIECE_BYTES));
    }
  }
  await put(rest);
}

function requireRoom(
  bytes: number,
  { others, mostBytes }: { readonly others: number; readonly mostBytes: number },
): void {
  if (bytes > mostBytes) {
    throw operatorError(`The file would be larger than ${mostBytes} bytes. Add a filter.`);
  }
  if (others + bytes <= LIMITS.filesOfWorkspaceBytes) return;
  throw operatorError(say('too_many_files').text);
}

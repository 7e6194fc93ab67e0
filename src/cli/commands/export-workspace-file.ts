// The file of a workspace: written, read, and tried.

import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { putBackup } from '../../control/process/state-figures.ts';
import type { WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import type { Database } from '../../postgres/db.ts';
import { openPacking, PACKED_CHUNK_BYTES } from '../../workspaces/export-format.ts';
import { exportWorkspace } from '../../workspaces/workspace-export.ts';
import { tryRestore } from '../../workspaces/workspace-restore.ts';
import { counted, openOutput, STANDARD, secondsSince, watchRows } from '../export-output.ts';
import { remark } from '../say.ts';
import { readRelease } from '../service/release.ts';

export interface HowToExport {
  readonly out: string;
  /** True: replace a file that is there. */
  readonly force: boolean;
  readonly withoutKeys: boolean;
  /** True: restore the file afterwards, in a transaction that is rolled back. */
  readonly verify: boolean;
}

/** The database of the workspace, and its files. */
export interface Exporting {
  readonly db: Database;
  readonly store: FileStore;
}

/** Write a workspace to `out` and report it. A file that cannot be restored stays, so that people can examine it. */
export async function exportToFile(
  { db, store }: Exporting,
  workspace: WorkspaceRow,
  { out, force, withoutKeys, verify }: HowToExport,
): Promise<void> {
  const { slug } = workspace;
  const output = await openOutput(out, force);
  const { onRows, finish } = watchRows(`Exporting ${slug}`);
  const started = performance.now();
  try {
    const options = { release: readRelease().version, withoutKeys, onRows, store };
    const report = await exportWorkspace(db, workspace, options, (pieces) =>
      output.write(pieces, openPacking()),
    );
    finish();
    const size = output.keep();
    if (out !== STANDARD) await putBackup(db, workspace.id);
    const keys = withoutKeys ? '' : ` and ${counted(report.api_keys, 'API key')}`;
    const text = `Exported "${slug}"${size}: ${counted(report.records, 'record')}${keys}`;
    output.tell(`${text} (${secondsSince(started)} s).\n`);
    if (report.missing_files > 0) {
      const lost = counted(report.missing_files, 'file');
      remark(`Note: ${lost} left out, because the bytes are not in the store of files.\n`);
    }
    if (report.foreign.length > 0) {
      const names = report.foreign.join(', ');
      remark(`Note: left out, because they are not in the definition: ${names}.\n`);
    }
    if (verify) output.tell(await verified({ db, store }, out, report.records));
  } finally {
    output.discard();
  }
}

/** A sentence. Errors: an operator error when the file cannot be restored, or has another number of records. */
async function verified({ db, store }: Exporting, file: string, expected: number): Promise<string> {
  const input = openPacked(file);
  const { onRows, finish } = watchRows(`Restoring ${file} for a trial`);
  const started = performance.now();
  const slug = `verify-${randomBytes(8).toString('hex')}`;
  try {
    const options = { slug, release: readRelease().version, withoutKeys: false, onRows, store };
    const { records } = await tryRestore(db, input, options);
    finish();
    if (records !== expected) {
      throw operatorError(`${file} has ${records} records instead of ${expected}.`);
    }
    return `Restored ${file} for a trial: ${counted(records, 'record')} (${secondsSince(started)} s).\n`;
  } finally {
    input.destroy();
  }
}

/** The content of a file, unpacked; a file that cannot be read is an operator error at once. */
export function openPacked(file: string): Readable {
  const source = file === STANDARD ? process.stdin : openFile(file);
  const gunzip = createGunzip({ chunkSize: PACKED_CHUNK_BYTES });
  // Failures destroy the last stream, and its reader gets the error, unless it has stopped reading.
  gunzip.on('error', () => undefined);
  pipeline(source, gunzip, () => undefined);
  return gunzip;
}

function openFile(file: string): Readable {
  try {
    const fd = openSync(file, 'r');
    if (!fstatSync(fd).isDirectory()) {
      return createReadStream(file, { fd, highWaterMark: PACKED_CHUNK_BYTES });
    }
    closeSync(fd);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw operatorError(`Cannot read ${file}: ${reason}.`, error);
  }
  throw operatorError(`Cannot read ${file}: it is a directory.`);
}

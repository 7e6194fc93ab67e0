// `workspaces export --all`: a file for each workspace, as a nightly job writes them.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listWorkspaces } from '../../control/workspace/workspaces.ts';
import { isOperatorError, operatorError } from '../../errors.ts';
import { openFileStore } from '../../files/file-store.ts';
import { archiveName } from '../../workspaces/export-format.ts';
import { connect } from '../connect.ts';
import { reasonOf } from '../reason.ts';
import { remark } from '../say.ts';
import { exportToFile, type HowToExport } from './export-workspace-file.ts';

interface HowToExportAll extends HowToExport {
  /** Files that stay of each workspace; undefined: all. */
  readonly keep: number | undefined;
}

/** `acme.2026-11-26T09-22-57Z.gz`: the names of one workspace are in the order of their times. */
const NAMED = /^(?<slug>[a-z0-9-]+)\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz$/;

/**
 * Write a file for each workspace into the folder `out`. When one fails, the others are written all the same, and older
 * files of this one stay. Errors: an operator error that names those that failed.
 */
export async function exportAll({ out, keep, ...how }: HowToExportAll): Promise<void> {
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const { db, close, config } = await connect({ purpose: 'command' });
  const store = openFileStore(config);
  if (isOnDiskOf(config.dataDirectory, out)) {
    remark(`Note: ${out} is on the disk of the data; one that breaks takes both.\n`);
  }
  const failed: string[] = [];
  try {
    for (const workspace of await listWorkspaces(db)) {
      const { slug } = workspace;
      const file = join(out, archiveName(slug));
      try {
        await exportToFile({ db, store }, workspace, { ...how, out: file });
        if (keep !== undefined) removeOlder(out, slug, keep);
      } catch (error) {
        failed.push(slug);
        remark(`${slug}: ${isOperatorError(error) ? error.message : reasonOf(error)}\n`);
      }
    }
  } finally {
    await close();
  }
  if (failed.length > 0) throw operatorError(`Not exported: ${failed.join(', ')}.`);
}

/** False when the service has no data there, such as beside a database of its own and a bucket. */
function isOnDiskOf(dataDirectory: string, folder: string): boolean {
  if (!existsSync(dataDirectory)) return false;
  return statSync(dataDirectory).dev === statSync(folder).dev;
}

function removeOlder(folder: string, slug: string, keep: number): void {
  const files = readdirSync(folder).filter((name) => NAMED.exec(name)?.groups?.slug === slug);
  for (const name of files.sort().slice(0, -keep)) rmSync(join(folder, name));
}

// `workspaces export` and `workspaces restore`: a whole workspace to a file and back.

import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { operatorError } from '../errors.ts';
import { openFileStore } from '../files/file-store.ts';
import { exportWorkspace } from '../workspaces/workspace-export.ts';
import { type Restored, restoreWorkspace } from '../workspaces/workspace-restore.ts';
import { connect } from './connect.ts';
import {
  counted,
  openOutput,
  requireNoTerminal,
  STANDARD,
  secondsSince,
  watchRows,
} from './export-output.ts';
import { readRelease } from './release.ts';
import { remark, tell } from './say.ts';
import { withWorkspace } from './with-workspace.ts';

/** A fifth larger than the smallest, in a ninth of its time. */
const GZIP_LEVEL = 1;
const CHUNK_BYTES = 2 ** 18;

interface ExportArguments {
  readonly out: string;
  readonly force: boolean;
  readonly withoutKeys: boolean;
}

interface RestoreArguments {
  readonly slug?: string;
  readonly withoutKeys: boolean;
}

export function addExportCommands(workspaces: Command): void {
  workspaces
    .command('export')
    .description('Write a whole workspace, as it is at this moment, to a file.')
    .argument('<slug>', 'the workspace')
    .requiredOption('-o, --out <file>', 'the file, such as acme.gz; "-" for standard output')
    .option('--force', 'replace a file that is there', false)
    .option('--without-keys', 'omit the API keys', false)
    .action(exportToFile);
  workspaces
    .command('restore')
    .description('Create a workspace from a file of "workspaces export".')
    .argument('<file>', 'the file; "-" for standard input')
    .option('--slug <slug>', 'another slug than the one in the file')
    .option('--without-keys', 'omit the API keys', false)
    .action(restoreFromFile);
}

async function exportToFile(
  slug: string,
  { out, force, withoutKeys }: ExportArguments,
  command: Command,
): Promise<void> {
  requireNoTerminal(out, command);
  const output = await openOutput(out, force);
  const { onRows, finish } = watchRows(`Exporting ${slug}`);
  const started = performance.now();
  try {
    await withWorkspace(slug, async (db, workspace, config) => {
      const store = openFileStore(config);
      const options = { release: readRelease(), withoutKeys, onRows, store };
      const report = await exportWorkspace(db, workspace, options, (pieces) =>
        output.write(pieces, createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES })),
      );
      finish();
      const size = output.keep();
      const keys = withoutKeys ? '' : ` and ${counted(report.api_keys, 'API key')}`;
      const text = `Exported "${slug}"${size}: ${counted(report.records, 'record')}${keys}`;
      output.tell(`${text} (${secondsSince(started)} s).\n`);
      if (report.missing_files > 0) {
        const lost = counted(report.missing_files, 'file');
        remark(`Note: ${lost} left out, because the bytes are not in the store of files.\n`);
      }
      if (report.foreign.length === 0) return;
      remark(
        `Note: left out, because they are not in the definition: ${report.foreign.join(', ')}.\n`,
      );
    });
  } finally {
    output.discard();
  }
}

async function restoreFromFile(
  file: string,
  { slug, withoutKeys }: RestoreArguments,
): Promise<void> {
  const input = openPacked(file);
  const { onRows, finish } = watchRows('Restoring');
  const started = performance.now();
  const { db, close, config } = await connect({ purpose: 'command' }).catch((error: unknown) => {
    input.destroy();
    throw error;
  });
  try {
    const store = openFileStore(config);
    const options = { slug, release: readRelease(), withoutKeys, onRows, store };
    const restored = await restoreWorkspace(db, input, options);
    finish();
    tellRestored(restored, secondsSince(started));
  } finally {
    input.destroy();
    await close();
  }
}

function tellRestored({ workspace, records, keys, exported_at }: Restored, seconds: string): void {
  const { slug, id } = workspace;
  tell(
    `Restored "${slug}" (id ${id}) as of ${exported_at}: ${counted(records, 'record')} and ` +
      `${counted(keys.restored, 'API key')} (${seconds} s).\n`,
  );
  if (keys.left_out === 0) return;
  remark(
    `Note: ${counted(keys.left_out, 'API key')} left out, because this server has them already; ` +
      `"keys create --workspace ${slug}" makes new ones.\n`,
  );
}

/** The content of the file, unpacked; a file that cannot be read is an operator error at once. */
function openPacked(file: string): Readable {
  const source = file === STANDARD ? process.stdin : openFile(file);
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // Failures destroy the last stream, and its reader gets the error.
  pipeline(source, gunzip, () => undefined);
  return gunzip;
}

function openFile(file: string): Readable {
  try {
    const fd = openSync(file, 'r');
    if (!fstatSync(fd).isDirectory()) {
      return createReadStream(file, { fd, highWaterMark: CHUNK_BYTES });
    }
    closeSync(fd);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw operatorError(`Cannot read ${file}: ${reason}.`, error);
  }
  throw operatorError(`Cannot read ${file}: it is a directory.`);
}

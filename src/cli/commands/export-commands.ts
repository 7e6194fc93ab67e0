// `workspaces export` and `workspaces restore`: a whole workspace to a file and back.

import { type Command, InvalidArgumentError } from 'commander';
import { openFileStore } from '../../files/file-store.ts';
import { type Restored, restoreWorkspace } from '../../workspaces/workspace-restore.ts';
import { connect } from '../connect.ts';
import { counted, requireNoTerminal, STANDARD, secondsSince, watchRows } from '../export-output.ts';
import { remark, tell } from '../say.ts';
import { readRelease } from '../service/release.ts';
import { withWorkspace } from '../with-workspace.ts';
import { exportAll } from './export-all.ts';
import { exportToFile, type HowToExport, openPacked } from './export-workspace-file.ts';

interface ExportArguments extends HowToExport {
  readonly all: boolean;
  readonly keep?: number;
}

interface RestoreArguments {
  readonly slug?: string;
  readonly withoutKeys: boolean;
}

export function addExportCommands(workspaces: Command): void {
  workspaces
    .command('export')
    .description('Write a whole workspace, as it is at this moment, to a file.')
    .argument('[slug]', 'the workspace')
    .requiredOption(
      '-o, --out <file>',
      'the file, such as acme.gz; "-" for standard output; with --all the folder',
    )
    .option(
      '--all',
      'write a file for each workspace into the folder, with the time in its name',
      false,
    )
    .option(
      '--keep <number>',
      'with --all: remove older files, but for so many of each workspace',
      count,
    )
    .option('--verify', 'restore the written file in a transaction that is rolled back', false)
    .option('--force', 'replace a file that is there', false)
    .option('--without-keys', 'omit the API keys', false)
    .action(exportSome);
  workspaces
    .command('restore')
    .description('Create a workspace from a file of "workspaces export".')
    .argument('<file>', 'the file; "-" for standard input')
    .option('--slug <slug>', 'another slug than the one in the file')
    .option('--without-keys', 'omit the API keys', false)
    .action(restoreFromFile);
}

async function exportSome(
  slug: string | undefined,
  { all, keep, ...how }: ExportArguments,
  command: Command,
): Promise<void> {
  const refuse = (reason: string) => command.error(`error: ${reason}`, { exitCode: 2 });
  if (all === (slug !== undefined)) refuse('name a workspace, or all of them with --all');
  if (keep !== undefined && !all) refuse('--keep needs --all');
  if (how.verify && how.out === STANDARD) refuse('--verify needs a file');
  if (slug === undefined) return exportAll({ ...how, keep });
  requireNoTerminal(how.out, command);
  await withWorkspace(slug, (db, workspace, config) =>
    exportToFile({ db, store: openFileStore(config) }, workspace, how),
  );
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
    const options = { slug, release: readRelease().version, withoutKeys, onRows, store };
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

function count(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of files from 1.');
}

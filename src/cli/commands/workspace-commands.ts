// `workspaces`: create, list, rename and delete them; export-commands.ts has export and restore, move-command.ts move.

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { limitConcurrency } from '../../control/process/limit-concurrency.ts';
import { loadHeldBytes } from '../../control/stored/record-files.ts';
import {
  isOfDeletedWorkspace,
  listWorkspaces,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import { readDefinitionFile } from '../../definitions/document/definition-file.ts';
import { withAdministrator } from '../../definitions/document/first-administrator.ts';
import { operatorError } from '../../errors.ts';
import { openFileStore } from '../../files/file-store.ts';
import { loadPlaces, type ShardPlace } from '../../postgres/citus.ts';
import type { Database } from '../../postgres/db.ts';
import { createWorkspace } from '../../workspaces/create-workspace.ts';
import {
  deleteWorkspace,
  loadSizes,
  renameWorkspace,
  type WorkspaceSize,
} from '../../workspaces/workspace-lifecycle.ts';
import { connect } from '../connect.ts';
import { tell } from '../say.ts';
import { sizeText, table } from '../table.ts';
import { withWorkspace } from '../with-workspace.ts';
import { addCloneCommand } from './clone-command.ts';
import { createMany } from './create-many.ts';
import { addExportCommands } from './export-commands.ts';
import { addMoveCommand } from './move-command.ts';
import { linkFor } from './sign-in-link.ts';
import { SUMMARIES } from './summaries.ts';

interface CreateArguments {
  readonly name?: string;
  readonly definition?: string;
  readonly from?: string;
  readonly admin?: string;
  readonly adminName?: string;
  readonly link: boolean;
  readonly origin?: string;
}

const CREATE_EXPLANATION = `
A file for --from is CSV or JSON lines with a row for each workspace: "slug", and optionally "name", "definition" (a
file, relative to the folder of this one), "admin_email" and "admin_name" (the first administrator). If a row has an
error, no workspace is created. Existing workspaces are not changed, so you can repeat an interrupted command.

Examples:
  $ workspace-records workspaces create acme --name 'Acme' --admin ann@acme.example --link
  $ workspace-records workspaces create --from customers.csv --definition crm.yaml > made.jsonl
`;

interface RenameArguments {
  readonly name?: string;
}

interface DeleteArguments {
  readonly confirm?: string;
}

export function addWorkspacesCommand(program: Command): void {
  const workspaces = program.command('workspaces').description(SUMMARIES.workspaces);
  workspaces
    .command('create')
    .description('Create a workspace, or many, from a definition document, or from the base alone.')
    .argument('[slug]', 'a-z, 0-9 and "-": part of host names')
    .option('--name <name>', 'the name people see')
    .option('--definition <file>', 'the definition document of the workspace')
    .option('--admin <email>', 'the first administrator')
    .option('--admin-name <name>', 'the name of the administrator (default: the e-mail address)')
    .option('--link', 'print a one-time link for the administrator to sign in with', false)
    .option('--origin <address>', 'where the application is (default: see "sign-in-link --help")')
    .option('--from <file>', 'create the workspaces of this file: .csv, .tsv or .jsonl')
    .addHelpText('after', CREATE_EXPLANATION)
    .action(create);
  workspaces
    .command('list')
    .description('List the workspaces.')
    .option('--sizes', 'with estimates of their records and bytes', false)
    .option('--json', 'print JSON', false)
    .action(list);
  addExportCommands(workspaces);
  addCloneCommand(workspaces);
  addMoveCommand(workspaces);
  workspaces
    .command('rename')
    .description('Give a workspace another slug, and so another host, or another name.')
    .argument('<slug>', 'the workspace')
    .argument('[new-slug]', 'its new slug: a-z, 0-9 and "-"')
    .option('--name <name>', 'the name people see')
    .action(rename);
  workspaces
    .command('delete')
    .description('Delete a workspace with all its records and API keys, permanently.')
    .argument('<slug>', 'the workspace')
    .option('--confirm <slug>', 'the slug again, to confirm without a terminal')
    .action(remove);
}

async function create(
  slug: string | undefined,
  options: CreateArguments,
  command: Command,
): Promise<void> {
  const { name, definition, from, admin, adminName, link } = options;
  if ((slug === undefined) === (from === undefined)) {
    command.error('error: give either a slug or --from', { exitCode: 2 });
  }
  if (from !== undefined && name !== undefined) {
    command.error('error: with --from, names are in the file', { exitCode: 2 });
  }
  if (admin === undefined && (adminName !== undefined || link)) {
    command.error('error: --admin-name and --link need --admin', { exitCode: 2 });
  }
  if (from !== undefined && admin !== undefined) {
    command.error('error: with --from, administrators are in the file', { exitCode: 2 });
  }
  if (from !== undefined) await createMany(from, definition);
  else if (slug !== undefined) await createOne(slug, options);
}

async function createOne(slug: string, options: CreateArguments): Promise<void> {
  const { name, definition, admin, adminName = admin, link, origin } = options;
  const given = definition === undefined ? {} : readDefinitionFile(definition);
  const document =
    admin === undefined || adminName === undefined
      ? given
      : withAdministrator(given, { email: admin, name: adminName });
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const named = name === undefined ? {} : { name };
    const workspace = await createWorkspace(db, { slug, document, ...named });
    tell(`Created workspace "${workspace.slug}" (id ${workspace.id}).\n`);
    if (link && admin !== undefined) {
      const { url } = await linkFor(db, workspace, { email: admin, origin });
      tell(`${url}\n`);
    }
  } finally {
    await close();
  }
}

interface ListArguments {
  readonly sizes: boolean;
  readonly json: boolean;
}

/** Sizes are of all tables of the server, which takes longer than all else with thousands of workspaces (D343). */
async function list({ sizes: wanted, json }: ListArguments): Promise<void> {
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const [found, more] = await Promise.all([
      listWorkspaces(db),
      wanted ? loadSizes(db) : loadPlaces(db),
    ]);
    const presented = found.map((one) => presentWorkspace(one, more, wanted));
    const workspaces = wanted ? await withFiles(db, presented) : presented;
    tell(json ? `${JSON.stringify(workspaces, null, 2)}\n` : tableOf(workspaces));
  } finally {
    await close();
  }
}

/** With the bytes of the files that their exports have; null: the workspace has been deleted meanwhile. */
function withFiles(
  db: Database,
  workspaces: readonly PresentedWorkspace[],
): Promise<readonly PresentedWorkspace[]> {
  const limited = limitConcurrency(4);
  const bytesOf = ({ schema }: PresentedWorkspace) =>
    limited(() => loadHeldBytes(db, schema)).catch((error: unknown) => {
      if (isOfDeletedWorkspace(error)) return null;
      throw error;
    });
  return Promise.all(workspaces.map(async (one) => ({ ...one, file_bytes: await bytesOf(one) })));
}

const NO_SIZE: WorkspaceSize = { bytes: 0, records: 0 };

/** A workspace without the secret. `more` adds places only where PostgreSQL with Citus has several. */
function presentWorkspace(
  { id, slug, name, revision, state, created_at, schema }: WorkspaceRow,
  more: ReadonlyMap<string, WorkspaceSize | ShardPlace> | undefined,
  withSize: boolean,
): PresentedWorkspace {
  const found = more?.get(schema);
  const place = more === undefined ? {} : { place: found?.place ?? null };
  const rest = withSize ? (found ?? NO_SIZE) : place;
  return { id, slug, name, revision, state, created_at, schema, ...rest };
}

type PresentedWorkspace = Omit<WorkspaceRow, 'cursor_secret'> &
  Partial<WorkspaceSize & { readonly file_bytes: number | null }>;

const HEADER = ['slug', 'name', 'id', 'revision', 'state', 'created at'];
/** The place of a workspace on the connected server. */
const HERE = 'here';

function tableOf(workspaces: readonly PresentedWorkspace[]): string {
  if (workspaces.length === 0)
    return 'There are no workspaces yet. Create one with "workspaces create".\n';
  const isSized = workspaces.some(({ bytes }) => bytes !== undefined);
  const isPlaced = workspaces.some(({ place }) => place !== undefined);
  const rows = workspaces.map(({ slug, name, id, revision, state, created_at, ...more }) => {
    const { records = null, bytes = 0, file_bytes, place } = more;
    const size = isSized ? [about(records), sizeText(bytes), sizeText(file_bytes ?? 0)] : [];
    const where = isPlaced ? [place ?? HERE] : [];
    return [slug, name, id, revision, state, created_at, ...size, ...where].map(String);
  });
  const size = isSized ? ['records', 'size', 'files'] : [];
  return table([...HEADER, ...size, ...(isPlaced ? ['place'] : [])], rows);
}

/** Records on another server are not counted. */
function about(records: number | null): string {
  return records === null ? '' : `~${records.toLocaleString('en-US')}`;
}

async function rename(
  slug: string,
  newSlug: string | undefined,
  { name }: RenameArguments,
  command: Command,
): Promise<void> {
  if (newSlug === undefined && name === undefined) {
    command.error('error: the new slug or --name is missing', { exitCode: 2 });
  }
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const renamed = await renameWorkspace(db, slug, { slug: newSlug, name });
    tell(`Renamed "${slug}" to "${renamed.slug}" (${renamed.name}).\n`);
  } finally {
    await close();
  }
}

async function remove(slug: string, { confirm }: DeleteArguments, command: Command): Promise<void> {
  if (confirm === undefined && !process.stdin.isTTY) {
    command.error(`error: there is no terminal to confirm on; add --confirm ${slug}`, {
      exitCode: 2,
    });
  }
  await withWorkspace(slug, async (db, workspace, config) => {
    if ((confirm ?? (await askForSlug(db, workspace))) !== slug) {
      throw operatorError(`That is not "${slug}"; nothing was deleted.`);
    }
    await deleteWorkspace(db, workspace, { store: openFileStore(config) });
    tell(`Deleted "${slug}" (id ${workspace.id}).\n`);
  });
}

async function askForSlug(db: Database, { slug, name, schema }: WorkspaceRow): Promise<string> {
  const size = (await loadSizes(db)).get(schema);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { records = 0, bytes = 0 } = size ?? {};
  const content = records === null ? sizeText(bytes) : `about ${about(records).slice(1)} records`;
  try {
    return await terminal.question(
      `"${slug}" (${name}) has ${content}. All of it and its API keys will be deleted permanently.\n` +
        'Type its slug to delete it: ',
    );
  } finally {
    terminal.close();
  }
}

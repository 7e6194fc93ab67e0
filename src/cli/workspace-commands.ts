// `workspaces`: create, list, rename and delete them; export-commands.ts has export and restore.

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { listWorkspaces, type WorkspaceRow } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { readDefinitionFile } from '../provision/definition-file.ts';
import { createWorkspace } from '../provision/provision.ts';
import {
  deleteWorkspace,
  loadSizes,
  renameWorkspace,
  type WorkspaceSize,
} from '../provision/workspace-lifecycle.ts';
import { connect } from './connect.ts';
import { addExportCommands } from './export-commands.ts';
import { tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { sizeText, table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';

interface CreateArguments {
  readonly name?: string;
  readonly definition?: string;
}

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
    .description('Create a workspace from its definition document, or from the base alone.')
    .argument('<slug>', 'a-z, 0-9 and "-": part of host names')
    .option('--name <name>', 'the name people see')
    .option('--definition <file>', 'the definition document of the workspace')
    .action(create);
  workspaces
    .command('list')
    .description('List the workspaces; sizes and numbers of records are estimates.')
    .option('--json', 'print JSON', false)
    .action(list);
  addExportCommands(workspaces);
  workspaces
    .command('rename')
    .description('Give a workspace another slug, and so another host, or another name.')
    .argument('<slug>', 'the workspace')
    .argument('[new-slug]', 'its new slug: a-z, 0-9 and "-"')
    .option('--name <name>', 'the name people see')
    .action(rename);
  workspaces
    .command('delete')
    .description('Delete a workspace with all its records and API keys, for ever.')
    .argument('<slug>', 'the workspace')
    .option('--confirm <slug>', 'the slug again, where nobody can be asked for it')
    .action(remove);
}

async function create(slug: string, { name, definition }: CreateArguments): Promise<void> {
  const document = definition === undefined ? {} : readDefinitionFile(definition);
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const named = name === undefined ? {} : { name };
    const workspace = await createWorkspace(db, { slug, document, ...named });
    tell(`Created workspace "${workspace.slug}" (id ${workspace.id}).\n`);
  } finally {
    await close();
  }
}

async function list({ json }: { readonly json: boolean }): Promise<void> {
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const sizes = await loadSizes(db);
    const workspaces = (await listWorkspaces(db)).map((one) =>
      presentWorkspace(one, sizes.get(one.schema)),
    );
    tell(json ? `${JSON.stringify(workspaces, null, 2)}\n` : tableOf(workspaces));
  } finally {
    await close();
  }
}

/** Without the secret. */
function presentWorkspace(
  { id, slug, name, revision, state, created_at, schema }: WorkspaceRow,
  size: WorkspaceSize = { bytes: 0, records: 0 },
) {
  return { id, slug, name, revision, state, created_at, schema, ...size };
}

const HEADER = ['slug', 'name', 'id', 'revision', 'state', 'created at', 'records', 'size'];
/** For a workspace on the server that is connected to. */
const HERE = 'here';

function tableOf(workspaces: readonly ReturnType<typeof presentWorkspace>[]): string {
  if (workspaces.length === 0) return 'There are no workspaces yet; see "workspaces create".\n';
  // Only a PostgreSQL with Citus has several places.
  const isPlaced = workspaces.some(({ place }) => place !== undefined);
  const rows = workspaces.map(({ slug, name, id, revision, state, created_at, ...size }) => {
    const cells = [slug, name, id, revision, state, created_at, about(size.records)];
    const place = isPlaced ? [size.place ?? HERE] : [];
    return [...cells, sizeText(size.bytes), ...place].map(String);
  });
  return table(isPlaced ? [...HEADER, 'place'] : HEADER, rows);
}

/** Nobody counts the records on another server. */
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
    command.error(`error: nobody can be asked here; add --confirm ${slug}`, { exitCode: 2 });
  }
  await withWorkspace(slug, async (db, workspace) => {
    const size = (await loadSizes(db)).get(workspace.schema);
    if ((confirm ?? (await askForSlug(workspace, size))) !== slug) {
      throw operatorError(`That is not "${slug}"; nothing was deleted.`);
    }
    await deleteWorkspace(db, workspace);
    tell(`Deleted "${slug}" (id ${workspace.id}).\n`);
  });
}

async function askForSlug(
  { slug, name }: WorkspaceRow,
  size: WorkspaceSize | undefined,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { records = 0, bytes = 0 } = size ?? {};
  const content = records === null ? sizeText(bytes) : `about ${about(records).slice(1)} records`;
  try {
    return await terminal.question(
      `"${slug}" (${name}) has ${content}. All of it and its API keys will be gone for ever.\n` +
        'Type its slug to delete it: ',
    );
  } finally {
    terminal.close();
  }
}

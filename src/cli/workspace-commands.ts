// `workspaces create` and `workspaces list`.

import type { Command } from 'commander';
import { readDefinitionFile } from '../store/definition-file.ts';
import { createWorkspace } from '../store/provision.ts';
import { listWorkspaces, type WorkspaceRow } from '../store/workspaces.ts';
import { connect } from './connect.ts';
import { table } from './table.ts';

interface CreateArguments {
  readonly name?: string;
  readonly definition?: string;
}

export function addWorkspacesCommand(program: Command): void {
  const workspaces = program.command('workspaces').description('Create and list workspaces.');
  workspaces
    .command('create')
    .description('Create a workspace from its definition document, or from the base alone.')
    .argument('<slug>', 'a-z, 0-9 and "-": part of host names')
    .option('--name <name>', 'the name people see')
    .option('--definition <file>', 'the definition document of the workspace')
    .action(create);
  workspaces
    .command('list')
    .description('List the workspaces.')
    .option('--json', 'print JSON', false)
    .action(list);
}

async function create(slug: string, { name, definition }: CreateArguments): Promise<void> {
  const document = definition === undefined ? {} : readDefinitionFile(definition);
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const named = name === undefined ? {} : { name };
    const workspace = await createWorkspace(db, { slug, document, ...named });
    process.stdout.write(`Created workspace "${workspace.slug}" (id ${workspace.id}).\n`);
  } finally {
    await close();
  }
}

async function list({ json }: { readonly json: boolean }): Promise<void> {
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const workspaces = (await listWorkspaces(db)).map(presentWorkspace);
    process.stdout.write(json ? `${JSON.stringify(workspaces, null, 2)}\n` : tableOf(workspaces));
  } finally {
    await close();
  }
}

/** Without the secret. */
function presentWorkspace({ id, slug, name, revision, state, created_at }: WorkspaceRow) {
  return { id, slug, name, revision, state, created_at };
}

function tableOf(workspaces: readonly ReturnType<typeof presentWorkspace>[]): string {
  if (workspaces.length === 0) return 'There are no workspaces yet; see "workspaces create".\n';
  const rows = workspaces.map(({ slug, name, id, revision, state, created_at }) =>
    [slug, name, id, revision, state, created_at].map(String),
  );
  return table(['slug', 'name', 'id', 'revision', 'state', 'created at'], rows);
}

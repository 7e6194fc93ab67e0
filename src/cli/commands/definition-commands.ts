// `definition`: shows the document of a workspace, as it is or was, and its revisions. `apply` changes it.

import type { Command } from 'commander';
import { stringify } from 'yaml';
import {
  type ListedRevision,
  loadRevisionDocuments,
  loadRevisions,
} from '../../control/workspace/definition-revisions.ts';
import { operatorError } from '../../errors.ts';
import { tell } from '../say.ts';
import { table } from '../table.ts';
import { withWorkspace } from '../with-workspace.ts';
import { SUMMARIES } from './summaries.ts';

interface ShowArguments {
  readonly workspace: string;
  readonly patch: boolean;
  readonly revision?: string;
  readonly json: boolean;
}

interface RevisionsArguments {
  readonly workspace: string;
  readonly limit: string;
  readonly json: boolean;
}

export function addDefinitionCommand(program: Command): void {
  const definition = program.command('definition').description(SUMMARIES.definition);
  definition
    .command('show')
    .description('Print the definition document, whole or as a patch over the base.')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--patch', 'print a patch over the base, as `apply` takes it', false)
    .option('--revision <number>', 'the document of this revision')
    .option('--json', 'print JSON instead of YAML', false)
    .action(show);
  definition
    .command('revisions')
    .description('List the revisions, newest first: time, person and changes.')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--limit <number>', 'most revisions', '20')
    .option('--json', 'print JSON', false)
    .action(listRevisions);
}

async function show({ workspace: slug, patch, revision, json }: ShowArguments): Promise<void> {
  const asked = revision === undefined ? undefined : parseNumber('--revision', revision);
  await withWorkspace(slug, async (db, workspace) => {
    const number = asked ?? workspace.revision;
    const stored = await loadRevisionDocuments(db, workspace.schema, number);
    if (stored === undefined) throw operatorError(`"${slug}" has no revision ${number}.`);
    const document = patch ? stored.patch : stored.document;
    const text = json ? `${JSON.stringify(document, null, 2)}\n` : stringify(document);
    tell(json ? text : `# ${slug}, revision ${number}\n${text}`);
  });
}

async function listRevisions({ workspace: slug, limit, json }: RevisionsArguments): Promise<void> {
  const page = { before: undefined, limit: parseNumber('--limit', limit) };
  await withWorkspace(slug, async (db, { schema }) => {
    const rows = await loadRevisions(db, schema, page);
    tell(json ? `${JSON.stringify(rows, null, 2)}\n` : table(HEADER, rows.map(cellsOf)));
  });
}

const HEADER = ['revision', 'applied at', 'by', 'changes'];

function cellsOf(row: ListedRevision): readonly string[] {
  const { revision, applied_at, applied_by, source, in_force, changes, more_changes } = row;
  const by = applied_by?.email ?? applied_by?.name ?? source ?? 'unknown';
  const [first] = changes ?? [];
  const count = (changes?.length ?? 0) + more_changes;
  const more = count > 1 ? ` and ${count - 1} more` : '';
  const what = first === undefined ? '' : `${first.summary}${more}`;
  return [`${revision}${in_force ? ' *' : ''}`, applied_at, by, what];
}

function parseNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw operatorError(`${name} must be a whole number from 1 on, not "${text}".`);
}

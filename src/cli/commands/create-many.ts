// `workspaces create --from`: a workspace for each row of a file. All rows are judged before the first is made; each is
// made in a transaction of its own, and existing ones are skipped, so that the same command continues with the rest.

import { dirname, resolve } from 'node:path';
import { listWorkspaces, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { readDefinitionFile } from '../../definitions/document/definition-file.ts';
import { requireGoodDefinition } from '../../definitions/document/definition-input.ts';
import { withAdministrator } from '../../definitions/document/first-administrator.ts';
import { listed } from '../../definitions/document/refusals.ts';
import { isOperatorError, operatorError } from '../../errors.ts';
import { openProgress, type Progress } from '../../import/progress.ts';
import { ENDINGS_TEXT, formatOf, readRows, type SourceRow } from '../../import/rows/read-rows.ts';
import type { Database } from '../../postgres/db.ts';
import { openDatabase } from '../../postgres/open-server.ts';
import {
  createWorkspace,
  type NewWorkspace,
  requireName,
  requireSlug,
} from '../../workspaces/create-workspace.ts';
import { type Connected, connect } from '../connect.ts';
import { tell } from '../say.ts';

const COLUMNS = ['slug', 'name', 'definition', 'admin_email', 'admin_name'] as const;
type Column = (typeof COLUMNS)[number];

/** Problems that are shown. */
const SHOWN = 20;
/**
 * Workspaces that are made over one connection: for each team with members PostgreSQL keeps plans as long as it lasts, and
 * looks at all of them for each table it makes (D341).
 */
const PORTION = 100;

interface WorkspaceLine extends NewWorkspace {
  readonly line: number;
}

/** `definition` is the file for rows that name none. */
export async function createMany(path: string, definition: string | undefined): Promise<void> {
  const wanted = await readNewWorkspaces(path, definition);
  const connected = await connect({ purpose: 'command' });
  const progress = process.stdout.isTTY
    ? undefined
    : openProgress(process.stderr, 'workspaces', wanted.length);
  try {
    const found = await listWorkspaces(connected.db);
    const present = new Map(found.map((workspace) => [workspace.slug, workspace]));
    const made = await makeAll(connected, { wanted, present, progress });
    progress?.finish();
    if (process.stdout.isTTY) {
      tell(`Created ${made} workspaces; ${wanted.length - made} already existed.\n`);
    }
  } finally {
    await connected.close();
  }
}

interface Making {
  readonly wanted: readonly WorkspaceLine[];
  /** The existing workspaces by their slugs. */
  readonly present: ReadonlyMap<string, WorkspaceRow>;
  readonly progress: Progress | undefined;
}

/** Answers how many were not there. */
async function makeAll(
  { connection, config }: Connected,
  { wanted, present, progress }: Making,
): Promise<number> {
  const missing = wanted.filter(({ slug }) => !present.has(slug));
  for (const { slug, line } of wanted) {
    const workspace = present.get(slug);
    if (workspace !== undefined) tellOf(workspace, line, 'exists');
  }
  let done = wanted.length - missing.length;
  for (let start = 0; start < missing.length; start += PORTION) {
    const options = { connection, pooled: config.databasePooled, statementTimeout: 0 };
    const db = openDatabase({ ...options, poolSize: 1 });
    try {
      for (const { line, ...workspace } of missing.slice(start, start + PORTION)) {
        tellOf(await make(db, workspace, line), line, 'created');
        done += 1;
        progress?.update(done);
      }
    } finally {
      await db.close();
    }
  }
  return missing.length;
}

/** Workspaces made before stay; the failure names the line to continue at. */
function make(db: Database, workspace: NewWorkspace, line: number): Promise<WorkspaceRow> {
  return createWorkspace(db, workspace).catch((error: unknown) => {
    if (!isOperatorError(error)) throw error;
    throw operatorError(`Line ${line}: ${error.message}`, error);
  });
}

/** A sentence for people, a line of JSON for programs. */
function tellOf({ slug, id }: WorkspaceRow, line: number, result: 'created' | 'exists'): void {
  if (!process.stdout.isTTY) tell(`${JSON.stringify({ line, slug, id, result })}\n`);
  else if (result === 'created') tell(`Created workspace "${slug}" (id ${id}).\n`);
  else tell(`Left "${slug}" as it is (id ${id}).\n`);
}

/** The workspaces of the file; an operator error lists the rows that cannot be used. */
async function readNewWorkspaces(
  path: string,
  definition: string | undefined,
): Promise<readonly WorkspaceLine[]> {
  const format = formatOf(path);
  if (format === undefined) {
    throw operatorError(`--from takes a file that ends in ${ENDINGS_TEXT}, not "${path}".`);
  }
  const documentOf = openDocuments(path, definition);
  const wanted: WorkspaceLine[] = [];
  const lines = new Map<string, number>();
  const problems: string[] = [];
  for await (const row of readRows({ path, format })) {
    try {
      const workspace = await workspaceOf(row, documentOf);
      const other = lines.get(workspace.slug);
      if (other !== undefined)
        throw operatorError(`"${workspace.slug}" is in line ${other} already.`);
      lines.set(workspace.slug, row.line);
      wanted.push(workspace);
    } catch (error) {
      if (!isOperatorError(error)) throw error;
      problems.push(`${path}:${row.line}: ${error.message}`);
    }
  }
  if (problems.length === 0 && wanted.length === 0) throw operatorError(`${path} has no rows.`);
  if (problems.length === 0) return wanted;
  const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : [];
  const title = 'No workspace was created. Correct these rows';
  throw operatorError(listed(title, [...problems.slice(0, SHOWN), ...more]));
}

/** The document of a row by the file it names, each file read once. */
function openDocuments(path: string, fallback: string | undefined): (file: string) => unknown {
  const documents = new Map<string, unknown>();
  return (file) => {
    const place = file === '' ? fallback : resolve(dirname(path), file);
    if (place === undefined) return {};
    if (!documents.has(place)) documents.set(place, readDefinitionFile(place));
    return documents.get(place);
  };
}

async function workspaceOf(
  { line, cells, problem }: SourceRow,
  documentOf: (file: string) => unknown,
): Promise<WorkspaceLine> {
  if (problem !== undefined) throw operatorError(problem);
  const values = new Map(
    [...cells].map(([column, value]) => [requireColumn(column), textOf(column, value)]),
  );
  const cellOf = (column: Column) => values.get(column) ?? '';
  const [slug, name, email] = [cellOf('slug'), cellOf('name'), cellOf('admin_email')];
  requireSlug(slug);
  if (name !== '') requireName(name);
  const admin = { email, name: cellOf('admin_name') };
  if ((admin.email === '') !== (admin.name === '')) {
    throw operatorError('"admin_email" and "admin_name" go together.');
  }
  const named = documentOf(cellOf('definition'));
  const document = email === '' ? named : withAdministrator(named, admin);
  await requireGoodDefinition({ patch: document });
  return { line, slug, document, ...(name === '' ? {} : { name }) };
}

function requireColumn(column: string): Column {
  const known = COLUMNS.find((one) => one === column);
  if (known !== undefined) return known;
  throw operatorError(`There is no column "${column}". Columns: ${COLUMNS.join(', ')}.`);
}

/** JSON lines may have null for a value that a row lacks. */
function textOf(column: string, value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return value.trim();
  throw operatorError(`"${column}" is not text.`);
}

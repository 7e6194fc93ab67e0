// Creates workspaces and brings a workspace to a definition document: all of it in one transaction,
// or nothing. The difference comes from model/diff.ts, the text of the changes from sql/ddl-sql.ts.

import { randomBytes } from 'node:crypto';
import { ApiError, operatorError } from '../errors.ts';
import { type Change, describeViolations, type Violation } from '../model/change.ts';
import { checkDefinition } from '../model/check-definition.ts';
import { compileModel } from '../model/compile.ts';
import type { DefinitionDocument } from '../model/definition.ts';
import { type Definition, diffDefinitions, renameWorkspace } from '../model/diff.ts';
import { dropTeam } from '../model/diff-people.ts';
import { ownValue } from '../model/own-value.ts';
import { WORKSPACE_SLUG_PATTERN, workspaceSchema } from '../model/physical-names.ts';
import { ddlSql } from '../sql/ddl-sql.ts';
import { requirementSql } from '../sql/requirement-sql.ts';
import { identifier, joinSql, type Sql, sql, toStatement } from '../sql/sql.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Row,
  type Transaction,
} from './db.ts';
import { mergeOverBase } from './definition-file.ts';
import { migrateNewWorkspace } from './migrations.ts';
import {
  deleteTeam,
  loadTeams,
  loadUsers,
  putTeamMembers,
  putTeams,
  putUsers,
} from './people-rows.ts';
import { clearSearch, rebuildSearch } from './search-index.ts';
import {
  announceDefinition,
  appendWorkspace,
  EMPTY_DOCUMENT,
  findWorkspace,
  loadDefinition,
  lockWorkspace,
  putDefinition,
  type StoredDefinition,
  type WorkspaceRow,
  type WorkspaceState,
} from './workspaces.ts';

export interface NewWorkspace {
  readonly slug: string;
  /** Shown to people; the document's name or the slug when left out. */
  readonly name?: string;
  /** The workspace's own document, a merge patch over the base; the base alone when left out. */
  readonly document?: unknown;
  /** `loading` while first data is still being put in; `ready` when left out. */
  readonly state?: WorkspaceState;
}

export interface ApplyOptions {
  /** Names of what may be lost: `deals`, `deals.close_value`, `team:North`. */
  readonly allowDrop?: readonly string[];
}

/** What applying a document does or would do. */
export interface DefinitionPlan {
  readonly workspace: WorkspaceRow;
  readonly changes: readonly Change[];
  /** Why the document cannot be applied as things are: one sentence each. */
  readonly refusals: readonly string[];
  /** Names that --allow-drop does not give yet. */
  readonly losses: readonly string[];
}

/** Create a workspace with its schema and tables. Errors are operator errors. */
export async function createWorkspace(
  db: Database,
  { slug, name, document = {}, state = 'ready' }: NewWorkspace,
): Promise<WorkspaceRow> {
  if (!new RegExp(WORKSPACE_SLUG_PATTERN).test(slug)) {
    throw operatorError(
      `"${slug}" cannot be a workspace: use 1 to 40 of a-z, 0-9 and "-", not "-" first.`,
    );
  }
  const merged = requireGoodDocument(document);
  const workspace = {
    slug,
    name: name ?? merged.name ?? slug,
    schema: workspaceSchema(slug),
    cursor_secret: randomBytes(32),
    state,
  };
  return db.transaction(async (tx) => {
    const row = await appendWorkspace(tx, workspace);
    if (row === undefined) throw operatorError(`There is a workspace "${slug}" already.`);
    await createSchema(tx, row.schema);
    const after = compileDefinition(row, merged);
    const applied = { ...row, revision: 1 };
    await makeChanges(tx, applied.schema, diffDefinitions(null, after));
    await putDefinition(tx, applied, { document: merged, patch: document });
    return applied;
  });
}

/** What `applyDefinition` would do; changes nothing. */
export async function planDefinition(
  db: Queryable,
  slug: string,
  document: unknown,
  options: ApplyOptions = {},
): Promise<DefinitionPlan> {
  const merged = requireGoodDocument(document);
  const workspace = requireFound(await findWorkspace(db, slug), slug);
  const { changes } = await findChanges(db, workspace, merged, options);
  return judgeChanges(db, workspace, changes, options);
}

/**
 * Bring a workspace to this document, its own one, a merge patch over the base. Answers what was
 * changed; throws an operator error that lists every problem when it cannot be, and then nothing is.
 */
export async function applyDefinition(
  db: Database,
  slug: string,
  document: unknown,
  options: ApplyOptions = {},
): Promise<DefinitionPlan> {
  const merged = requireGoodDocument(document);
  const { plan, isNew } = await db
    .transaction((tx) => applyInTransaction(tx, slug, { merged, patch: document }, options))
    .catch((error: unknown) => {
      throw explainLocked(error, slug);
    });
  // After the commit, so that who hears it finds the new revision.
  if (isNew) await announceDefinition(db, plan.workspace.id);
  return plan;
}

interface Documents {
  readonly merged: DefinitionDocument;
  readonly patch: unknown;
}

async function applyInTransaction(
  tx: Transaction,
  slug: string,
  { merged, patch }: Documents,
  options: ApplyOptions,
): Promise<{ readonly plan: DefinitionPlan; readonly isNew: boolean }> {
  const workspace = requireFound(await lockWorkspace(tx, slug), slug);
  await prepareForDdl(tx);
  const { changes, stored } = await findChanges(tx, workspace, merged, options);
  await lockTables(tx, workspace.schema, changes);
  const plan = await judgeChanges(tx, workspace, changes, options);
  requireApplicable(plan);
  const isSame =
    JSON.stringify([stored?.document, stored?.patch]) === JSON.stringify([merged, patch]);
  if (isSame && changes.length === 0) return { plan, isNew: false };
  const name = merged.name ?? workspace.name;
  const applied = { ...workspace, revision: workspace.revision + 1, name };
  await makeChanges(tx, workspace.schema, changes);
  await putDefinition(tx, applied, { document: merged, patch });
  return { plan: { ...plan, workspace: applied }, isNew: true };
}

function requireGoodDocument(document: unknown): DefinitionDocument {
  const merged = mergeOverBase(document);
  const problems = checkDefinition(merged);
  if (problems.length === 0) return merged as DefinitionDocument;
  const lines = problems.map(({ path, message }) => `${path} ${message}`.trim());
  throw operatorError(listed('The definition cannot be used', lines));
}

function listed(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

function requireFound(workspace: WorkspaceRow | undefined, slug: string): WorkspaceRow {
  if (workspace !== undefined) return workspace;
  throw operatorError(`There is no workspace "${slug}"; "workspaces list" shows which there are.`);
}

function compileDefinition(workspace: WorkspaceRow, document: DefinitionDocument): Definition {
  return { document, model: compileModel(workspace, document) };
}

/** The changes from what is stored, and for people from what the database has, to the document. */
async function findChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  merged: DefinitionDocument,
  { allowDrop = [] }: ApplyOptions,
): Promise<{
  readonly changes: readonly Change[];
  readonly stored: StoredDefinition | undefined;
}> {
  const { schema } = workspace;
  const stored = await loadDefinition(db, workspace);
  const unlisted = allowDrop
    .filter((name) => name.startsWith('team:'))
    .map((name) => name.slice('team:'.length))
    .filter((name) => ownValue(merged.teams, name) === undefined);
  const listedTeams = Object.keys(merged.teams ?? {});
  const users = await loadUsers(db, schema, Object.keys(merged.users ?? {}));
  const teams = await loadTeams(db, schema, [...listedTeams, ...unlisted]);
  const before = compileDefinition(workspace, {
    ...(stored?.document ?? EMPTY_DOCUMENT),
    users,
    teams,
  });
  const after = compileDefinition(workspace, merged);
  const changes = [
    ...(merged.name === undefined || merged.name === workspace.name
      ? []
      : [renameWorkspace(merged.name)]),
    ...diffDefinitions(before, after),
    ...unlisted.filter((name) => ownValue(teams, name) !== undefined).map(dropTeam),
  ];
  return { changes, stored };
}

/** Ask the data what stands against the changes. */
async function judgeChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  changes: readonly Change[],
  { allowDrop = [] }: ApplyOptions,
): Promise<DefinitionPlan> {
  const refusals: string[] = [];
  for (const { refusal, requirement } of changes) {
    if (refusal !== null) refusals.push(refusal);
    if (requirement === null) continue;
    const rows = await run(db, requirementSql(workspace.schema, requirement));
    const violations = rows as unknown as readonly Violation[];
    if (violations.length > 0) refusals.push(describeViolations(requirement, violations));
  }
  const losses = changes.flatMap(({ loss }) =>
    loss === null || allowDrop.includes(loss) ? [] : [loss],
  );
  return { workspace, changes, refusals, losses };
}

/** Refuse a plan that cannot be carried out, with everything that stands against it. */
export function requireApplicable({ workspace, refusals, losses }: DefinitionPlan): void {
  const lines = [
    ...refusals,
    ...losses.map((name) => `data would be lost; to allow it add: --allow-drop ${quoted(name)}`),
  ];
  if (lines.length === 0) return;
  const title = `The definition cannot be applied to "${workspace.slug}", nothing was changed`;
  throw operatorError(listed(title, lines));
}

function quoted(name: string): string {
  return /^[\w.:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/** DDL may take long, but must not queue before all other statements of the service for long. */
async function prepareForDdl(tx: Queryable): Promise<void> {
  await run(
    tx,
    sql`select set_config('lock_timeout', '5s', true), set_config('statement_timeout', '0', true)`,
  );
}

/** At once and before the data is counted: no write between the count and the change. */
async function lockTables(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
): Promise<void> {
  const tables = new Set(
    changes.flatMap((change) => {
      const { requirement } = change;
      const own = 'object' in change && change.kind !== 'add_object' ? [change.object.table] : [];
      return requirement === null ? own : [...own, requirement.object.table];
    }),
  );
  if (tables.size === 0) return;
  const names = [...tables].sort().map((table) => identifier(schema, table));
  await run(tx, sql`lock table ${joinSql(names, ', ')} in access exclusive mode`);
}

async function makeChanges(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
): Promise<void> {
  for (const { statement, change } of ddlSql(schema, changes)) {
    await run(tx, statement).catch((error: unknown) => {
      throw explainFailure(error, change.summary);
    });
  }
  await changeSearch(tx, schema, changes);
  const users = changes.flatMap((change) =>
    change.kind === 'put_user' ? [{ ...change.user, email: change.email }] : [],
  );
  const teams = changes.flatMap((change) =>
    change.kind === 'put_team' ? [{ ...change.definition, name: change.team }] : [],
  );
  if (users.length > 0) await putUsers(tx, schema, users);
  if (teams.length > 0) {
    await putTeams(tx, schema, teams);
    await putTeamMembers(tx, schema, teams);
  }
  for (const change of changes) {
    if (change.kind === 'drop_team') await deleteTeam(tx, schema, change.team);
  }
}

async function changeSearch(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes) {
    if (change.kind === 'index_search') await rebuildSearch(tx, schema, change.object);
    if (change.kind === 'drop_object') await clearSearch(tx, schema, change.object);
  }
}

/** Failures that the data or the rights of the database user cause, not the service. */
const EXPLAINED = /^(?:22|23|42P06|42P07|42501|54)/;

function explainFailure(error: unknown, summary: string): unknown {
  if (!isDatabaseError(error) || !EXPLAINED.test(error.code ?? '')) return error;
  const detail = error.detail === undefined ? '' : ` ${error.detail}`;
  return operatorError(
    `Nothing was changed; "${summary}" failed: ${error.message}.${detail}`,
    error,
  );
}

function explainLocked(error: unknown, slug: string): unknown {
  const cause = error instanceof ApiError ? error.cause : undefined;
  if (!isDatabaseError(cause) || cause.code !== '55P03') return error;
  const message = `The tables of "${slug}" are in use for too long; nothing was changed. Try again.`;
  return operatorError(message, cause);
}

async function createSchema(tx: Queryable, schema: string): Promise<void> {
  await run(tx, sql`create schema ${identifier(schema)}`).catch((error: unknown) => {
    throw explainFailure(error, `create the schema ${schema}`);
  });
  await migrateNewWorkspace(tx, schema);
}

function run(db: Queryable, statement: Sql): Promise<readonly Row[]> {
  return db.query(toStatement(statement), { prepare: false });
}

// What a definition document would change in a workspace and what stands against it, asked of the
// database. Nothing here changes anything; provision.ts does.

import { loadTeams, loadUsers } from '../control/people-rows.ts';
import {
  EMPTY_DOCUMENT,
  loadDefinition,
  type StoredDefinition,
  type WorkspaceRow,
} from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { type Caller, requireSignedIn } from '../model/access.ts';
import { type Change, describeViolations, type Violation } from '../model/change.ts';
import { checkDefinition } from '../model/check-definition.ts';
import { compileModel } from '../model/compile.ts';
import type { DefinitionDocument } from '../model/definition.ts';
import { type Definition, diffDefinitions, renameWorkspace } from '../model/diff.ts';
import { dropTeam } from '../model/diff-people.ts';
import { judgePeople, leaversOf, withLeavers } from '../model/judge-people.ts';
import { ownValue } from '../model/own-value.ts';
import type { Queryable, Transaction } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { requirementSql } from '../sql/requirement-sql.ts';
import { mergeOverBase } from './definition-file.ts';
import type { Difference } from './index-builds.ts';

export interface ApplyOptions {
  /** Names of what may be lost: `deals`, `deals.close_value`, `team:North`. */
  readonly allowDrop?: readonly string[];
  /** Throws when these are not the changes that were meant. */
  readonly verify?: (workspace: WorkspaceRow, losses: readonly string[]) => void;
  /** Called in the transaction that has made the changes. */
  readonly onApplied?: (tx: Transaction, plan: DefinitionPlan) => Promise<void>;
  /** `kept`: people stay as they are, whatever the document says of them. */
  readonly people?: 'kept';
  /** Who asks: an API key changes no administrators. */
  readonly caller?: Caller;
}

/** What applying a document does or would do. */
export interface DefinitionPlan {
  readonly workspace: WorkspaceRow;
  readonly changes: readonly Change[];
  /** Why the document cannot be applied as things are: one sentence each. */
  readonly refusals: readonly string[];
  /** Names that --allow-drop does not give yet. */
  readonly losses: readonly string[];
  /** What the document leaves as it is, in sentences. */
  readonly notes: readonly string[];
}

export interface FoundChanges extends Difference {
  readonly stored: StoredDefinition | undefined;
  readonly notes: readonly string[];
}

/** Both forms of a document. */
export interface Documents {
  readonly merged: DefinitionDocument;
  readonly patch: unknown;
}

/** The document over the base; an operator error lists every problem it has. */
export function requireGoodDocument(document: unknown): DefinitionDocument {
  const merged = mergeOverBase(document);
  const problems = checkDefinition(merged);
  if (problems.length === 0) return merged as DefinitionDocument;
  const lines = problems.map(({ path, message }) => `${path} ${message}`.trim());
  throw operatorError(listed('The definition cannot be used', lines));
}

function listed(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

export function requireFound(workspace: WorkspaceRow | undefined, slug: string): WorkspaceRow {
  if (workspace !== undefined) return workspace;
  throw operatorError(`There is no workspace "${slug}"; "workspaces list" shows which there are.`);
}

export function compileDefinition(
  workspace: WorkspaceRow,
  document: DefinitionDocument,
): Definition {
  return { document, model: compileModel(workspace, document) };
}

/** The changes from what is stored, and for people from what the database has, to the document. */
export async function findChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  { merged: wanted, patch }: Documents,
  options: ApplyOptions,
): Promise<FoundChanges> {
  const { schema } = workspace;
  const { allowDrop = [], people } = options;
  const stored = await loadDefinition(db, workspace);
  const merged = people === 'kept' ? { ...wanted, users: {}, teams: {} } : wanted;
  const unlisted = unlistedTeams(merged, allowDrop);
  const listedTeams = Object.keys(merged.teams ?? {});
  const everybody = await loadUsers(db, schema);
  const teams = await loadTeams(db, schema, [...listedTeams, ...unlisted]);
  const listed = withLeavers(merged.users, everybody, people === 'kept' ? [] : leaversOf(patch));
  const before = compileDefinition(workspace, {
    ...(stored?.document ?? EMPTY_DOCUMENT),
    users: everybody,
    teams,
  });
  const after = compileDefinition(workspace, { ...merged, users: listed });
  const judged = judgePeople({
    ...{ everybody, listed, isSilent: people === 'kept' },
    ...{ before: before.model, after: after.model },
  });
  if (judged.changesAdministrators) requireMayChange(options);
  const changes = [
    ...(merged.name === undefined || merged.name === workspace.name
      ? []
      : [renameWorkspace(merged.name)]),
    ...diffDefinitions(before, after),
    ...unlisted.filter((name) => ownValue(teams, name) !== undefined).map(dropTeam),
    ...judged.refused,
  ];
  return { changes, stored, notes: judged.notes, before: before.model, after: after.model };
}

function requireMayChange({ caller }: ApplyOptions): void {
  const what = 'Administrators are made and unmade';
  if (caller !== undefined) requireSignedIn(caller, { what, param: 'roles' });
}

/** The names of all that is lost. */
export function lossesOf(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ loss }) => loss ?? []);
}

/** Teams that may be dropped and that the document does not list. */
function unlistedTeams(
  { teams }: DefinitionDocument,
  allowDrop: readonly string[],
): readonly string[] {
  return allowDrop
    .filter((name) => name.startsWith('team:'))
    .map((name) => name.slice('team:'.length))
    .filter((name) => ownValue(teams, name) === undefined);
}

/** Ask the data what stands against the changes. */
export async function judgeChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  changes: readonly Change[],
  { allowDrop = [] }: ApplyOptions,
): Promise<DefinitionPlan> {
  const refusals: string[] = [];
  for (const { refusal, requirements } of changes) {
    if (refusal !== null) refusals.push(refusal);
    for (const requirement of requirements) {
      const rows = await runOnce(db, requirementSql(workspace.schema, requirement));
      const violations = rows as unknown as readonly Violation[];
      if (violations.length > 0) refusals.push(describeViolations(requirement, violations));
    }
  }
  const found = lossesOf(changes);
  // A document that is in force already changes nothing: the same call may be made again.
  const unknown = changes.length === 0 ? [] : allowDrop.filter((name) => !found.includes(name));
  refusals.push(
    ...unknown.map((name) => `--allow-drop ${quoted(name)} names nothing that is lost`),
  );
  const losses = found.filter((loss) => !allowDrop.includes(loss));
  return { workspace, changes, refusals, losses, notes: [] };
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

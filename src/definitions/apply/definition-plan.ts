// What a definition document would change in a workspace and what blocks it, read from the
// database. Nothing here changes anything; apply-definition.ts does.

import {
  type AdministrativeActor,
  type AdministrativeEvent,
  auditedActor,
  OPERATOR,
} from '../../control/administrative-audit.ts';
import { loadDocumentTeams, loadDocumentUsers } from '../../control/document-people.ts';
import { type Leftover, loadLeftovers } from '../../control/leftover-rows.ts';
import { inSlices } from '../../control/slices.ts';
import {
  EMPTY_DOCUMENT,
  loadDefinition,
  type StoredDefinition,
  type WorkspaceRow,
} from '../../control/workspaces.ts';
import { operatorError } from '../../errors.ts';
import { OF_ADMINISTRATORS, refusedToKeys } from '../../model/access.ts';
import { compileSteps } from '../../model/compile.ts';
import type { DefinitionDocument } from '../../model/definition.ts';
import { ownValue } from '../../model/own-value.ts';
import type { Definition } from '../../model/revision.ts';
import type { Steps } from '../../model/steps.ts';
import { NO_NAMES, type StorageNames } from '../../model/storage-names.ts';
import type { Queryable, Transaction } from '../../postgres/db.ts';
import type { Change } from '../changes/change.ts';
import { viewChange } from '../changes/change-view.ts';
import { diffSteps, renameWorkspace } from '../changes/diff.ts';
import { type Renamed, renameSteps } from '../changes/diff-renames.ts';
import { judgePeople } from '../changes/judge-people.ts';
import { findDroppedTeam } from '../changes/kinds/listed-people.ts';
import { storageSteps } from '../changes/next-storage.ts';
import { describeViolations } from '../changes/requirement.ts';
import { describeBuild, searchBuildOf } from '../changes/search-build.ts';
import { describeValues, valueBuildOf } from '../changes/value-build.ts';
import type { Documents } from '../document/definition-input.ts';
import { leaversOf, withLeavers } from '../document/leaving-people.ts';
import { listed, type PlanProblem, refuse } from '../document/refusals.ts';
import { findRenames, withoutRenames } from '../document/renames.ts';
import { findBuild } from './data-builds.ts';
import type { Difference } from './index-builds.ts';
import { examine, type WrittenRecords } from './judge-values.ts';

export interface ApplyOptions {
  /** True: the document is merged onto the workspace's own one, and is not the whole of it. */
  readonly merge?: boolean;
  /** Names of what may be lost: `deals`, `deals.close_value`, `team:North`. */
  readonly allowDrop?: readonly string[];
  /** An operator when left out. An API key changes no administrators. */
  readonly actor?: AdministrativeActor;
  /** Throws when these are not the changes that were meant. */
  readonly verify?: (workspace: WorkspaceRow, losses: readonly string[]) => void;
  /** The audit rows of what was asked for; one for each change when left out. */
  readonly events?: readonly AdministrativeEvent[];
  /** Called in the transaction that has made the changes. */
  readonly onApplied?: (tx: Transaction, plan: DefinitionPlan) => Promise<void>;
  /** `kept`: people stay as they are, whatever the document says of them. */
  readonly people?: 'kept';
  /** Milliseconds to wait for another change of the same definition. */
  readonly turn?: number;
  /** Milliseconds that a statement may take; any when left out. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** The job that does it, when one does. */
  readonly jobId?: string;
}

/** What applying a document does or would do. */
export interface DefinitionPlan {
  readonly workspace: WorkspaceRow;
  readonly changes: readonly Change[];
  /** Why the document cannot be applied as things are. */
  readonly problems: readonly PlanProblem[];
  /** Names that are lost and not allowed yet. */
  readonly losses: readonly string[];
  /** What the document leaves as it is, in sentences. */
  readonly notes: readonly string[];
  /** How many records block a change. */
  readonly violating: ReadonlyMap<Change, number>;
}

export interface FoundChanges extends Difference {
  readonly stored: StoredDefinition | undefined;
  readonly renamed: Renamed;
  /** Where the data of the new definition is. */
  readonly storage: StorageNames;
  readonly notes: readonly string[];
}

export function actorOf({ actor = OPERATOR }: ApplyOptions): AdministrativeActor {
  return actor;
}

export function requireFound(workspace: WorkspaceRow | undefined, slug: string): WorkspaceRow {
  if (workspace !== undefined) return workspace;
  throw operatorError(`There is no workspace "${slug}"; "workspaces list" shows all.`);
}

export function* definitionSteps(
  workspace: WorkspaceRow,
  document: DefinitionDocument,
  storage = NO_NAMES,
): Steps<Definition> {
  return { document, storage, model: yield* compileSteps(workspace, document, storage) };
}

/** The changes from what is stored, and for people from what the database has, to the document. */
export async function findChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  { merged: wanted, patch }: Documents,
  options: ApplyOptions,
): Promise<FoundChanges> {
  const { allowDrop = [], people } = options;
  const { schema } = workspace;
  const stored = await loadDefinition(db, workspace);
  const merged = people === 'kept' ? { ...wanted, users: {}, teams: {} } : wanted;
  const unlisted = unlistedTeams(merged, allowDrop);
  const listedTeams = Object.keys(merged.teams ?? {});
  const everybody = await loadDocumentUsers(db, schema);
  const teams = await loadDocumentTeams(db, schema, [...listedTeams, ...unlisted]);
  const compile = (document: DefinitionDocument, storage: StorageNames) =>
    definitionSteps(workspace, document, storage);
  const known = withoutRenames(stored?.document ?? EMPTY_DOCUMENT);
  // The first document of a workspace renames nothing.
  const renames = stored === undefined ? NO_RENAMES : findRenames(known, merged);
  const present = { ...known, users: everybody, teams };
  const inForce = await inSlices(compile(present, stored?.storage ?? NO_NAMES));
  const renamed = await inSlices(renameSteps(inForce, renames, compile));
  const { users = {} } = renamed.before.document;
  const listed = withLeavers(merged.users, users, people === 'kept' ? [] : leaversOf(patch));
  const wished = await inSlices(
    compile(withoutRenames({ ...merged, users: listed }), renamed.before.storage),
  );
  const leftovers = await loadLeftovers(db, schema);
  const after = await inSlices(placeData(leftovers, { workspace, renamed, wished }));
  const judged = judgePeople({
    ...{ everybody: users, listed, isSilent: people === 'kept' },
    ...{ before: renamed.before.model, after: after.model },
  });
  if (judged.changesAdministrators) requireNoKey(options);
  const changes = [
    ...(merged.name === undefined || merged.name === workspace.name
      ? []
      : [renameWorkspace(merged.name)]),
    ...renamed.changes,
    ...(await inSlices(diffSteps(renamed.before, after))),
    ...unlisted.filter((name) => ownValue(teams, name) !== undefined).map(findDroppedTeam),
    ...judged.refused,
  ].map((change) => asStored(change, renamed));
  const { notes } = judged;
  const models = { before: renamed.before.model, after: after.model };
  return { changes, stored, renamed, notes, storage: after.storage, ...models };
}

interface Wished {
  readonly workspace: WorkspaceRow;
  readonly renamed: Renamed;
  /** What is to be, with the names that data has now. */
  readonly wished: Definition;
}

/** The same with names for new and rebuilt data. */
function* placeData(
  leftovers: readonly Leftover[],
  { workspace, renamed, wished }: Wished,
): Steps<Definition> {
  const storage = yield* storageSteps(renamed.before, wished, {
    leftovers,
    builtName(object, old) {
      const build = searchBuildOf(object, old, renamed);
      return findBuild(leftovers, describeBuild(build), workspace)?.name;
    },
    builtPlace(object, field) {
      const build = valueBuildOf(object, field, renamed);
      return findBuild(leftovers, describeValues(build), workspace)?.name;
    },
  });
  return yield* definitionSteps(workspace, wished.document, storage);
}

/** Of a job too, whose actor is no longer there to ask. */
function requireNoKey(options: ApplyOptions): void {
  if (auditedActor(actorOf(options)).api_key_id !== null) throw refusedToKeys(OF_ADMINISTRATORS);
}

const NO_RENAMES = Object.freeze({ renames: [], missing: [] });

/** Requirements are checked before the keys in rows are renamed. */
function asStored(change: Change, renamed: Renamed): Change {
  const { requirements, expectations = [] } = change;
  return {
    ...change,
    requirements: requirements.map(renamed.asStored),
    ...(expectations.length === 0 ? {} : { expectations: expectations.map(renamed.asStored) }),
  };
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

interface Judging extends Pick<ApplyOptions, 'allowDrop'> {
  /** Only values of these records have to be looked at; those of all others are known to fit. */
  readonly written?: WrittenRecords | undefined;
}

/** Query the data for values that block the changes. */
export async function judgeChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  changes: readonly Change[],
  { allowDrop = [], written }: Judging,
): Promise<DefinitionPlan> {
  const problems: PlanProblem[] = [];
  const violating = new Map<Change, number>();
  for (const change of changes) {
    const { found, records } = await problemsOf(db, workspace, change, written);
    problems.push(...found);
    if (records > 0) violating.set(change, records);
  }
  const lost = lossesOf(changes);
  // A document that is in force already changes nothing: the same call may be made again.
  const unknown = changes.length === 0 ? [] : allowDrop.filter((name) => !lost.includes(name));
  problems.push(
    ...unknown.map((name) => ({
      path: 'allow',
      message: `${quoted(name)} is not data that this change deletes`,
    })),
  );
  const losses = lost.filter((loss) => !allowDrop.includes(loss));
  return { workspace, changes, problems, losses, violating, notes: [] };
}

/** The names of all that is lost. */
export function lossesOf(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ loss }) => loss ?? []);
}

async function problemsOf(
  db: Queryable,
  { schema }: WorkspaceRow,
  change: Change,
  written: WrittenRecords | undefined,
): Promise<{ readonly found: readonly PlanProblem[]; readonly records: number }> {
  const { path } = viewChange(change);
  const found: PlanProblem[] = [];
  let records = 0;
  if (change.refusal !== null) {
    const conflicts = change.conflicts === true ? ({ conflicts: true } as const) : {};
    found.push({ path, message: change.refusal, ...conflicts });
  }
  for (const requirement of change.requirements) {
    const { violations, misfits } = await examine(db, schema, requirement, written);
    if (violations.length === 0) continue;
    const message = describeViolations(requirement, violations);
    found.push({ path, message, ...(misfits.length > 0 ? { records: misfits } : {}) });
    records += violations.reduce((sum, violation) => sum + violation.records, 0);
  }
  return { found, records };
}

/** A problem as one line for the terminal. */
export function problemText({ path, message, records = [] }: PlanProblem): string {
  const text = path === 'allow' ? `--allow-drop ${message}` : message;
  const values = records.map(({ id, value }) => `${JSON.stringify(value)} (${id})`);
  return values.length === 0 ? text : `${text}: ${values.join(', ')}`;
}

/** Refuse a plan that cannot be carried out, with all reasons. */
export function requireApplicable({ workspace, problems, losses }: DefinitionPlan): void {
  const lines = [
    ...problems.map(problemText),
    ...losses.map(
      (name) => `the change would delete data; to allow it add: --allow-drop ${quoted(name)}`,
    ),
  ];
  if (lines.length === 0) return;
  const title = `The definition cannot be applied to "${workspace.slug}", nothing was changed`;
  throw refuse(listed(title, lines), { problems, losses });
}

function quoted(name: string): string {
  return /^[\w.:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

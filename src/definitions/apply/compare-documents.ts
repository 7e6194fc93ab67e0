// Compares the documents that are wanted with the state of a workspace: compiles both and lists what leads from one to
// the other. It reads nothing; found-changes.ts has loaded the state.

import type { DocumentPeople } from '../../control/people/document-people.ts';
import { inSlices } from '../../control/process/slices.ts';
import type { Leftover } from '../../control/stored/leftover-rows.ts';
import { auditedActor } from '../../control/workspace/administrative-audit.ts';
import {
  EMPTY_DOCUMENT,
  type StoredDefinition,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import { compileSteps } from '../../model/definition/compile.ts';
import type { DefinitionDocument } from '../../model/definition/definition.ts';
import type { Definition } from '../../model/definition/revision.ts';
import { NO_NAMES, type StorageNames } from '../../model/definition/storage-names.ts';
import { OF_ADMINISTRATORS, refusedToKeys } from '../../model/rights/access.ts';
import type { Steps } from '../../model/steps.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Change } from '../changes/change.ts';
import { diffSteps, renameWorkspace } from '../changes/diff/diff.ts';
import { type Renamed, renameSteps } from '../changes/diff/diff-renames.ts';
import { judgePeople } from '../changes/judge-people.ts';
import { findDroppedTeam } from '../changes/kinds/listed-people.ts';
import { storageSteps } from '../changes/next-storage.ts';
import { describeBuild, searchBuildOf } from '../changes/search-build.ts';
import { describeValues, valueBuildOf } from '../changes/value-build.ts';
import type { Documents } from '../document/definition-input.ts';
import { leaversOf, withLeavers } from '../document/leaving-people.ts';
import { findRenames, withoutRenames } from '../document/renames.ts';
import { type ApplyOptions, actorOf } from './definition-plan.ts';
import { findBuild } from './prepare/data-builds.ts';
import type { Difference } from './prepare/index-plan.ts';

/** The requested definition, and the state of the workspace that it is compared with. */
interface Comparison {
  readonly documents: Documents;
  /** The workspace with the revision in force. */
  readonly workspace: WorkspaceRow;
  /** Undefined for the first definition of a workspace. */
  readonly stored: StoredDefinition | undefined;
  readonly present: Present;
}

/** The changes without a revision. */
export interface Present {
  /** All users, and the teams that the documents concern. */
  readonly people: DocumentPeople;
  readonly leftovers: readonly Leftover[];
}

/** The changes, with the state that they lead from. */
export interface FoundChanges extends Comparison, Difference {
  readonly renamed: Renamed;
  /** The names of the data of the new definition. */
  readonly storage: StorageNames;
  /** The name of the workspace afterwards. */
  readonly name: string;
  readonly notes: readonly string[];
}

/** API keys cannot make the second factor of a role optional. */
const OF_FACTORS = { what: 'Second factors of roles are made optional', param: 'roles' } as const;

/** Errors: `permission_denied` when an API key would change administrators or free a role from the second factor. */
export async function compareWith(
  comparison: Comparison,
  options: ApplyOptions,
): Promise<FoundChanges> {
  const { workspace, documents, stored, present } = comparison;
  const merged = withPeopleOf(documents, options);
  const isSilent = options.people === 'kept';
  const renamed = await renameFirst(comparison, merged);
  const { users = {} } = renamed.before.document;
  const listed = withLeavers(merged.users, users, isSilent ? [] : leaversOf(documents.patch));
  const wished = await inSlices(
    definitionSteps(
      workspace,
      withoutRenames({ ...merged, users: listed }),
      renamed.before.storage,
    ),
  );
  // A first definition has its data under the names of its keys.
  const isFirst = stored === undefined;
  const after = isFirst
    ? wished
    : await inSlices(placeData(present.leftovers, { workspace, renamed, wished }));
  const models = { before: renamed.before.model, after: after.model };
  const judged = judgePeople({ everybody: users, listed, isSilent, ...models });
  if (judged.changesAdministrators) requireNoKey(options, OF_ADMINISTRATORS);
  if (judged.easesFactors) requireNoKey(options, OF_FACTORS);
  const name = isFirst ? workspace.name : (merged.name ?? workspace.name);
  const changes = [
    ...(name === workspace.name ? [] : [renameWorkspace(name)]),
    ...renamed.changes,
    ...(await inSlices(diffSteps(isFirst ? null : renamed.before, after))),
    ...unlistedTeams(merged, options)
      .filter((team) => ownValue(present.people.teams, team) !== undefined)
      .map(findDroppedTeam),
    ...judged.refused,
  ].map((change) => asStored(change, renamed));
  const { notes } = judged;
  return { ...comparison, ...models, changes, renamed, storage: after.storage, name, notes };
}

/** The teams that the changes may concern. */
export function teamsOf(documents: Documents, options: ApplyOptions): readonly string[] {
  const merged = withPeopleOf(documents, options);
  return [...Object.keys(merged.teams ?? {}), ...unlistedTeams(merged, options)];
}

/** The document, silent about people when they stay as they are. */
function withPeopleOf({ merged }: Documents, { people }: ApplyOptions): DefinitionDocument {
  return people === 'kept' ? { ...merged, users: {}, teams: {} } : merged;
}

/** Teams that may be dropped and that the document does not list. */
function unlistedTeams(
  { teams }: DefinitionDocument,
  { allowDrop = [] }: ApplyOptions,
): readonly string[] {
  return allowDrop
    .filter((name) => name.startsWith('team:'))
    .map((name) => name.slice('team:'.length))
    .filter((name) => ownValue(teams, name) === undefined);
}

/** The definition in force with its present people, with the keys that `merged` gives it. */
async function renameFirst(
  { workspace, stored, present }: Comparison,
  merged: DefinitionDocument,
): Promise<Renamed> {
  const compile = (document: DefinitionDocument, storage: StorageNames) =>
    definitionSteps(workspace, document, storage);
  const known = withoutRenames(stored?.document ?? EMPTY_DOCUMENT);
  // The first document of a workspace renames nothing.
  const renames = stored === undefined ? NO_RENAMES : findRenames(known, merged);
  const inForce = await inSlices(
    compile({ ...known, ...present.people }, stored?.storage ?? NO_NAMES),
  );
  return inSlices(renameSteps(inForce, renames, compile));
}

const NO_RENAMES = Object.freeze({ renames: [], missing: [] });

function* definitionSteps(
  workspace: WorkspaceRow,
  document: DefinitionDocument,
  storage: StorageNames,
): Steps<Definition> {
  return { document, storage, model: yield* compileSteps(workspace, document, storage) };
}

interface Wished {
  readonly workspace: WorkspaceRow;
  readonly renamed: Renamed;
  /** The next definition, with the present names of data. */
  readonly wished: Definition;
}

/** The next definition with names for new and rebuilt data. */
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

/** Refuses API keys, also for a job, which has only the audited actor of its request. */
function requireNoKey(options: ApplyOptions, reserved: Parameters<typeof refusedToKeys>[0]): void {
  if (auditedActor(actorOf(options)).api_key_id !== null) throw refusedToKeys(reserved);
}

/** Requirements are checked before the keys in rows are renamed. */
function asStored(change: Change, renamed: Renamed): Change {
  const { requirements, expectations = [] } = change;
  return {
    ...change,
    requirements: requirements.map(renamed.asStored),
    ...(expectations.length === 0 ? {} : { expectations: expectations.map(renamed.asStored) }),
  };
}

// The changes that documents make of a workspace: found once, and used as long as the workspace is as it was then.
// Nothing here changes anything; commit-changes.ts does.

import { isDeepStrictEqual } from 'node:util';
import { loadDocumentPeople } from '../../control/people/document-people.ts';
import { loadLeftovers } from '../../control/stored/leftover-rows.ts';
import { loadDefinition, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import type { Queryable } from '../../postgres/db.ts';
import type { Documents } from '../document/definition-input.ts';
import { compareWith, type FoundChanges, type Present, teamsOf } from './compare-documents.ts';
import { type ApplyOptions, lossesOf } from './definition-plan.ts';

/**
 * The changes from what is stored, and for people from what the database has, to the document. Errors:
 * `permission_denied` when an API key would change administrators; those of `verify`.
 */
export async function findChanges(
  db: Queryable,
  workspace: WorkspaceRow,
  documents: Documents,
  options: ApplyOptions,
): Promise<FoundChanges> {
  const isFirst = isBeingMade(workspace);
  const stored = isFirst ? undefined : await loadDefinition(db, workspace);
  const present = isFirst
    ? NOTHING_PRESENT
    : await loadPresent(db, workspace, teamsOf(documents, options));
  const found = await compareWith({ workspace, documents, stored, present }, options);
  options.verify?.(workspace, lossesOf(found.changes));
  return found;
}

/** True in the transaction that makes the workspace: it has no definition, no people and no data. */
export function isBeingMade({ revision }: Pick<WorkspaceRow, 'revision'>): boolean {
  return revision === 0;
}

const NOTHING_PRESENT: Present = Object.freeze({
  people: Object.freeze({ users: {}, teams: {} }),
  leftovers: [],
});

async function loadPresent(
  db: Queryable,
  { schema }: WorkspaceRow,
  teams: readonly string[],
): Promise<Present> {
  const people = await loadDocumentPeople(db, schema, teams);
  return { people, leftovers: await loadLeftovers(db, schema) };
}

/** Documents, and their changes if somebody has found them before. */
interface Wanted {
  readonly documents: Documents;
  readonly found?: FoundChanges | undefined;
}

/**
 * The changes that were found before the turn of the definition, with the same options, if the workspace is unchanged;
 * otherwise the present changes.
 */
export async function findInTurn(
  tx: Queryable,
  workspace: WorkspaceRow,
  { documents, found }: Wanted,
  options: ApplyOptions,
): Promise<FoundChanges> {
  const holds =
    found !== undefined &&
    isOfRevision(found, workspace) &&
    isDeepStrictEqual(found.present, await loadPresent(tx, workspace, teamsOf(documents, options)));
  return holds ? found : findChanges(tx, workspace, documents, options);
}

/**
 * Checks changes that were found in this turn again, under the lock of the workspace. Only people can have changed
 * since: the rest changes in the turn of the definition, or does no harm, such as leftovers that were deleted.
 */
export async function findUnderLock(
  tx: Queryable,
  workspace: WorkspaceRow,
  found: FoundChanges,
  options: ApplyOptions,
): Promise<FoundChanges> {
  const { documents, present } = found;
  const teams = teamsOf(documents, options);
  const holds =
    isOfRevision(found, workspace) &&
    isDeepStrictEqual(present.people, await loadDocumentPeople(tx, workspace.schema, teams));
  return holds ? { ...found, workspace } : findChanges(tx, workspace, documents, options);
}

/** Another workspace may have the slug since. */
function isOfRevision({ workspace }: FoundChanges, { id, revision }: WorkspaceRow): boolean {
  return workspace.id === id && workspace.revision === revision;
}

// A role made, changed or deleted by itself: another definition of the workspace, applied like any other, in
// which nothing else is different (docs/decisions.md, D225).

import type { AdministrativeActor } from '../control/administrative-audit.ts';
import { loadRoleHolders } from '../control/administrators.ts';
import { loadDefinition, requireWorkspace, type WorkspaceRow } from '../control/workspaces.ts';
import { ApiError, errorFromProblems, isOperatorError } from '../errors.ts';
import { type Caller, OF_ADMINISTRATORS, requireSignedIn } from '../model/access.ts';
import { checkDefinition } from '../model/check-definition.ts';
import {
  type DefinitionDocument,
  mergePatch,
  patchBetween,
  type RoleDefinition,
} from '../model/definition.ts';
import { changedKeys, type Entries } from '../model/diff-entries.ts';
import { ownValue } from '../model/own-value.ts';
import type { Database, Queryable } from '../postgres/db.ts';
import { mergeOverBase, readBase } from './definition-file.ts';
import { loadOwnDocument, type OwnDocument } from './own-document.ts';
import { applyDefinition, planDefinition } from './provision.ts';
import { refusalOf } from './refusals.ts';

export interface RoleAdministration {
  readonly workspace_id: number;
  readonly caller: Caller;
  readonly actor: AdministrativeActor;
}

/** What is to become of a role; a `patch` is a merge patch over the entry there is. */
export interface RoleChange {
  readonly key: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly patch?: unknown;
}

type Roles = Readonly<Record<string, RoleDefinition>>;

/** Attempts, when others change the definition at the same time. */
const ATTEMPTS = 5;
/** Milliseconds to wait for another change of the same definition. */
const TURN_MS = 3000;

/**
 * Change a role; answers its entry as it is then, undefined when it was deleted. Errors: `record_not_found`,
 * `permission_denied`, `invalid_write` with the place in the entry, `conflict` when the role is there already,
 * people have it, or nobody would be an administrator.
 */
export async function changeRole(
  db: Database,
  asked: RoleAdministration,
  change: RoleChange,
): Promise<RoleDefinition | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeOnce(db, asked, change);
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'stale_record';
      if (!isStale || attempt === ATTEMPTS) throw error;
    }
  }
}

async function changeOnce(
  db: Database,
  { workspace_id, caller, actor }: RoleAdministration,
  change: RoleChange,
): Promise<RoleDefinition | undefined> {
  const workspace = await requireWorkspace(db, workspace_id);
  const { slug } = workspace;
  const before = (await loadDefinition(db, workspace))?.document.roles ?? {};
  const role = planRole(before, change);
  const old = ownValue(before, change.key);
  const changed_fields = changedKeys((old ?? {}) as Entries, (role ?? {}) as Entries);
  if (old !== undefined && role !== undefined && changed_fields.length === 0) return role;
  if (old?.administrator !== role?.administrator) requireSignedIn(caller, OF_ADMINISTRATORS);
  if (role === undefined) await requireUnheld(db, workspace, change.key);
  const document = withRole(await loadOwnDocument(db, workspace), change.key, role);
  requireGood(document, change.key);
  const options = { people: 'kept', actor } as const;
  const { problems, losses } = await planDefinition(db, slug, document, options);
  const stands = [...problems.map(({ message }) => message), ...losses.map(asLost)];
  if (stands[0] !== undefined) throw conflict(`${stands[0]}.`);
  const { key: subject_id, action } = change;
  await applyDefinition(db, slug, document, {
    ...options,
    events: [{ subject_type: 'role', subject_id, action, changed_fields }],
    verify: (now) => {
      if (now.revision !== workspace.revision) throw new ApiError('stale_record');
    },
    turn: TURN_MS,
  }).catch(throwExplained);
  return role;
}

/** What stands against it was told before, unless it has come since. */
function throwExplained(error: unknown): never {
  if (!isOperatorError(error)) throw error;
  if (refusalOf(error) !== undefined) throw conflict(error.message, error);
  throw new ApiError('service_unavailable', { message: error.message, cause: error });
}

/** The entry as it will be; undefined when it goes. */
function planRole(before: Roles, { key, action, patch }: RoleChange): RoleDefinition | undefined {
  const old = ownValue(before, key);
  if (action === 'create') {
    if (old !== undefined) throw conflict('There is a role with this key already.');
    return mergePatch({}, patch) as RoleDefinition;
  }
  if (old === undefined) {
    throw new ApiError('record_not_found', {
      param: 'role_key',
      message: 'There is no such role.',
    });
  }
  return action === 'delete' ? undefined : (mergePatch(old, patch) as RoleDefinition);
}

/** Told apart from the document, which may list those people; again in the transaction, by judgePeople. */
async function requireUnheld(db: Queryable, { schema }: WorkspaceRow, key: string): Promise<void> {
  const held = (await loadRoleHolders(db, schema)).get(key) ?? 0;
  if (held === 0) return;
  throw conflict(`${held === 1 ? '1 person has' : `${held} people have`} this role.`);
}

function withRole(
  document: OwnDocument,
  key: string,
  role: RoleDefinition | undefined,
): OwnDocument {
  const { [key]: _, ...others } = (document.roles ?? {}) as Roles;
  const base = ownValue((readBase() as DefinitionDocument).roles, key);
  const entry = base === undefined ? role : ((role && patchBetween(base, role)) ?? null);
  return { ...document, roles: { ...others, ...(entry === undefined ? {} : { [key]: entry }) } };
}

/** A problem of the role points into its entry, any other into the document. */
function requireGood(document: OwnDocument, key: string): void {
  const problems = checkDefinition(mergeOverBase(document));
  if (problems.length === 0) return;
  const own = `roles.${key}.`;
  throw errorFromProblems(
    problems.map(({ path, message }) => ({
      param: path.startsWith(own) ? path.slice(own.length) : path,
      code: 'invalid_write',
      message: `The value ${message}.`,
    })),
  );
}

function asLost(name: string): string {
  return `${name} would be lost`;
}

function conflict(message: string, cause?: unknown): ApiError {
  return new ApiError('conflict', { param: 'role_key', message, cause });
}

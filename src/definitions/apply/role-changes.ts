// A role made, changed or deleted by itself: another definition of the workspace, applied like any other, in
// which nothing else is different (docs/decisions.md, D225).

import { loadRoleHolders } from '../../control/people/people.ts';
import type { CallerActor } from '../../control/workspace/administrative-audit.ts';
import {
  loadDefinition,
  requireWorkspace,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import { ApiError, errorFromProblems, isOperatorError } from '../../errors.ts';
import { about, ended, type Message, say } from '../../messages/message.ts';
import {
  type DefinitionDocument,
  mergePatch,
  patchBetween,
  type RoleDefinition,
} from '../../model/definition/definition.ts';
import { type Caller, OF_ADMINISTRATORS, requireSignedIn } from '../../model/rights/access.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import { changedKeys, type Entries } from '../changes/changed-keys.ts';
import { readBase } from '../document/definition-file.ts';
import { type Documents, parseDefinition } from '../document/definition-input.ts';
import { refusalOf } from '../document/refusals.ts';
import { apply, type Choose, type Chosen } from './apply-definition.ts';
import { type OwnDocument, ownDocumentOf } from './own-document.ts';

export interface RoleAdministration {
  readonly workspace_id: number;
  readonly actor: CallerActor;
}

/** The change of a role; a `patch` is a merge patch over the entry there is. */
export interface RoleChange {
  readonly key: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly patch?: unknown;
}

type Roles = Readonly<Record<string, RoleDefinition>>;

/** Milliseconds to wait for other changes of the same definition. */
const TURN_MS = 10_000;

/**
 * Change a role; answers its entry as it is then, undefined when it was deleted. It is judged by the definition
 * that nobody else can change meanwhile (D393). Errors: `record_not_found`, `permission_denied`, `invalid_write`
 * with the place in the entry, `conflict` when the role is there already, people have it, or nobody would be an
 * administrator; `service_unavailable` when others change the definition for too long.
 */
export async function changeRole(
  db: Database,
  asked: RoleAdministration,
  change: RoleChange,
): Promise<RoleDefinition | undefined> {
  const workspace = await requireWorkspace(db, asked.workspace_id);
  let role: RoleDefinition | undefined;
  const choose: Choose<undefined> = async (tx, now) => {
    const planned = await planChange(tx, now, asked.actor.caller, change);
    role = planned.role;
    return planned.chosen;
  };
  const options = { people: 'kept', actor: asked.actor, turn: TURN_MS } as const;
  await apply(db, workspace, choose, options).catch(throwExplained);
  return role;
}

interface PlannedRole {
  /** The role after the change; undefined when it is removed. */
  readonly role: RoleDefinition | undefined;
  /** Undefined when it is so already. */
  readonly chosen: Chosen | undefined;
}

async function planChange(
  tx: Queryable,
  workspace: WorkspaceRow,
  caller: Caller,
  change: RoleChange,
): Promise<PlannedRole> {
  const { key, action } = change;
  const stored = await loadDefinition(tx, workspace);
  const before = stored?.document.roles ?? {};
  const role = planRole(before, change);
  const old = ownValue(before, key);
  const changed_fields = changedKeys((old ?? {}) as Entries, (role ?? {}) as Entries);
  const isSame = old !== undefined && role !== undefined && changed_fields.length === 0;
  if (isSame) return { role, chosen: undefined };
  if (old?.administrator !== role?.administrator) requireSignedIn(caller, OF_ADMINISTRATORS);
  if (role === undefined) await requireNoHolders(tx, workspace, key);
  const patch = withRole(await ownDocumentOf(tx, workspace, stored), key, role);
  const documents = await requireGood(patch, key);
  const events = [{ subject_type: 'role', subject_id: key, action, changed_fields }] as const;
  return { role, chosen: { documents, events } };
}

/** Throw the first reason to refuse it. */
function throwExplained(error: unknown): never {
  if (!isOperatorError(error)) throw error;
  const refusal = refusalOf(error);
  if (refusal === undefined) {
    throw new ApiError('service_unavailable', {
      message: say('service_refused', { reason: error.message }),
      cause: error,
    });
  }
  const { problems, losses = [] } = refusal;
  const all = [
    ...problems.map(({ message }) => message),
    ...losses.map((name) => say('data_lost', { name })),
  ];
  throw conflict(ended(all[0] as Message), error);
}

/** The entry as it will be; undefined when it goes. */
function planRole(before: Roles, { key, action, patch }: RoleChange): RoleDefinition | undefined {
  const old = ownValue(before, key);
  if (action === 'create') {
    if (old !== undefined) throw conflict(say('role_key_taken'));
    return mergePatch({}, patch) as RoleDefinition;
  }
  if (old === undefined) {
    throw new ApiError('record_not_found', { param: 'role_key', message: say('role_not_found') });
  }
  return action === 'delete' ? undefined : (mergePatch(old, patch) as RoleDefinition);
}

/** Told apart from the document, which may list those people; judgePeople asks again after the locks are taken. */
async function requireNoHolders(
  db: Queryable,
  { schema }: WorkspaceRow,
  key: string,
): Promise<void> {
  const held = (await loadRoleHolders(db, schema)).get(key) ?? 0;
  if (held === 0) return;
  throw conflict(say(held === 1 ? 'role_held_by_one' : 'role_held', { count: held }));
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
async function requireGood(patch: OwnDocument, key: string): Promise<Documents> {
  const parsed = await parseDefinition({ patch });
  if (!('problems' in parsed)) return parsed;
  const own = `roles.${key}.`;
  throw errorFromProblems(
    parsed.problems.map(({ path, message }) => ({
      param: path.startsWith(own) ? path.slice(own.length) : path,
      code: 'invalid_write',
      message: about('The value', message),
    })),
  );
}

function conflict(message: Message, cause?: unknown): ApiError {
  return new ApiError('conflict', { param: 'role_key', message, cause });
}

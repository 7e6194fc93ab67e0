// Computes the rights of a caller: the union of the person's roles, compiled once per set of roles, cut down by the
// scopes of the principal. Every permission question of the service is answered here. Pure.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import {
  type Field,
  type FieldAccess,
  type ObjectModel,
  type Reach,
  type RecordAction,
  type Relationship,
  type Role,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../definition/model.ts';
import { withComputed, withRollups } from './computed-rights.ts';
import { identifiedOf, isFreshSignIn, type Principal, sessionOf } from './principal.ts';

/** The scopes of the specification (§1.3): those of a key that is made without a list. */
export const DEFAULT_SCOPES = [
  'users:read',
  'records:read',
  'records:write',
  'records:delete',
  'comments:read',
  'comments:write',
] as const;

/** All scopes: the others are for administering a workspace. */
export const SCOPES = [
  ...DEFAULT_SCOPES,
  'workspace:read',
  'workspace:write',
  'keys:write',
  'audit:read',
  'webhooks:write',
  'approvals:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The compiled rights on one object. */
export interface ObjectAccess {
  readonly reach: Readonly<Record<RecordAction, Reach | null>>;
  readonly readable: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
}

/** The compiled rights of a set of roles; independent of the key's scopes. */
export interface Access {
  readonly administrator: boolean;
  readonly developer: boolean;
  readonly directory: boolean;
  readonly assign_owner: boolean;
  /** True: a role requires a second factor. It is the only part of a role that takes something away. */
  readonly second_factor: boolean;
  /** The roles it is made of. */
  readonly roles: ReadonlySet<string>;
  readonly objects: ReadonlyMap<string, ObjectAccess>;
}

/** A person or agent, as callers show them. */
interface CallingUser {
  readonly id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly title: string | null;
  readonly kind: 'user' | 'agent';
}

/** A caller: a person with their present rights, and the principal that acts as them. */
export interface Caller {
  readonly user: CallingUser;
  readonly principal: Principal;
  readonly scopes: ReadonlySet<string>;
  readonly team_ids: readonly number[];
  /** Everyone who shares a team with the user, and the user. */
  readonly colleague_ids: readonly number[];
  readonly access: Access;
}

/** The part of a caller that their roles and teams decide. */
export interface Rights extends Pick<Caller, 'colleague_ids' | 'access'> {
  readonly user: Pick<CallingUser, 'id'>;
}

/** The part of a caller that a plan of a read may depend on. */
export interface Planner extends Rights, Pick<Caller, 'scopes'> {}

/** The user that a principal acts as. */
export interface Person extends CallingUser {
  readonly roles: readonly string[];
  readonly team_ids: readonly number[];
  readonly colleague_ids: readonly number[];
}

const SCOPE_OF_ACTION: Readonly<Record<RecordAction, Scope>> = Object.freeze({
  create: 'records:write',
  read: 'records:read',
  update: 'records:write',
  delete: 'records:delete',
});

const REACH_ORDER: readonly Reach[] = ['own', 'team', 'organisation'];
const FIELD_ACCESS_ORDER: readonly FieldAccess[] = ['none', 'read', 'write'];
const ACTIONS: readonly RecordAction[] = ['create', 'read', 'update', 'delete'];

/** The caller that acts as this person; `access` only where it does not follow from their roles. */
export function callerOf(
  model: WorkspaceModel,
  person: Person,
  principal: Principal,
  access: Access = accessOf(model, person.roles),
): Caller {
  const { id, name, email, title, kind, team_ids, colleague_ids } = person;
  return Object.freeze({
    user: Object.freeze({ id, name, email, title, kind }),
    principal,
    scopes: new Set(('scopes' in principal ? principal.scopes : undefined) ?? SCOPES),
    team_ids,
    colleague_ids,
    access,
  });
}

/** The name of the principal, by which connections, memory and streams are shared. */
export function principalName({ principal, user }: Caller): string {
  return `${principal.kind} ${identifiedOf(principal)?.id ?? user.id}`;
}

/** The person behind any of their keys and sessions. */
export function personName({ caller, model }: PersonAt): string {
  return `person ${model.workspace.id} ${caller.user.id}`;
}

interface PersonAt {
  readonly caller: { readonly user: Pick<Caller['user'], 'id'> };
  readonly model: { readonly workspace: Pick<WorkspaceModel['workspace'], 'id'> };
}

/** Developer access gates keys only. */
export function hasDeveloperAccess({ principal, access }: Caller): boolean {
  return principal.kind !== 'key' || access.developer;
}

/** Names and addresses of people, and teams: a role has to say so, and the scope of the key. */
export function knowsDirectory({ access, scopes }: Caller): boolean {
  return access.directory && scopes.has(DIRECTORY_SCOPE);
}

const DIRECTORY_SCOPE: Scope = 'users:read';

export function lacksScope(needed: readonly string[], param?: string): ApiError {
  return new ApiError('insufficient_scope', {
    ...(param === undefined ? {} : { param }),
    message: say('scope_missing', { scope: needed.join(' or ') }),
    details: { required_scope: needed[0] },
  });
}

/** Errors: `permission_denied`. */
export function requireAdministrator({ access }: Caller): void {
  if (access.administrator) return;
  throw new ApiError('permission_denied', { message: say('only_administrators') });
}

/**
 * The requirement of answers to administrators that name people, whatever the scope of their route is. Errors:
 * `permission_denied`, `insufficient_scope`.
 */
export function requireDirectoryAdministrator(caller: Caller): void {
  requireAdministrator(caller);
  if (!caller.scopes.has(DIRECTORY_SCOPE)) throw lacksScope([DIRECTORY_SCOPE]);
}

/** Errors: `permission_denied`. Developer access, whatever the principal is. */
export function requireDeveloper({ access }: Caller): void {
  if (access.developer) return;
  throw new ApiError('permission_denied', { message: say('only_developers_have_keys') });
}

/** Details of an answer that quote records are only for callers who may read some, whatever the scope of the route is. */
export function mayReadRecords(caller: Caller): boolean {
  return hasOneScope(caller, ['records:read']);
}

/** API keys cannot change who is an administrator. */
export const OF_ADMINISTRATORS = Object.freeze({
  what: 'Administrators are made and unmade',
  param: 'roles',
});

/** A right that no API key has; `what` begins the sentence of the refusal. */
interface Reserved {
  readonly what: string;
  readonly param: string;
}

/** Refuses keys, which would outgrow their scopes with it. Errors: `permission_denied`. */
export function requireSignedIn({ principal }: Caller, reserved: Reserved): void {
  if (principal.kind === 'key') throw refusedToKeys(reserved);
}

export function refusedToKeys({ what, param }: Reserved): ApiError {
  return new ApiError('permission_denied', { message: say('only_in_session', { what }), param });
}

/** Errors: `fresh_sign_in_required`, of sessions alone. `now`: milliseconds since 1970. */
export function requireFreshSignIn({ principal }: Caller, now: number): void {
  const session = sessionOf(principal);
  if (session === undefined || isFreshSignIn(session, now)) return;
  throw new ApiError('fresh_sign_in_required');
}

/** True when the principal has one of the scopes. */
export function hasOneScope({ scopes }: Caller, needed: readonly Scope[]): boolean {
  return needed.some((scope) => scopes.has(scope));
}

const compiled = new WeakMap<WorkspaceModel, Map<string, Access>>();

/** The rights of someone with these roles; roles the model does not have grant nothing. */
export function accessOf(model: WorkspaceModel, roleKeys: readonly string[]): Access {
  const byRoles = compiled.get(model) ?? new Map<string, Access>();
  compiled.set(model, byRoles);
  const cacheKey = [...roleKeys].sort().join(' ');
  const access = byRoles.get(cacheKey) ?? compileAccess(model, roleKeys);
  byRoles.set(cacheKey, access);
  return access;
}

function compileAccess(model: WorkspaceModel, roleKeys: readonly string[]): Access {
  const roles = roleKeys.flatMap((key) => model.roles.get(key) ?? []);
  const objects = new Map<string, ObjectAccess>();
  for (const object of model.objects.values()) {
    objects.set(object.object_type, compileObjectAccess(object, roles));
  }
  for (const object of model.objects.values()) {
    if (object.rollups.size === 0) continue;
    const isGranted = (rollup: Field) => widestFieldAccess(object, rollup, roles) !== 'none';
    objects.set(object.object_type, withRollups(object, objects, isGranted));
  }
  return Object.freeze({
    administrator: roles.some((role) => role.administrator),
    developer: roles.some((role) => role.developer),
    directory: roles.some((role) => role.directory),
    assign_owner: roles.some((role) => role.assign_owner),
    second_factor: roles.some((role) => role.second_factor === 'required'),
    roles: new Set(roles.map(({ key }) => key)),
    objects,
  });
}

function compileObjectAccess(object: ObjectModel, roles: readonly Role[]): ObjectAccess {
  const reach = Object.fromEntries(
    ACTIONS.map((action) => [action, widestReach(object, roles, action)]),
  ) as Record<RecordAction, Reach | null>;
  const fields = [...object.fields.values()];
  const accessTo = new Map(fields.map((one) => [one.key, widestFieldAccess(object, one, roles)]));
  return Object.freeze({ reach: Object.freeze(reach), ...withComputed(object, accessTo) });
}

function widestReach(
  object: ObjectModel,
  roles: readonly Role[],
  action: RecordAction,
): Reach | null {
  const ranks = roles.map((role) => {
    const reach = role.administrator
      ? 'organisation'
      : role.objects.get(object.object_type)?.reach[action];
    return reach === undefined ? -1 : REACH_ORDER.indexOf(reach);
  });
  return REACH_ORDER[Math.max(-1, ...ranks)] ?? null;
}

function widestFieldAccess(object: ObjectModel, field: Field, roles: readonly Role[]): FieldAccess {
  const ranks = roles.map((role) => {
    if (role.administrator || (field.system && field.key !== 'owner_user_id')) return 2;
    const grant = role.objects.get(object.object_type);
    if (grant === undefined) return 0;
    return FIELD_ACCESS_ORDER.indexOf(grant.fields.get(field.key) ?? 'write');
  });
  return FIELD_ACCESS_ORDER[Math.max(0, ...ranks)] as FieldAccess;
}

/** The caller's rights on an object; an object type outside the model grants nothing. */
export function objectAccess(caller: Rights, object: ObjectModel): ObjectAccess {
  const access = caller.access.objects.get(object.object_type);
  if (access === undefined) throw new Error(`no access compiled for ${object.object_type}`);
  return access;
}

/** The reach of an action for this caller: the grant of the roles, null without key scope. */
export function reachOf(caller: Planner, object: ObjectModel, action: RecordAction): Reach | null {
  if (!caller.scopes.has(SCOPE_OF_ACTION[action])) return null;
  return objectAccess(caller, object).reach[action];
}

/** True when the caller may read some of its records. */
export function canReadObject(caller: Rights, object: ObjectModel): boolean {
  return objectAccess(caller, object).reach.read !== null;
}

export function canReadField(caller: Rights, object: ObjectModel, field: Field): boolean {
  return objectAccess(caller, object).readable.has(field.key);
}

export function canWriteField(caller: Caller, object: ObjectModel, field: Field): boolean {
  return objectAccess(caller, object).writable.has(field.key);
}

/** True when a record with this owner (or creator, for objects without owner) is within reach. */
export function isWithinReach(
  caller: Rights,
  reach: Reach | null,
  ownerId: number | null,
): boolean {
  if (reach === null) return false;
  if (reach === 'organisation') return true;
  if (ownerId === null) return false;
  return reach === 'own' ? ownerId === caller.user.id : caller.colleague_ids.includes(ownerId);
}

/** The other object of a relationship, when the caller may read any of its records. */
export function relatedObject(
  model: WorkspaceModel,
  caller: Rights,
  { object_type }: Relationship,
): ObjectModel | undefined {
  const other = model.objects.get(object_type);
  return other && canReadObject(caller, other) ? other : undefined;
}

/** A relationship by its id, with its other object; undefined when there is none for the caller. */
export function findRelationship(
  model: WorkspaceModel,
  caller: Rights,
  object: ObjectModel,
  id: string,
): { readonly relationship: Relationship; readonly other: ObjectModel } | undefined {
  const relationship = object.relationships.find((one) => one.id === id);
  const other = relationship && relatedObject(model, caller, relationship);
  return relationship && other && { relationship, other };
}

/** False when the caller may not read the field that stores the relationship, on either side. */
export function canReadStoringField(
  caller: Rights,
  object: ObjectModel,
  other: ObjectModel,
  { via }: Relationship,
): boolean {
  if (via.kind === 'link') return true;
  const holder = via.kind === 'reference' ? object : other;
  return objectAccess(caller, holder).readable.has(via.field);
}

/** The column that decides the reach (D20): the owner, or the author where records have no owner. */
export function reachColumn({ owned }: Pick<ObjectModel, 'owned'>): string {
  return owned ? 'owner_user_id' : 'created_by_user_id';
}

const PERMISSION_SCOPES: Readonly<Record<Reach, readonly string[]>> = Object.freeze({
  own: ['owned_by_user'],
  team: ['owned_by_user', 'owned_by_team'],
  organisation: ['owned_by_user', 'owned_by_team', 'org_wide'],
});

export interface Permission {
  readonly allowed: boolean;
  readonly scopes: readonly string[];
}

/** The advisory `permissions` of an object summary (specification §2.3). */
export function permissionsOf(
  caller: Caller,
  object: ObjectModel,
): Readonly<Record<RecordAction, Permission>> {
  const entries = ACTIONS.map((action) => {
    const reach = reachOf(caller, object, action);
    const supported = action === 'read' || object.capabilities[action];
    const allowed = reach !== null && supported;
    return [action, { allowed, scopes: allowed ? PERMISSION_SCOPES[reach] : [] }] as const;
  });
  return Object.fromEntries(entries) as Record<RecordAction, Permission>;
}

/** True when the field belongs to this work-item type; always true on other objects. */
export function isFieldOfType(
  model: WorkspaceModel,
  object: ObjectModel,
  field: Field,
  workItemTypeId: string | null,
): boolean {
  if (object.object_type !== WORK_ITEMS) return true;
  const types = [...model.work_item_types.values()];
  if (!types.some((type) => type.fields.has(field.key))) return true;
  return model.work_item_types.get(workItemTypeId ?? '')?.fields.has(field.key) ?? false;
}

// The answers that the specification and the decisions require, from the rights in definition.ts alone. It is
// independent of the implementation: it calls no function of the service.

import type { Action, Persona, Reach, Subject } from './definition.ts';

export const ALL_SCOPES = [
  'users:read',
  'records:read',
  'records:write',
  'records:delete',
  'comments:read',
  'comments:write',
  'workspace:read',
  'workspace:write',
] as const;
export type Scope = (typeof ALL_SCOPES)[number];

/** All, each one missing in turn, none. */
export const SCOPE_SETS: readonly (readonly Scope[])[] = [
  ALL_SCOPES,
  ...ALL_SCOPES.map((missing) => ALL_SCOPES.filter((scope) => scope !== missing)),
  [],
];

/** The owner of a record, as seen by the caller. */
export type Kind = 'mine' | 'mate' | 'foreign' | 'other_workspace' | 'absent' | 'malformed';
export const KINDS: readonly Kind[] = [
  ...(['mine', 'mate', 'foreign', 'other_workspace', 'absent', 'malformed'] as const),
];

export interface ExpectedAnswer {
  readonly status: number;
  readonly code?: string;
  /** Undefined: the error names none. */
  readonly param?: string | undefined;
  readonly requiredScope?: Scope;
}

export const fine = (status = 200): ExpectedAnswer => ({ status });
export const refusal = (status: number, code: string, param?: string): ExpectedAnswer => {
  return { status, code, param };
};

/** The first check that fails decides (D1). */
export function first(...expectedAnswers: readonly (ExpectedAnswer | undefined)[]): ExpectedAnswer {
  return expectedAnswers.find((expectedAnswer) => expectedAnswer !== undefined) ?? fine();
}

/** The credential of a person; a session has all scopes. An administrator who views as the person has those that read. */
export type PrincipalKind = 'key' | 'session' | 'viewing';

export const VIEWING_SCOPES: readonly Scope[] = [
  'users:read',
  'records:read',
  'comments:read',
  'workspace:read',
];

interface Needed {
  readonly needs: readonly Scope[];
  readonly anyOf?: boolean;
  /** The part of the request that needs a further one. */
  readonly neededBy?: (needed: Scope) => string;
  readonly sessionOnly?: boolean;
  /** True: nothing is stored by it, whatever its method is. */
  readonly isQuestion?: boolean;
}

/**
 * Authentication: key or session, and person (D3, D16), then the scopes (§5). Developer access gates
 * keys alone.
 */
export function atTheDoor(
  { active, developer }: Persona,
  { principal, scopes }: { readonly principal: PrincipalKind; readonly scopes: readonly Scope[] },
  {
    needs,
    anyOf = false,
    neededBy = () => 'operations[0]',
    sessionOnly = false,
    isQuestion = true,
  }: Needed,
): ExpectedAnswer | undefined {
  const isKey = principal === 'key';
  if (principal === 'viewing') {
    if (!active) return refusal(403, 'viewing_ended');
    if (sessionOnly || !isQuestion) return refusal(403, 'permission_denied');
  }
  if (!active) return refusal(401, isKey ? 'invalid_api_key' : 'invalid_credentials');
  if (isKey && !developer) return refusal(403, 'developer_access_revoked');
  if (isKey && sessionOnly) return refusal(403, 'permission_denied');
  if (anyOf && needs.some((scope) => scopes.includes(scope))) return undefined;
  const index = needs.findIndex((scope) => !scopes.includes(scope));
  const requiredScope = needs[index];
  if (requiredScope === undefined) return undefined;
  // A second scope is needed by a part of the body, such as an operation of a batch (§4.3, C10).
  const param = index === 0 ? undefined : neededBy(requiredScope);
  return { ...refusal(403, 'insufficient_scope', param), requiredScope };
}

/** Own ⊂ team ⊂ organisation (D20). */
export function reaches(reach: Reach, kind: Kind): boolean {
  if (kind === 'mine') return reach !== null;
  if (kind === 'mate') return reach === 'team' || reach === 'organisation';
  return kind === 'foreign' && reach === 'organisation';
}

/** Without any read grant there is no such object (D21). */
export function objectOf({ grants }: Persona, param = 'object_type'): ExpectedAnswer | undefined {
  return grants.read === null ? refusal(404, 'object_not_available', param) : undefined;
}

/** Out of reach is not found (§7 rule 5). */
export function recordOf({ grants }: Persona, kind: Kind): ExpectedAnswer | undefined {
  return reaches(grants.read, kind) ? undefined : refusal(404, 'record_not_found', 'record_id');
}

/** The actions that the object supports, then those that are granted at all (D21). */
export function actionOf(
  { grants }: Persona,
  { writable }: Subject,
  action: Action,
): ExpectedAnswer | undefined {
  if (!writable) return refusal(403, 'write_not_supported');
  return grants[action] === null ? refusal(403, 'permission_denied') : undefined;
}

/** The grant on this record, which can be read (D1, D21). */
function permissionOn({ grants }: Persona, action: Action, kind: Kind): ExpectedAnswer | undefined {
  return reaches(grants[action], kind) ? undefined : refusal(403, 'permission_denied');
}

/** A guarded field that is used to select rows (D37), one of `custom_fields` never can be (D24). */
export function selectedField(
  { field }: Persona,
  param: string,
  storage: 'physical' | 'jsonb' = 'physical',
): ExpectedAnswer | undefined {
  if (field === 'none') return refusal(403, 'permission_denied', param);
  return storage === 'jsonb' ? refusal(400, 'invalid_filter', param) : undefined;
}

/** A guarded field that is written (D44). */
export function writtenField({ field }: Persona, param: string): ExpectedAnswer | undefined {
  return field === 'write' ? undefined : refusal(403, 'permission_denied', param);
}

/** Everything but rules of one action on one record, in the order of D1 and D105. */
export function onRecord(
  person: Persona,
  subject: Subject,
  { action, kind, fields }: { action: Action; kind: Kind; fields?: ExpectedAnswer | undefined },
): ExpectedAnswer | undefined {
  const expectedAnswer = first(
    objectOf(person),
    actionOf(person, subject, action),
    fields,
    recordOf(person, kind),
    permissionOn(person, action, kind),
  );
  return expectedAnswer.status === 200 ? undefined : expectedAnswer;
}

/** The relationships that have targets for this person: places, when they may read any (D28). */
export function relationshipsOf(
  { places, field }: Persona,
  subject: Subject,
  linkId: string,
): readonly string[] {
  const own = subject.type === 'work_items' ? workItemRelationships : [];
  if (places === null) return own;
  return [...own, ...(field === 'none' ? [] : ['ref.place_id']), linkId].sort();
}

const workItemRelationships = ['inv.work_items.parent_work_item_id', 'ref.parent_work_item_id'];

/**
 * A relationship to places that is named: a person who reads no places has none; a reference needs the storing field,
 * and writing it takes the field right (D103).
 */
export function namedRelationship(
  { places, field }: Persona,
  relationship: string,
  use: 'read' | 'write',
): ExpectedAnswer | undefined {
  if (places === null) return refusal(404, 'record_not_found', 'association_id');
  const isReference = relationship.startsWith('ref.') || relationship.startsWith('inv.');
  const lacks = use === 'read' ? field === 'none' : field !== 'write';
  return isReference && lacks ? refusal(403, 'permission_denied', 'association_id') : undefined;
}

/** A record out of reach is not a match (D52). */
export function isHit({ grants }: Persona, kind: Kind): boolean {
  const isThere = kind === 'mine' || kind === 'mate' || kind === 'foreign';
  return isThere && reaches(grants.read, kind);
}

/** An upsert by the value of a guarded field that one record has, or none (D52). */
export function upserted(person: Persona, subject: Subject, kind: Kind): ExpectedAnswer {
  const { grants, field } = person;
  const either = grants.create === null ? actionOf(person, subject, 'update') : undefined;
  const denied = refusal(403, 'permission_denied');
  const hit = isHit(person, kind);
  return first(
    objectOf(person),
    subject.writable ? either : actionOf(person, subject, 'update'),
    selectedField(person, 'match.probe'),
    hit && !reaches(grants.update, kind) ? denied : undefined,
    !hit && grants.create === null ? denied : undefined,
    !hit && field !== 'write' ? refusal(403, 'permission_denied', 'match.probe') : undefined,
  );
}

/** The people who may become the owner (D45, D106). */
export type Owner = 'mate' | 'stranger' | 'inactive' | 'agent' | 'nobody';

export function ownerOf(person: Persona, owner: Owner, reach: Reach): ExpectedAnswer | undefined {
  const param = 'fields.owner_user_id';
  // Inactive people and agents of the matrix share the team.
  const shared = owner === 'mate' || owner === 'inactive' || owner === 'agent';
  const within = reach === 'organisation' || (reach === 'team' && shared);
  if (!person.assign || !within) return refusal(403, 'permission_denied', param);
  const isGood = owner !== 'inactive' && owner !== 'nobody';
  return isGood ? undefined : refusal(422, 'invalid_write', param);
}

/** The same answer for the only operation of a batch: `param` names the operation (D7). */
export function inBatch(expectedAnswer: ExpectedAnswer): ExpectedAnswer {
  const { status, param } = expectedAnswer;
  if (status < 400 || param === 'object_type')
    return { ...expectedAnswer, status: status < 400 ? 200 : status };
  const place = param === 'record_id' ? 'id' : param;
  return {
    ...expectedAnswer,
    param: place === undefined ? 'operations[0]' : `operations[0].${place}`,
  };
}

/** Keys of `fields` in a full retrieval (D38): `custom_fields` only with something in it. */
export function fieldsOf({ field }: Persona, { open }: Subject): readonly string[] {
  const guarded = field === 'none' ? [] : ['probe', 'rank', 'place_id', 'custom_fields'];
  return [...open, ...guarded].sort();
}

const ADVISORY = {
  own: ['owned_by_user'],
  team: ['owned_by_user', 'owned_by_team'],
  organisation: ['owned_by_user', 'owned_by_team', 'org_wide'],
} as const;

const SCOPE_OF: Readonly<Record<Action, Scope>> = {
  create: 'records:write',
  read: 'records:read',
  update: 'records:write',
  delete: 'records:delete',
};

/** The grant cut down by the scopes of the key, among the actions that the object supports (D23). */
export function permissionsOf(
  { grants }: Persona,
  { writable }: Subject,
  scopes: readonly Scope[],
) {
  const entries = (['create', 'read', 'update', 'delete'] as const).map((action) => {
    const reach = grants[action];
    const usable = scopes.includes(SCOPE_OF[action]) && (writable || action === 'read');
    const allowed = usable && reach !== null;
    return [action, { allowed, scopes: allowed ? ADVISORY[reach] : [] }] as const;
  });
  return Object.fromEntries(entries);
}

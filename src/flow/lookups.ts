// The look-ups that a write needs before it can be validated: locked rows, matches, readable references,
// active users, approvers. All of them take one round trip.

import { objectAccess } from '../model/access.ts';
import { equalityKeyOf, FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import type { Field, Gate, ObjectModel, WorkspaceModel } from '../model/model.ts';
import { reachPredicate } from '../plan/read-plan.ts';
import { planReferrers } from '../plan/referrers.ts';
import { pairKey, pairOf } from '../plan/validate-link.ts';
import { treeStrength } from '../plan/work-items.ts';
import type { PlannedWrite, WritePlan } from '../plan/write-plan.ts';
import { linkedPairsSql } from '../sql/link-sql.ts';
import {
  type LockStrength,
  lockNamesSql,
  lockSql,
  matchSql,
  type OptimisticLookup,
  optimisticCheckSql,
  referencesSql,
  referringSql,
  teamsOfUserSql,
  usersSql,
} from '../sql/lookup-sql.ts';
import { type Sql, type Statement, toStatement } from '../sql/sql.ts';
import { type Wanted, wantedWithin } from '../sql/wanted-sql.ts';
import { lockTreeSql } from '../sql/work-item-sql.ts';

/** A look-up statement, and what its rows are. */
export interface Lookup {
  readonly statement: Statement;
  /**
   * True when its values are lists of equal length and each row of its answer names an index in
   * them.
   */
  readonly listed?: boolean;
  readonly kind:
    | 'rows'
    | 'matches'
    | 'references'
    | 'users'
    | 'referring'
    | 'teams'
    | 'links'
    | 'lock';
  readonly objectType: string;
}

/**
 * All look-ups of a plan. Referenced records are locked before those that refer to them, in the same order as
 * a delete locks them: any other order can end in a deadlock.
 */
export function planLookups(plan: WritePlan, waits: boolean): readonly Lookup[] {
  const lock = waits ? 'update' : 'update if free';
  return [
    ...treeLookups(plan),
    ...referenceLookups(plan),
    ...matchLookups(plan),
    ...linkLookups(plan),
    ...rowLookups(plan, isDeleting(plan) ? 'delete' : lock),
    ...userLookups(plan),
    ...referringLookups(plan),
    ...teamLookups(plan),
  ];
}

/** The first look-up: a transaction that waits for this lock holds no row lock yet. */
function treeLookups(plan: WritePlan): readonly Lookup[] {
  const strength = treeStrength(plan);
  if (strength === undefined) return [];
  const statement = toStatement(lockTreeSql(plan.model.schema, strength));
  return [{ statement, kind: 'lock', objectType: plan.object.object_type }];
}

function isDeleting({ writes }: WritePlan): boolean {
  return writes.some(({ operation }) => operation.action === 'delete');
}

function rowLookups(plan: WritePlan, strength: LockStrength): readonly Lookup[] {
  const named = plan.writes.filter((write) => write.id !== undefined);
  const ids = named.flatMap((write) => write.id ?? []);
  if (named.length === 0) return [];
  const { model, caller, object } = plan;
  const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
  const statement = lockStatement(model.schema, object, wantedWithin(reach, ids), strength);
  return [{ statement, listed: true, kind: 'rows', objectType: object.object_type }];
}

const lockTexts = new WeakMap<ObjectModel, Map<LockStrength, string>>();

/** The text selects every column of the object and does not depend on the caller. */
function lockStatement(
  schema: string,
  object: ObjectModel,
  wanted: Wanted,
  strength: LockStrength,
): Statement {
  const known = lockTexts.get(object)?.get(strength);
  if (known !== undefined) return { text: known, values: [wanted.ids, wanted.reaches] };
  const statement = toStatement(lockSql(schema, object, wanted, strength));
  const texts = lockTexts.get(object) ?? new Map<LockStrength, string>();
  lockTexts.set(object, texts.set(strength, statement.text));
  return statement;
}

function matchLookups(plan: WritePlan): readonly Lookup[] {
  const objectType = plan.object.object_type;
  const byKeys = new Map<string, PlannedWrite[]>();
  for (const write of plan.writes.filter(({ match }) => match.size > 0)) {
    const keys = [...write.match.keys()].map((field) => field.key).join(' ');
    byKeys.set(keys, [...(byKeys.get(keys) ?? []), write]);
  }
  if (byKeys.size === 0) return [];
  const keys = [...byKeys.values()].flat().map((write) => matchKey(plan, write));
  const lookups: Lookup[] = [
    { statement: toStatement(lockNamesSql(keys, MATCHES)), kind: 'lock', objectType },
  ];
  for (const writes of byKeys.values()) {
    const fields = [...(writes[0] as PlannedWrite).match.keys()];
    const matches = writes.map(
      (write) => [write.index, comparedValues(write).map(([, value]) => value)] as const,
    );
    const { model, caller, object } = plan;
    const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
    const within = { object, reach };
    const statement = toStatement(matchSql(model.schema, within, fields, matches));
    lookups.push({ statement, kind: 'matches', objectType });
  }
  return lookups;
}

/** Seeds of advisory locks, which keep equal names of different subjects apart. */
const [MATCHES, LINKS] = [0, 2];

function matchKey(plan: WritePlan, write: PlannedWrite): string {
  return JSON.stringify([plan.model.schema, plan.object.object_type, comparedValues(write)]);
}

/** By key of the field: what records with these values have in common. */
function comparedValues({ match }: PlannedWrite): readonly (readonly [string, unknown])[] {
  return [...match].map(([field, value]) => [field.key, equalityKeyOf(field, value)] as const);
}

/**
 * Serialises concurrent links and unlinks of the same two records, so that each sees the result
 * of the one before.
 */
function linkLookups({ model, object, writes }: WritePlan): readonly Lookup[] {
  const pairs = writes.flatMap((write) => pairOf(write) ?? []);
  if (pairs.length === 0) return [];
  const keys = pairs.map(({ via, from_id, to_id }) => pairKey(via.key, from_id, to_id));
  const objectType = object.object_type;
  return [
    { statement: toStatement(lockNamesSql(keys, LINKS)), kind: 'lock', objectType },
    { statement: toStatement(linkedPairsSql(model.schema, pairs)), kind: 'links', objectType },
  ];
}

function referenceLookups(plan: WritePlan): readonly Lookup[] {
  return wantedReferences(plan).map(({ object, ...wanted }) => {
    const statement = toStatement(referencesSql(plan.model.schema, object, wanted));
    return { statement, listed: true, kind: 'references', objectType: object.object_type };
  });
}

/** Records that the operations refer or link to, by object. */
function wantedReferences(plan: WritePlan): OptimisticLookup['references'] {
  const { model, caller } = plan;
  const wanted = new Map<string, Set<string>>();
  const add = (objectType: string, id: string) =>
    wanted.set(objectType, (wanted.get(objectType) ?? new Set()).add(id));
  for (const [field, value] of writtenValues(plan)) {
    if (FIELD_TYPE_TRAITS[field.type].refersTo !== 'record' || value === null) continue;
    add(field.reference_object_type as string, String(value));
  }
  for (const { link, operation } of plan.writes) {
    if ((link?.target ?? null) === null || link === undefined) continue;
    // An unlink by reference needs no look-up: the record itself shows its target.
    const isCleared = operation.action === 'unlink' && link.relationship.via.kind === 'reference';
    if (!isCleared) add(link.relationship.object_type, link.target as string);
  }
  return [...wanted].map(([objectType, ids]) => {
    const object = model.objects.get(objectType) as ObjectModel;
    const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
    return { object, ...wantedWithin(reach, [...ids]) };
  });
}

function userLookups(plan: WritePlan): readonly Lookup[] {
  const ids = wantedUsers(plan);
  if (ids.length === 0) return [];
  const statement = toStatement(usersSql(plan.model.schema, ids, takesAnybody(plan)));
  return [{ statement, listed: true, kind: 'users', objectType: plan.object.object_type }];
}

/** Imports may name agents and inactive users as authors and owners. */
function takesAnybody({ source }: WritePlan): boolean {
  return source === 'import';
}

/** The caller is known to be active; only other people are looked up. */
function wantedUsers(plan: WritePlan): readonly number[] {
  const ids = new Set<number>();
  for (const [field, value] of writtenValues(plan)) {
    if (FIELD_TYPE_TRAITS[field.type].refersTo === 'user' && value !== null) ids.add(Number(value));
  }
  ids.delete(plan.caller.user.id);
  return [...ids];
}

/**
 * The references and users that creates assume to exist; the insert checks them itself. Undefined when the
 * plan has other operations or work items with a parent, which must look up first.
 */
export function optimisticLookupOf(plan: WritePlan): OptimisticLookup | undefined {
  if (plan.writes.some(({ operation }) => operation.action !== 'create')) return undefined;
  if (treeStrength(plan) !== undefined) return undefined;
  const [references, users] = [wantedReferences(plan), wantedUsers(plan)];
  return { references, users, anybody: takesAnybody(plan) };
}

export const NO_OPTIMISTIC_LOOKUP: OptimisticLookup = { references: [], users: [], anybody: false };

export function needsLookupCheck({
  references,
  users,
}: OptimisticLookup = NO_OPTIMISTIC_LOOKUP): boolean {
  return references.length > 0 || users.length > 0;
}

/** A condition that holds when all assumed references and users exist; undefined without any. */
export function optimisticCheckOf(
  schema: string,
  all: readonly OptimisticLookup[],
): Sql | undefined {
  const wanted = new Map<ObjectModel, OptimisticLookup['references'][number]>();
  for (const { object, ids, reaches } of all.flatMap(({ references }) => references)) {
    const known = wanted.get(object) ?? { object, ids: [], reaches: [] };
    const merged = { ids: known.ids.concat(ids), reaches: known.reaches.concat(reaches) };
    wanted.set(object, { object, ...merged });
  }
  const users = [...new Set(all.flatMap((one) => one.users))];
  const anybody = all.some((one) => one.anybody);
  const optimisticCheck = { references: [...wanted.values()], users, anybody };
  return needsLookupCheck(optimisticCheck)
    ? optimisticCheckSql(schema, optimisticCheck)
    : undefined;
}

/**
 * Records that refer to those to be deleted: by a required reference, or by one that is cleared.
 */
function referringLookups(plan: WritePlan): readonly Lookup[] {
  const { model, caller, object } = plan;
  const deletes = plan.writes.filter((write) => write.operation.action === 'delete');
  const ids = deletes.flatMap((write) => write.id ?? []);
  if (ids.length === 0) return [];
  const { read, delete: remove } = objectAccess(caller, object).reach;
  const reaches = [read, remove].map((reach) => reachPredicate(caller, object, reach));
  return planReferrers(model, caller, object).map((referrers) => {
    const statement = toStatement(referringSql(model.schema, { object, ids, reaches }, referrers));
    return { statement, kind: 'referring', objectType: referrers.object.object_type };
  });
}

/** Teams of the caller that may approve a move to one of these statuses, wherever it starts. */
function teamLookups({ model, caller, object, writes }: WritePlan): readonly Lookup[] {
  const targets = writes.flatMap(({ operation }) =>
    operation.action === 'status' ? [operation.status_id] : [],
  );
  const names = gatesTo(model, targets).flatMap(({ teams }) => [...teams]);
  if (names.length === 0) return [];
  const statement = toStatement(teamsOfUserSql(model.schema, caller.user.id, names));
  return [{ statement, kind: 'teams', objectType: object.object_type }];
}

function gatesTo(model: WorkspaceModel, targets: readonly string[]): readonly Gate[] {
  if (targets.length === 0) return [];
  const statuses = [...model.workflows.values()].flatMap((one) => [...one.statuses.values()]);
  return statuses.flatMap(({ gates }) => targets.flatMap((target) => gates.get(target) ?? []));
}

/** The sent values, and the defaults that a create adds. */
function* writtenValues(plan: WritePlan): Iterable<readonly [Field, unknown]> {
  for (const write of plan.writes) yield* write.values;
  if (plan.writes.every(({ operation }) => !CREATING.has(operation.action))) return;
  for (const field of plan.object.fields.values()) {
    if (field.default !== undefined) yield [field, field.default];
  }
}

const CREATING: ReadonlySet<string> = new Set(['create', 'upsert']);

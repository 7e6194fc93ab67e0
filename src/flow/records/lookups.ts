// The look-ups that a write needs before it can be validated: locked rows, matches, readable references,
// active users, approvers. All of them take one round trip.

import { membersSql } from '../../control/people/people.ts';
import {
  type Field,
  type Gate,
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { objectAccess } from '../../model/rights/access.ts';
import { equalityKeyOf, FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { reachPredicate } from '../../plan/read/read-plan.ts';
import { writtenFiles } from '../../plan/write/file-values.ts';
import { lockRanks } from '../../plan/write/lock-order.ts';
import { planReferrers } from '../../plan/write/referrers.ts';
import { pairKey, pairOf } from '../../plan/write/validate-link.ts';
import { treeStrength } from '../../plan/write/work-items.ts';
import type { PlannedWrite, WritePlan } from '../../plan/write/write-operation.ts';
import { type ReachableIds, reachableIds } from '../../sql/read/shared-ids-sql.ts';
import { type Statement, toStatement } from '../../sql/sql.ts';
import { lockFilesSql } from '../../sql/write/file-sql.ts';
import { linkedPairsSql } from '../../sql/write/link-sql.ts';
import {
  type LockStrength,
  lockNamesSql,
  lockSql,
  matchSql,
  type OptimisticLookup,
  referencesSql,
  referringSql,
  teamsOfUserSql,
  usersSql,
} from '../../sql/write/lookup-sql.ts';
import { lastChangesSql } from '../../sql/write/status-request-sql.ts';
import { lockTreeSql } from '../../sql/write/work-item-sql.ts';

/**
 * How a transaction treats the records that its requests change or name: it assumes that they exist, or looks them up
 * and waits for locks, or looks them up and skips those that others have locked.
 */
export type WriteMode = 'optimistic' | 'locking' | 'locking if free';

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
    | 'changers'
    | 'links'
    | 'mentioned'
    | 'request'
    | 'people'
    | 'files'
    | 'lock';
  readonly objectType: string;
}

/** Selects look-ups: all, or those before and after the matches of upserts are known. */
export type LookupStage = 'all' | 'until matches' | 'after matches';

/**
 * All look-ups of a plan. Names are locked before records. Records are locked in one order of objects, and
 * referenced ones before those that refer to them, in the same order as a delete locks them: any other
 * order can end in a deadlock.
 */
export function planLookups(
  plan: WritePlan,
  mode: WriteMode,
  stage: LookupStage = 'all',
): readonly Lookup[] {
  const isFirst = stage !== 'after matches';
  const isLast = stage !== 'until matches';
  return [
    ...(isFirst ? [...treeLookups(plan), ...matchLocks(plan)] : []),
    ...(isLast ? linkLookups(plan) : []),
    ...inLockOrder(plan, [
      ...(isFirst ? referenceLookups(plan) : []),
      ...(isLast ? commentedLookups(plan) : []),
      ...(isFirst ? matchLookups(plan) : []),
      ...(isLast ? rowLookups(plan, mode === 'locking' ? 'update' : 'update if free') : []),
    ]),
    ...(isLast ? [...peopleLookups(plan), ...referringLookups(plan), ...gateLookups(plan)] : []),
    // Files are locked after the records that get them.
    ...(isLast ? fileLookups(plan) : []),
  ];
}

/** Objects that share a place keep the order of the list. */
function inLockOrder(plan: WritePlan, lookups: readonly Lookup[]): readonly Lookup[] {
  if (plan.objects.length === 1) return lookups;
  const ranks = lockRanks(plan.model);
  const rankOf = ({ objectType }: Lookup) =>
    ranks.get(plan.model.objects.get(objectType) as ObjectModel) as number;
  return [...lookups].sort((one, other) => rankOf(one) - rankOf(other));
}

/** The first look-up: a transaction that waits for this lock holds no row lock yet. */
export function treeLookups(plan: WritePlan): readonly Lookup[] {
  const strength = treeStrength(plan);
  if (strength === undefined) return [];
  const statement = toStatement(lockTreeSql(plan.model.schema, strength));
  return [{ statement, kind: 'lock', objectType: WORK_ITEMS }];
}

/** The operations on records of an object, by object. */
function byObject(
  { objects }: WritePlan,
  writes: readonly PlannedWrite[],
): readonly { readonly object: ObjectModel; readonly writes: readonly PlannedWrite[] }[] {
  if (writes.length === 0) return [];
  const named = objects.length === 1 ? objects : [...objects].sort(byTable);
  return named.flatMap((object) => {
    const own = writes.filter((write) => write.object === object);
    return own.length === 0 ? [] : [{ object, writes: own }];
  });
}

function byTable(one: ObjectModel, other: ObjectModel): number {
  return one.table < other.table ? -1 : 1;
}

/** Records that are there before the request and are changed. */
function rowLookups(plan: WritePlan, strength: LockStrength): readonly Lookup[] {
  const made = madeOf(plan.writes);
  const changing = plan.writes.filter(({ id, comment }) => id !== undefined && !comment);
  return byObject(plan, changing).flatMap(({ object, writes }) => {
    const isDeleting = writes.some(({ operation }) => operation.action === 'delete');
    const ids = idsOf(writes).filter((id) => !made.has(id));
    return rowLookup(plan, object, ids, isDeleting ? 'delete' : strength);
  });
}

/** Records with comments only: locked against deletion meanwhile. */
function commentedLookups(plan: WritePlan): readonly Lookup[] {
  const commented = plan.writes.filter(({ comment }) => comment !== undefined);
  if (commented.length === 0) return [];
  const changing = plan.writes.filter(({ comment }) => comment === undefined);
  const known = new Set([...madeOf(plan.writes), ...idsOf(changing)]);
  return byObject(plan, commented).flatMap(({ object, writes }) => {
    const ids = idsOf(writes).filter((id) => !known.has(id));
    return rowLookup(plan, object, ids, 'hold');
  });
}

function idsOf(writes: readonly PlannedWrite[]): readonly string[] {
  return writes.flatMap(({ id }) => id ?? []);
}

/** The records within reach with these ids. */
export function rowLookup(
  { model, caller }: Pick<WritePlan, 'model' | 'caller'>,
  object: ObjectModel,
  ids: readonly string[],
  strength: LockStrength,
): readonly Lookup[] {
  if (ids.length === 0) return [];
  const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
  const wanted = reachableIds(reach, ids.length === 1 ? ids : [...new Set(ids)]);
  const statement = lockStatement(model.schema, object, wanted, strength);
  return [{ statement, listed: true, kind: 'rows', objectType: object.object_type }];
}

const lockTexts = new WeakMap<ObjectModel, Map<LockStrength, string>>();

/** The text selects every column of the object and does not depend on the caller. */
function lockStatement(
  schema: string,
  object: ObjectModel,
  wanted: ReachableIds,
  strength: LockStrength,
): Statement {
  const known = lockTexts.get(object)?.get(strength);
  if (known !== undefined) return { text: known, values: [wanted.ids, wanted.reaches] };
  const statement = toStatement(lockSql(schema, object, wanted, strength));
  const texts = lockTexts.get(object) ?? new Map<LockStrength, string>();
  lockTexts.set(object, texts.set(strength, statement.text));
  return statement;
}

function matchLocks(plan: WritePlan): readonly Lookup[] {
  const keys = plan.writes.flatMap((write) => {
    return write.match.size === 0 ? [] : [matchKey(plan, write)];
  });
  if (keys.length === 0) return [];
  const statement = toStatement(lockNamesSql(plan.model.schema, keys, MATCHES));
  return [{ statement, kind: 'lock', objectType: (plan.objects[0] as ObjectModel).object_type }];
}

function matchLookups(plan: WritePlan): readonly Lookup[] {
  const { model, caller } = plan;
  const matching = plan.writes.filter(({ match }) => match.size > 0);
  return byObject(plan, matching).flatMap(({ object, writes }) => {
    const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
    return byKeys(writes).map((same): Lookup => {
      const fields = [...(same[0] as PlannedWrite).match.keys()];
      const matches = same.map(
        (write) => [write.index, comparedValues(write).map(([, value]) => value)] as const,
      );
      const statement = toStatement(matchSql(model.schema, { object, reach }, fields, matches));
      return { statement, kind: 'matches', objectType: object.object_type };
    });
  });
}

/** Matches of the same fields. */
function byKeys(writes: readonly PlannedWrite[]): readonly (readonly PlannedWrite[])[] {
  const same = new Map<string, PlannedWrite[]>();
  for (const write of writes) {
    const keys = [...write.match.keys()].map((field) => field.key).join(' ');
    same.set(keys, [...(same.get(keys) ?? []), write]);
  }
  return [...same.values()];
}

/** Seeds of advisory locks, which keep equal names of different subjects apart. */
const [MATCHES, LINKS] = [0, 2];

function matchKey(plan: WritePlan, write: PlannedWrite): string {
  return JSON.stringify([plan.model.schema, write.object.object_type, comparedValues(write)]);
}

/** The compared values by the key of the field, in a form that equal values share. */
function comparedValues({ match }: PlannedWrite): readonly (readonly [string, unknown])[] {
  return [...match].map(([field, value]) => [field.key, equalityKeyOf(field, value)] as const);
}

/**
 * Serialises concurrent links and unlinks of the same two records, so that each sees the result
 * of the one before.
 */
function linkLookups({ model, objects, writes }: WritePlan): readonly Lookup[] {
  const made = madeOf(writes);
  const pairs = writes
    .flatMap((write) => pairOf(write) ?? [])
    // A record that this request makes is still invisible to others.
    .filter(({ from_id, to_id }) => !made.has(from_id) && !made.has(to_id));
  if (pairs.length === 0) return [];
  const keys = pairs.map(({ via, from_id, to_id }) => pairKey(via.key, from_id, to_id));
  const { object_type: objectType } = objects[0] as ObjectModel;
  return [
    { statement: toStatement(lockNamesSql(model.schema, keys, LINKS)), kind: 'lock', objectType },
    { statement: toStatement(linkedPairsSql(model.schema, pairs)), kind: 'links', objectType },
  ];
}

const NOTHING_MADE: ReadonlySet<string> = new Set();

/** Ids of the records that the operations make, as far as later ones can name them. */
function madeOf(writes: readonly PlannedWrite[]): ReadonlySet<string> {
  if (writes.length === 1) return NOTHING_MADE;
  return new Set(writes.flatMap(({ made }) => made ?? []));
}

export function referenceLookups(plan: WritePlan): readonly Lookup[] {
  return referencedRecords(plan).map(({ object, ...wanted }) => {
    const statement = toStatement(referencesSql(plan.model.schema, object, wanted));
    return { statement, listed: true, kind: 'references', objectType: object.object_type };
  });
}

/** Records that the operations refer or link to, by object. */
export function referencedRecords(plan: WritePlan): OptimisticLookup['references'] {
  const { model, caller } = plan;
  const wanted = new Map<string, Set<string>>();
  let made: ReadonlySet<string> | undefined;
  const add = (objectType: string, id: string) => {
    made ??= madeOf(plan.writes);
    if (!made.has(id)) wanted.set(objectType, (wanted.get(objectType) ?? new Set()).add(id));
  };
  eachWritten(plan, (value, field) => {
    if (FIELD_TYPE_TRAITS[field.type].refersTo !== 'record' || value === null) return;
    add(field.reference_object_type as string, String(value));
  });
  for (const { link, operation } of plan.writes) {
    if ((link?.target ?? null) === null || link === undefined) continue;
    // An unlink by reference needs no look-up: the record itself shows its target.
    const isCleared = operation.action === 'unlink' && link.relationship.via.kind === 'reference';
    if (!isCleared) add(link.relationship.object_type, link.target as string);
  }
  return [...wanted].map(([objectType, ids]) => {
    const object = model.objects.get(objectType) as ObjectModel;
    const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
    return { object, ...reachableIds(reach, [...ids]) };
  });
}

export function peopleLookups(plan: WritePlan): readonly Lookup[] {
  const { schema } = plan.model;
  const { object_type: objectType } = plan.objects[0] as ObjectModel;
  const ids = referencedUsers(plan);
  const mentioned = new Set(plan.writes.flatMap(({ comment }) => comment?.mentioned ?? []));
  const users = ids.length > 0 && toStatement(usersSql(schema, ids, takesAnybody(plan)));
  const people = mentioned.size > 0 && toStatement(membersSql(schema, [...mentioned]));
  return [
    ...(users ? [{ statement: users, listed: true, kind: 'users', objectType } as const] : []),
    ...(people ? [{ statement: people, kind: 'mentioned', objectType } as const] : []),
  ];
}

/** Imports may name inactive users as authors and owners. */
export function takesAnybody({ source }: WritePlan): boolean {
  return source === 'import';
}

/** The caller is known to be active; only other people are looked up. */
export function referencedUsers(plan: WritePlan): readonly number[] {
  const ids = new Set<number>();
  eachWritten(plan, (value, field) => {
    if (FIELD_TYPE_TRAITS[field.type].refersTo === 'user' && value !== null) ids.add(Number(value));
  });
  ids.delete(plan.caller.user.id);
  return [...ids];
}

/**
 * Records that refer to those to be deleted: by a required reference, or by one that is cleared.
 */
function referringLookups(plan: WritePlan): readonly Lookup[] {
  const { model, caller } = plan;
  const deletes = plan.writes.filter(({ operation }) => operation.action === 'delete');
  return byObject(plan, deletes).flatMap(({ object, writes }) => {
    const { read, delete: remove } = objectAccess(caller, object).reach;
    const reaches = [read, remove].map((reach) => reachPredicate(caller, object, reach));
    return planReferrers(model, caller, object).map((referrers): Lookup => {
      const gone = deletes.filter((write) => write.object === referrers.object);
      const deleted = { object, ids: idsOf(writes), reaches, gone: idsOf(gone) };
      const statement = toStatement(referringSql(model.schema, deleted, referrers));
      return { statement, kind: 'referring', objectType: referrers.object.object_type };
    });
  });
}

function fileLookups(plan: WritePlan): readonly Lookup[] {
  const ids = writtenFiles(plan);
  if (ids.length === 0) return [];
  const statement = toStatement(lockFilesSql(plan.model.schema, ids));
  return [{ statement, kind: 'files', objectType: (plan.objects[0] as ObjectModel).object_type }];
}

/** The teams of the caller that may approve a move of the plan, and the people of the last changes of its records. */
function gateLookups({ model, caller, objects, writes, approval }: WritePlan): readonly Lookup[] {
  const moves = writes.filter(({ operation }) => operation.action === 'status');
  const targets = moves.flatMap(({ operation }) =>
    operation.action === 'status' ? [operation.status_id] : [],
  );
  const gates = approval === 'given' ? [] : gatesTo(model, targets);
  const { object_type: objectType } = objects[0] as ObjectModel;
  const names = gates.flatMap(({ teams }) => [...teams]);
  const teams = teamsOfUserSql(model.schema, caller.user.id, names);
  const changes = lastChangesSql(model.schema, idsOf(moves));
  return [
    ...(names.length > 0
      ? [{ kind: 'teams' as const, objectType, statement: toStatement(teams) }]
      : []),
    ...(gates.some((gate) => !gate.self_approval)
      ? [{ kind: 'changers' as const, objectType, statement: toStatement(changes) }]
      : []),
  ];
}

/** The gates of moves to one of these statuses, wherever they start. */
export function gatesTo(model: WorkspaceModel, targets: readonly string[]): readonly Gate[] {
  if (targets.length === 0) return [];
  const statuses = [...model.workflows.values()].flatMap((one) => [...one.statuses.values()]);
  return statuses.flatMap(({ gates }) => targets.flatMap((target) => gates.get(target) ?? []));
}

/** Visit the sent values, and the defaults that a create adds. */
function eachWritten(plan: WritePlan, visit: (value: unknown, field: Field) => void): void {
  for (const write of plan.writes) write.values.forEach(visit);
  const made = plan.writes.filter(({ operation }) => CREATING.has(operation.action));
  for (const { object } of byObject(plan, made)) {
    for (const field of object.fields.values()) {
      if (field.default !== undefined) visit(field.default, field);
    }
  }
}

const CREATING: ReadonlySet<string> = new Set(['create', 'upsert']);

// What a write must know before it can be judged: locked rows, matches, readable references, active
// users, approvers. All of it is asked for in one round trip.

import { objectAccess } from '../model/access.ts';
import type { Field, Gate, ObjectModel, WorkspaceModel } from '../model/model.ts';
import { reachPredicate } from '../plan/read-plan.ts';
import { planReferrers } from '../plan/referrers.ts';
import { treeStrength, wantedPublicIds } from '../plan/work-items.ts';
import type { Found, Referring } from '../plan/write-case.ts';
import type { PlannedWrite, WritePlan } from '../plan/write-plan.ts';
import {
  type Assumed,
  assumedSql,
  type LockStrength,
  lockMatchesSql,
  lockSql,
  matchSql,
  referencesSql,
  referringSql,
  teamsOfUserSql,
  usersSql,
} from '../sql/lookup-sql.ts';
import { type Sql, type Statement, toStatement } from '../sql/sql.ts';
import { PLACE_COLUMN, type Wanted, wantedWithin } from '../sql/wanted-sql.ts';
import { lockTreeSql, nextPublicIdsSql } from '../sql/work-item-sql.ts';
import type { Queryable, Row } from '../store/db.ts';

/** What is known when nothing was looked up. */
export const NOTHING_FOUND: Found = {
  rows: new Map(),
  matches: new Map(),
  references: new Map(),
  activeUsers: new Set(),
  referring: new Map(),
  publicIds: new Map(),
  approvingTeams: new Set(),
};

/** A statement that finds something out, and where its rows belong. */
export interface Lookup {
  readonly statement: Statement;
  /** True when its values are lists of one length, each row of its answer of one place in them. */
  readonly listed?: boolean;
  readonly kind: 'rows' | 'matches' | 'references' | 'users' | 'referring' | 'teams' | 'lock';
  readonly objectType: string;
}

/**
 * Everything the verdict needs to know, in one round trip. Records that are referred to are locked
 * before those that refer to them, as deleting them does: other orders end in deadlocks.
 */
export function planLookups(plan: WritePlan, waits: boolean): readonly Lookup[] {
  const lock = waits ? 'update' : 'update if free';
  return [
    ...treeLookups(plan),
    ...referenceLookups(plan),
    ...matchLookups(plan),
    ...rowLookups(plan, isDeleting(plan) ? 'delete' : lock),
    ...userLookups(plan),
    ...referringLookups(plan),
    ...teamLookups(plan),
  ];
}

/** Before anything else: who waits here holds no row that others wait for. */
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

/** The text has every column of the object and is the same for everybody. */
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
    { statement: toStatement(lockMatchesSql(keys)), kind: 'lock', objectType },
  ];
  for (const writes of byKeys.values()) {
    const fields = [...(writes[0] as PlannedWrite).match.keys()];
    const matches = writes.map((write) => [write.index, [...write.match.values()]] as const);
    const { model, caller, object } = plan;
    const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
    const within = { object, reach };
    const statement = toStatement(matchSql(model.schema, within, fields, matches));
    lookups.push({ statement, kind: 'matches', objectType });
  }
  return lookups;
}

function matchKey(plan: WritePlan, write: PlannedWrite): string {
  const values = [...write.match].map(([field, value]) => [field.key, value]);
  return JSON.stringify([plan.model.schema, plan.object.object_type, values]);
}

function referenceLookups(plan: WritePlan): readonly Lookup[] {
  return wantedReferences(plan).map(({ object, ...wanted }) => {
    const statement = toStatement(referencesSql(plan.model.schema, object, wanted));
    return { statement, listed: true, kind: 'references', objectType: object.object_type };
  });
}

/** Records that the operations refer or link to, by object. */
function wantedReferences(plan: WritePlan): Assumed['references'] {
  const { model, caller } = plan;
  const wanted = new Map<string, Set<string>>();
  const add = (objectType: string, id: string) =>
    wanted.set(objectType, (wanted.get(objectType) ?? new Set()).add(id));
  for (const [field, value] of writtenValues(plan)) {
    if (field.type !== 'reference' || value === null) continue;
    add(field.reference_object_type as string, String(value));
  }
  for (const { link, operation } of plan.writes) {
    if ((link?.target ?? null) === null || link === undefined) continue;
    // What a reference points to is seen in the record itself when it is cleared.
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

/** What an import brings has happened: its author may be an agent, its owner may have left. */
function takesAnybody({ source }: WritePlan): boolean {
  return source === 'import';
}

/** The caller is known to be active; only other people are looked up. */
function wantedUsers(plan: WritePlan): readonly number[] {
  const ids = new Set<number>();
  for (const [field, value] of writtenValues(plan)) {
    if (field.type === 'user' && value !== null) ids.add(Number(value));
  }
  ids.delete(plan.caller.user.id);
  return [...ids];
}

/**
 * What creates take for granted: they can be sent with a check of it. Other operations, those that must
 * be explained, and work items that get a parent look first. Undefined when the plan has any.
 */
export function assumedOf(plan: WritePlan): Assumed | undefined {
  if (plan.writes.some(({ operation }) => operation.action !== 'create')) return undefined;
  if (treeStrength(plan) !== undefined) return undefined;
  const [references, users] = [wantedReferences(plan), wantedUsers(plan)];
  return { references, users, anybody: takesAnybody(plan) };
}

/** What is known when all that is taken for granted is there. */
export function assumedFound({ references, users }: Assumed = NOTHING_ASSUMED): Found {
  const found = references.map(({ object, ids }) => [object.object_type, new Set(ids)] as const);
  return { ...NOTHING_FOUND, references: new Map(found), activeUsers: new Set(users) };
}

const NOTHING_ASSUMED: Assumed = { references: [], users: [], anybody: false };

export function hasAssumptions({ references, users }: Assumed = NOTHING_ASSUMED): boolean {
  return references.length > 0 || users.length > 0;
}

/** True in the database when all of this is there; undefined when nothing is taken for granted. */
export function assumptionSql(schema: string, all: readonly Assumed[]): Sql | undefined {
  const wanted = new Map<ObjectModel, Assumed['references'][number]>();
  for (const { object, ids, reaches } of all.flatMap(({ references }) => references)) {
    const known = wanted.get(object) ?? { object, ids: [], reaches: [] };
    const merged = { ids: known.ids.concat(ids), reaches: known.reaches.concat(reaches) };
    wanted.set(object, { object, ...merged });
  }
  const users = [...new Set(all.flatMap((one) => one.users))];
  const anybody = all.some((one) => one.anybody);
  const assumed = { references: [...wanted.values()], users, anybody };
  return hasAssumptions(assumed) ? assumedSql(schema, assumed) : undefined;
}

/** What refers to the records that are deleted: some cannot be without them, some lose a reference. */
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

/** What is sent, and the defaults a create adds to it. */
function* writtenValues(plan: WritePlan): Iterable<readonly [Field, unknown]> {
  for (const write of plan.writes) yield* write.values;
  if (plan.writes.every(({ operation }) => !CREATING.has(operation.action))) return;
  for (const field of plan.object.fields.values()) {
    if (field.default !== undefined) yield [field, field.default];
  }
}

const CREATING: ReadonlySet<string> = new Set(['create', 'upsert']);

/** What was found, with public ids for the work items that the plan creates. */
export async function numberItems(db: Queryable, plan: WritePlan, found: Found): Promise<Found> {
  const wanted = wantedPublicIds(plan, found);
  if (wanted.size === 0) return found;
  const statement = nextPublicIdsSql(plan.model.schema, [...wanted.values()]);
  const rows = await db.query(toStatement(statement));
  const publicIds = new Map(
    [...wanted.keys()].map((write, place) => [write, String(rows[place]?.public_id)] as const),
  );
  return { ...found, publicIds };
}

interface Merged {
  readonly statement: Statement;
  readonly lookups: { readonly lookup: Lookup; readonly from: number; readonly to: number }[];
}

/**
 * The answers to the look-ups of each request, all in one round trip. Those with lists as values and the
 * same text are one statement.
 */
export async function runLookups(
  tx: Queryable,
  requests: readonly (readonly Lookup[])[],
): Promise<readonly (readonly (readonly Row[])[])[]> {
  const merged: Merged[] = [];
  for (const lookup of requests.flat()) addLookup(merged, lookup);
  const answers = new Map<Lookup, readonly Row[]>();
  const rows = await Promise.all(merged.map(({ statement }) => tx.query(statement)));
  merged.forEach(({ lookups }, index) => {
    const [first, ...others] = lookups;
    if (first !== undefined && others.length === 0) answers.set(first.lookup, rows[index] ?? []);
    else for (const part of lookups) answers.set(part.lookup, rowsOf(part, rows[index] ?? []));
  });
  return requests.map((lookups) => lookups.map((lookup) => answers.get(lookup) ?? []));
}

function addLookup(merged: Merged[], lookup: Lookup): void {
  const { statement, listed = false } = lookup;
  const length = listed ? (statement.values[0] as readonly unknown[]).length : 0;
  const index = listed ? merged.findIndex((one) => one.statement.text === statement.text) : -1;
  const same = merged[index];
  if (same === undefined) {
    merged.push({ statement, lookups: [{ lookup, from: 0, to: length }] });
    return;
  }
  const values = same.statement.values.map((list, place) =>
    (list as readonly unknown[]).concat(statement.values[place]),
  );
  const from = (same.statement.values[0] as readonly unknown[]).length;
  merged[index] = {
    statement: { text: statement.text, values },
    lookups: [...same.lookups, { lookup, from, to: from + length }],
  };
}

function rowsOf({ from, to }: Merged['lookups'][number], rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => {
    const place = Number(row[PLACE_COLUMN]);
    return place > from && place <= to;
  });
}

/** What the answers to look-ups say. */
export function foundOf({
  lookups,
  answers,
}: {
  readonly lookups: readonly Lookup[];
  readonly answers: readonly (readonly Row[])[];
}): Found {
  const rows = new Map<string, Row>();
  const matches = new Map<number, Row[]>();
  const references = new Map<string, ReadonlySet<string>>();
  const activeUsers = new Set<number>();
  const referring = new Map<string, Referring>();
  const approvingTeams = new Set<string>();
  lookups.forEach(({ kind, objectType }, index) => {
    const answer = answers[index] ?? [];
    if (kind === 'rows') for (const row of answer) rows.set(String(row.id), row);
    if (kind === 'users') for (const row of answer) activeUsers.add(Number(row.id));
    if (kind === 'teams') for (const row of answer) approvingTeams.add(String(row.name));
    if (kind === 'references') {
      references.set(objectType, new Set(answer.map((row) => String(row.id))));
    }
    if (kind === 'referring') for (const row of answer) addReferring(referring, objectType, row);
    if (kind === 'matches') {
      for (const row of answer) {
        const match = Number(row._match);
        matches.set(match, [...(matches.get(match) ?? []), row]);
      }
    }
  });
  const { publicIds } = NOTHING_FOUND;
  return { rows, matches, references, activeUsers, referring, publicIds, approvingTeams };
}

function addReferring(referring: Map<string, Referring>, objectType: string, row: Row): void {
  const id = String(row.id);
  const before = referring.get(id);
  const [needing, cleared] = [Number(row.needing), Number(row.cleared)];
  referring.set(id, {
    needing: { ...before?.needing, ...(needing > 0 ? { [objectType]: needing } : {}) },
    cleared: { ...before?.cleared, ...(cleared > 0 ? { [objectType]: cleared } : {}) },
    hidden: before?.hidden === true || row.hidden === true,
  });
}

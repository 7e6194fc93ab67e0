// What a write must know before it can be judged: locked rows, matches, readable references, active
// users, approvers. All of it is asked for in one round trip.

import { objectAccess } from '../model/access.ts';
import type { Field, Gate, ObjectModel, WorkspaceModel } from '../model/model.ts';
import { planGet, type ReadPlan, reachPredicate } from '../plan/read-plan.ts';
import { planReferrers } from '../plan/referrers.ts';
import { treeStrength, wantedPublicIds } from '../plan/work-items.ts';
import type { Found, Referring } from '../plan/write-case.ts';
import { AUTHOR_FIELD } from '../plan/write-fields.ts';
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
import { lockTreeSql, nextPublicIdsSql } from '../sql/work-item-sql.ts';
import type { Queryable, Row } from '../store/db.ts';
import { keepPlan } from './kept-plans.ts';

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
  readonly kind: 'rows' | 'matches' | 'references' | 'users' | 'referring' | 'teams' | 'lock';
  readonly objectType: string;
}

/**
 * Everything the verdict needs to know, in one round trip. Records that are referred to are locked
 * before those that refer to them, as deleting them does: other orders end in deadlocks.
 */
export function planLookups(plan: WritePlan): readonly Lookup[] {
  return [
    ...treeLookups(plan),
    ...referenceLookups(plan),
    ...matchLookups(plan),
    ...rowLookups(plan, isDeleting(plan) ? 'delete' : 'update'),
    ...userLookups(plan),
    ...referringLookups(plan),
    ...teamLookups(plan),
  ];
}

/** Locked rows carry every column: the verdict compares them with what is written. */
function lockPlan(plan: WritePlan, ids: readonly string[]): ReadPlan {
  const { model, caller, object } = plan;
  const fields = [...object.fields.values(), AUTHOR_FIELD];
  const id = object.fields.get('id') as Field;
  const readable = planGet(model, caller, object, { ids, fields: undefined });
  return { ...readable, fields, order: [{ field: id, direction: 'asc' }] };
}

/** Stands for the ids in a statement that is kept. */
const IDS: readonly string[] = Object.freeze([]);

function lockStatement(plan: WritePlan, ids: readonly string[], strength: LockStrength): Statement {
  const { object_type } = plan.object;
  const { text, values } = keepPlan(plan, `lock for ${strength} ${object_type}`, () =>
    toStatement(lockSql(lockPlan(plan, IDS), strength)),
  );
  return { text, values: values.map((value) => (value === IDS ? ids : value)) };
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
  const statement = lockStatement(plan, ids, strength);
  return [{ statement, kind: 'rows', objectType: plan.object.object_type }];
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
    const statement = toStatement(matchSql(lockPlan(plan, []), fields, matches));
    lookups.push({ statement, kind: 'matches', objectType });
  }
  return lookups;
}

function matchKey(plan: WritePlan, write: PlannedWrite): string {
  const values = [...write.match].map(([field, value]) => [field.key, value]);
  return JSON.stringify([plan.model.schema, plan.object.object_type, values]);
}

function referenceLookups(plan: WritePlan): readonly Lookup[] {
  return wantedReferences(plan).map(({ object, reach, ids }) => {
    const statement = toStatement(referencesSql(plan.model.schema, object, reach, ids));
    return { statement, kind: 'references', objectType: object.object_type };
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
    return { object, reach, ids: [...ids] };
  });
}

function userLookups(plan: WritePlan): readonly Lookup[] {
  const ids = wantedUsers(plan);
  if (ids.length === 0) return [];
  const statement = toStatement(usersSql(plan.model.schema, ids, takesAnybody(plan)));
  return [{ statement, kind: 'users', objectType: plan.object.object_type }];
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

/** What is found when all that creates refer to is there, and the condition that it is. */
export interface Assumption {
  readonly found: Found;
  readonly condition: Sql | undefined;
}

/**
 * Creates can be sent in one statement that checks what they refer to; other operations, those that
 * must be explained, and work items that get a parent look first. Undefined when the plan has any.
 */
export function assumeFound(plan: WritePlan): Assumption | undefined {
  if (plan.writes.some(({ operation }) => operation.action !== 'create')) return undefined;
  if (treeStrength(plan) !== undefined) return undefined;
  const references = wantedReferences(plan);
  const users = wantedUsers(plan);
  const found = {
    ...NOTHING_FOUND,
    references: new Map(
      references.map(({ object, ids }) => [object.object_type, new Set(ids)] as const),
    ),
    activeUsers: new Set(users),
  };
  const isNeeded = references.length > 0 || users.length > 0;
  const assumed = { references, users, anybody: takesAnybody(plan) };
  const condition = isNeeded ? assumedSql(plan.model.schema, assumed) : undefined;
  return { found, condition };
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

/** Everything the verdict needs: one round trip, and one more for the numbers of new work items. */
export async function lookUp(tx: Queryable, plan: WritePlan): Promise<Found> {
  return numberItems(tx, plan, await runLookups(tx, planLookups(plan)));
}

/**
 * The same for updates that refer to nothing, without a wait: records that somebody else holds are not
 * among the rows.
 */
export function lookUpFree(tx: Queryable, plan: WritePlan): Promise<Found> {
  return runLookups(tx, [...rowLookups(plan, 'update if free'), ...userLookups(plan)]);
}

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

async function runLookups(tx: Queryable, lookups: readonly Lookup[]): Promise<Found> {
  const answers = await Promise.all(lookups.map(({ statement }) => tx.query(statement)));
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

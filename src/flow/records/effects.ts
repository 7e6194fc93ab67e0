// The effects of validated requests, and the statements that write them: changes in the order of the
// operations (D51), then the audit rows, search rows and stored answers of all of them, one statement a
// table.

import { uuidv7 } from 'uuidv7';
import { LIMITS } from '../../limits.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { SearchChange } from '../../plan/search/search-rows.ts';
import type { FileChanges } from '../../plan/write/file-values.ts';
import { AUTHOR_KEY } from '../../plan/write/write-fields.ts';
import type { LinkedPair } from '../../plan/write/write-validation.ts';
import type { Row } from '../../postgres/db.ts';
import {
  type Actor,
  type AuditEntry,
  auditSql,
  type DefinitionRevision,
} from '../../sql/events/audit-sql.ts';
import { addCommentsSql, type NewComment } from '../../sql/events/comment-sql.ts';
import {
  forgetRecordsSql,
  type HistoryEntry,
  keepValuesSql,
} from '../../sql/events/history-sql.ts';
import { type Assigned, notifyAssignedSql } from '../../sql/events/notify-sql.ts';
import { type Sql, type Statement, toStatement } from '../../sql/sql.ts';
import { deleteSql } from '../../sql/write/delete-sql.ts';
import type { Attached } from '../../sql/write/deleted-records.ts';
import { attachFilesSql, releaseFilesSql } from '../../sql/write/file-sql.ts';
import { type StoredAnswer, storeAnswersSql } from '../../sql/write/idempotency-sql.ts';
import { linkSql, unlinkSql } from '../../sql/write/link-sql.ts';
import { type MergeState, mergeSql, type Unmerged, unmergeSql } from '../../sql/write/merge-sql.ts';
import { type RestoredParts, restoredPartsSql } from '../../sql/write/restore-sql.ts';
import { searchChangeSql } from '../../sql/write/search-rows-sql.ts';
import { untrashSql } from '../../sql/write/trash-sql.ts';
import { type PlacedItem, requireTreeSql } from '../../sql/write/work-item-sql.ts';
import { insertSql, type Updated, updateSql } from '../../sql/write/write-sql.ts';

/** A change of the tables of records, links or comments. */
export type Mutation =
  | { readonly kind: 'insert'; readonly object: ObjectModel; readonly rows: readonly Row[] }
  | {
      readonly kind: 'update';
      readonly object: ObjectModel;
      readonly updates: readonly [Updated, ...Updated[]];
    }
  | {
      readonly kind: 'delete';
      readonly object: ObjectModel;
      readonly ids: readonly string[];
      readonly actor: Actor;
      readonly attached: Attached;
    }
  /** Records become another one. */
  | {
      readonly kind: 'merge';
      readonly object: ObjectModel;
      readonly ids: readonly string[];
      readonly actor: Actor;
      readonly attached: Attached;
      readonly merge: MergeState;
    }
  /** A record gives back what it got by a merge. */
  | ({ readonly kind: 'unmerge' } & Unmerged)
  /** A record comes back from the trash. */
  | {
      readonly kind: 'restore';
      readonly object: ObjectModel;
      readonly row: Row;
      readonly parts: RestoredParts;
    }
  /** A record leaves the trash for good. */
  | { readonly kind: 'purge'; readonly object: ObjectModel; readonly id: string }
  | { readonly kind: 'link' | 'unlink'; readonly pairs: readonly LinkedPair[] }
  | {
      readonly kind: 'comment';
      readonly object: ObjectModel;
      readonly comments: readonly NewComment[];
    };

/** A change with its audit rows. */
export interface Step {
  readonly mutation: Mutation;
  readonly audit: readonly AuditEntry[];
  /** The values that it replaces, of an object with a history. */
  readonly history?: HistoryEntry | undefined;
  /** The person that it gives the record to. */
  readonly assigned?: Assigned | undefined;
}

/** A comment on a record, by whom, and whom it notifies. */
export interface WrittenComment extends Omit<NewComment, 'notifications'> {
  readonly notified: readonly number[];
}

/** The comment, with a notification for each person that it notifies. */
export function newComment({ notified, ...comment }: WrittenComment): NewComment {
  return { ...comment, notifications: notified.map((user_id) => ({ id: uuidv7(), user_id })) };
}

/** The effects of one request. */
export interface Effects {
  readonly steps: readonly Step[];
  readonly search: readonly (SearchChange & { readonly object: ObjectModel })[];
  /** Work items that get a place in a tree. */
  readonly placedItems: readonly PlacedItem[];
  readonly storedAnswer: StoredAnswer | undefined;
  readonly files?: FileChanges | undefined;
  /** Statements that note them in the same transaction. */
  readonly notes?: readonly Statement[];
}

/**
 * The statements of requests that are written together; those that change records return a row for
 * each. `optimisticCheck` is evaluated by the first insert.
 */
export function effectStatements(
  definition: DefinitionRevision,
  effects: readonly Effects[],
  optimisticCheck: Sql | undefined,
): readonly Statement[] {
  const { schema } = definition;
  const placedItems = effects.flatMap((one) => one.placedItems);
  const storedAnswers = effects.flatMap((one) => one.storedAnswer ?? []);
  const steps = effects.flatMap((one) => one.steps);
  const replaced = steps.flatMap(({ history }) => history ?? []);
  const assignments = steps.flatMap(({ assigned }) => assigned ?? []);
  const statements = [
    ...stepStatements(definition, steps, optimisticCheck),
    ...(replaced.length === 0 ? [] : [keepValuesSql(definition, replaced)]),
    ...searchStatements(schema, effects),
    ...fileStatements(schema, effects),
    ...(assignments.length === 0 ? [] : [notifyAssignedSql(schema, assignments)]),
    ...(storedAnswers.length === 0 ? [] : [storeAnswersSql(schema, storedAnswers)]),
    ...(placedItems.length === 0
      ? []
      : [requireTreeSql(schema, placedItems, LIMITS.workItemLevels)]),
  ];
  return [...statements.map(toStatement), ...effects.flatMap(({ notes = [] }) => notes)];
}

function fileStatements(schema: string, effects: readonly Effects[]): readonly Sql[] {
  const attached = effects.flatMap(({ files }) => files?.attached ?? []);
  const released = effects.flatMap(({ files }) => files?.released ?? []);
  return [
    ...(released.length === 0 ? [] : [releaseFilesSql(schema, released)]),
    ...(attached.length === 0 ? [] : [attachFilesSql(schema, attached)]),
  ];
}

/** The changes with their audit rows, in the order of the steps. */
function stepStatements(
  definition: DefinitionRevision,
  steps: readonly Step[],
  optimisticCheck: Sql | undefined,
): readonly Sql[] {
  const statements: Sql[] = [];
  let check = optimisticCheck;
  let entries: AuditEntry[] = [];
  const flush = () => {
    if (entries.length > 0) statements.push(auditSql(definition, entries));
    entries = [];
  };
  for (const { mutation, audit } of joinSteps(steps)) {
    // Records whose reference is cleared get their audit rows from a statement of their own.
    const isDelete = mutation.kind === 'delete' || mutation.kind === 'merge';
    if (isDelete && mutation.attached.cleared.length > 0) flush();
    statements.push(...mutationSql(definition, mutation, check));
    if (mutation.kind === 'insert') check = undefined;
    entries.push(...audit);
    if (mutation.kind !== 'restore') continue;
    // Readers learn of the record before they learn of references to it.
    flush();
    statements.push(...restoredPartsSql(definition, mutation.object, mutation.parts));
  }
  flush();
  return statements;
}

/**
 * Changes of the same kind become one statement, also past changes of other objects that they do not depend
 * on. The audit rows of inserts and updates stay in the order of the steps.
 */
function joinSteps(steps: readonly Step[]): readonly Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const stepIndex = placeOf(joined, step);
    if (stepIndex === undefined) {
      joined.push({ mutation: withOwnList(step.mutation), audit: [...step.audit] });
      continue;
    }
    add((joined[stepIndex] as Step).mutation, step.mutation);
    ((joined.at(-1) as Step).audit as AuditEntry[]).push(...step.audit);
  }
  return joined;
}

/** The step that takes the change in; undefined: none. */
function placeOf(joined: readonly Step[], { mutation }: Step): number | undefined {
  for (let place = joined.length - 1; place >= 0; place -= 1) {
    const { mutation: before } = joined[place] as Step;
    if (isJoinable(before, mutation)) return place;
    if (!mayPass(before, mutation)) return undefined;
  }
  return undefined;
}

/** True when both orders give the same result: other objects, and no part of `next` refers to a new record. */
function mayPass(before: Mutation, next: Mutation): boolean {
  if (next.kind !== 'insert' && next.kind !== 'update') return false;
  if (before.kind === 'update') return before.object !== next.object;
  if (before.kind !== 'insert' || before.object === next.object) return false;
  const made = new Set(before.rows.map(({ id }) => id));
  const values =
    next.kind === 'insert' ? next.rows.flatMap(Object.values) : next.updates.flatMap(valuesOf);
  return !values.some((value) => made.has(value));
}

function valuesOf({ set }: Updated): readonly unknown[] {
  return [...set.values()];
}

function isJoinable(one: Mutation, next: Mutation): boolean {
  if (one.kind !== next.kind) return false;
  switch (one.kind) {
    case 'insert':
      return one.object === (next as typeof one).object;
    case 'update':
      return isSameShape(one, next as typeof one);
    case 'delete':
      return one.object === (next as typeof one).object && one.actor === (next as typeof one).actor;
    case 'comment':
      return one.object === (next as typeof one).object;
    case 'link':
    case 'unlink':
      return true;
    default:
      return false;
  }
}

/** The change with a list that others are added to: a copy for each of them made a batch of n cost n² (D406). */
function withOwnList(one: Mutation): Mutation {
  switch (one.kind) {
    case 'insert':
      return { ...one, rows: [...one.rows] };
    case 'update': {
      const [first, ...others] = one.updates;
      return { ...one, updates: [first, ...others] };
    }
    case 'delete':
      return { ...one, ids: [...one.ids] };
    case 'comment':
      return { ...one, comments: [...one.comments] };
    case 'link':
    case 'unlink':
      return { ...one, pairs: [...one.pairs] };
    default:
      return one;
  }
}

/** Add the records of `next`, which is joinable, to the list that `one` owns. */
function add(one: Mutation, next: Mutation): void {
  (listOf(one) as unknown[]).push(...listOf(next));
}

function listOf(one: Mutation): readonly unknown[] {
  switch (one.kind) {
    case 'insert':
      return one.rows;
    case 'update':
      return one.updates;
    case 'delete':
      return one.ids;
    case 'comment':
      return one.comments;
    case 'link':
    case 'unlink':
      return one.pairs;
    default:
      throw new Error(`a ${one.kind} is not joined with others`);
  }
}

type Update = Extract<Mutation, { kind: 'update' }>;

/**
 * With unique values the order matters: a record may get a value that another one had before. One statement
 * changes a record once.
 */
function isSameShape(one: Update, next: Update): boolean {
  if (next.updates.some(({ id }) => one.updates.some((other) => other.id === id))) return false;
  const [fields, others] = [shapeOf(one), shapeOf(next)];
  if (one.object !== next.object || fields.length !== others.length) return false;
  return fields.every((field, index) => field === others[index] && !field?.unique);
}

/** The fields in the order of the definition; all custom fields are one column. */
function shapeOf({ updates: [{ set }] }: Update): readonly (Field | undefined)[] {
  const physical = [...set.keys()].filter(({ storage }) => storage === 'physical');
  return physical.length === set.size ? physical : [...physical, undefined];
}

function mutationSql(
  definition: DefinitionRevision,
  mutation: Mutation,
  optimisticCheck: Sql | undefined,
): readonly Sql[] {
  const { schema } = definition;
  switch (mutation.kind) {
    case 'insert': {
      const { object, rows } = mutation;
      const columns = insertedColumns(object, rows);
      return [insertSql(schema, object, { columns, rows, optimisticCheck })];
    }
    case 'update':
      return [updateSql(schema, mutation.object, mutation.updates)];
    case 'delete':
      return deleteSql(definition, mutation, mutation.attached);
    case 'merge':
      return mergeSql(definition, mutation);
    case 'unmerge':
      return unmergeSql(schema, mutation);
    case 'restore': {
      const { object, row } = mutation;
      const columns = insertedColumns(object, [row]).set('version', 'integer');
      return [insertSql(schema, object, { columns, rows: [row] })];
    }
    case 'purge': {
      const { object, id } = mutation;
      const history = object.history === null ? [] : [forgetRecordsSql(schema, object, [id])];
      return [untrashSql(schema, object, id), ...history];
    }
    case 'link':
      return [linkSql(schema, mutation.pairs)];
    case 'unlink':
      return [unlinkSql(schema, mutation.pairs)];
    case 'comment':
      return addCommentsSql(schema, mutation.object.object_type, mutation.comments);
  }
}

/** The columns any of the rows has, in the order of the definition: a stable text per shape. */
export function insertedColumns(object: ObjectModel, rows: readonly Row[]): Map<string, string> {
  const used = new Set<string>();
  for (const row of rows) for (const name in row) used.add(name);
  const columns = new Map<string, string>([
    ['id', 'uuid'],
    [AUTHOR_KEY, 'integer'],
  ]);
  for (const field of object.fields.values()) {
    if (!used.has(field.column)) continue;
    columns.set(field.column, field.storage === 'jsonb' ? 'jsonb' : field.cast_type);
  }
  return columns;
}

function searchStatements(schema: string, effects: readonly Effects[]): readonly Sql[] {
  const changes = effects.flatMap((one) => one.search);
  const objects = new Set(changes.map(({ object }) => object));
  return [...objects].flatMap((object) => {
    const own = changes.filter((change) => change.object === object);
    return searchChangeSql(schema, object, {
      removed: own.flatMap(({ removed }) => removed),
      rows: own.flatMap(({ rows }) => rows),
      words: [...new Set(own.flatMap(({ words }) => words))],
    });
  });
}

// What validated requests do to the database, and the statements that do it: changes in the order of the
// operations (D51), then the audit rows, search rows and stored answers of all of them, one statement a
// table.

import { LIMITS } from '../limits.ts';
import type { LinkKind, ObjectModel } from '../model/model.ts';
import type { SearchChange } from '../plan/search-rows.ts';
import type { Change } from '../plan/write-case.ts';
import { AUTHOR_KEY } from '../plan/write-fields.ts';
import { type Actor, type AuditEntry, auditSql, type JudgedBy } from '../sql/audit-sql.ts';
import { addCommentsSql, type NewComment } from '../sql/comment-sql.ts';
import { type Attached, deleteSql } from '../sql/delete-sql.ts';
import { type RememberedAnswer, rememberSql } from '../sql/idempotency-sql.ts';
import { type LinkedPair, linkSql, unlinkSql } from '../sql/link-sql.ts';
import { searchChangeSql } from '../sql/search-rows-sql.ts';
import { type Sql, type Statement, toStatement } from '../sql/sql.ts';
import { type Planted, requireTreeSql } from '../sql/work-item-sql.ts';
import { insertSql, updateSql } from '../sql/write-sql.ts';
import type { Row } from '../store/db.ts';

/** A change of the tables of records, links or comments. */
export type Mutation =
  | { readonly kind: 'insert'; readonly object: ObjectModel; readonly rows: readonly Row[] }
  | ({ readonly kind: 'update'; readonly object: ObjectModel } & Pick<
      Extract<Change, { kind: 'update' }>,
      'id' | 'set'
    >)
  | {
      readonly kind: 'delete';
      readonly object: ObjectModel;
      readonly ids: readonly string[];
      readonly actor: Actor;
      readonly attached: Attached;
    }
  | {
      readonly kind: 'link' | 'unlink';
      readonly via: LinkKind;
      readonly pair: LinkedPair;
      /** Written only when the link was not there, or was. */
      readonly entry: AuditEntry;
    }
  | {
      readonly kind: 'comment';
      readonly object: ObjectModel;
      readonly comments: readonly NewComment[];
    };

/** What one request does. */
export interface Effects {
  readonly mutations: readonly Mutation[];
  readonly audit: readonly AuditEntry[];
  readonly search: readonly (SearchChange & { readonly object: ObjectModel })[];
  /** Work items that get a place in a tree. */
  readonly planted: readonly Planted[];
  readonly remembered: RememberedAnswer | undefined;
}

/**
 * The statements of requests that are written together; those that change records answer a row for each
 * of them. `assumed` is checked by the first insert.
 */
export function effectStatements(
  judgedBy: JudgedBy,
  effects: readonly Effects[],
  assumed: Sql | undefined,
): readonly Statement[] {
  const { schema } = judgedBy;
  const audit = effects.flatMap((one) => one.audit);
  const planted = effects.flatMap((one) => one.planted);
  const remembered = effects.flatMap((one) => one.remembered ?? []);
  const mutations = joinNeighbours(effects.flatMap((one) => one.mutations));
  const statements = [
    ...mutations.flatMap((mutation) => mutationSql(judgedBy, mutation, assumed)),
    ...(audit.length === 0 ? [] : [auditSql(judgedBy, audit)]),
    ...searchStatements(schema, effects),
    ...(remembered.length === 0 ? [] : [rememberSql(schema, remembered)]),
    ...(planted.length === 0 ? [] : [requireTreeSql(schema, planted, LIMITS.workItemLevels)]),
  ];
  return statements.map(toStatement);
}

/** Inserts side by side are one statement, and so are deletes of one actor. */
function joinNeighbours(mutations: readonly Mutation[]): readonly Mutation[] {
  const joined: Mutation[] = [];
  for (const mutation of mutations) {
    const both = join(joined[joined.length - 1], mutation);
    if (both === undefined) joined.push(mutation);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

function join(one: Mutation | undefined, next: Mutation): Mutation | undefined {
  if (one?.kind === 'insert' && next.kind === 'insert' && one.object === next.object) {
    return { ...one, rows: one.rows.concat(next.rows) };
  }
  if (one?.kind === 'delete' && next.kind === 'delete' && one.actor === next.actor) {
    return { ...one, ids: one.ids.concat(next.ids) };
  }
  return undefined;
}

function mutationSql(
  judgedBy: JudgedBy,
  mutation: Mutation,
  assumed: Sql | undefined,
): readonly Sql[] {
  const { schema } = judgedBy;
  switch (mutation.kind) {
    case 'insert': {
      const { object, rows } = mutation;
      const columns = insertedColumns(object, rows);
      return [insertSql(schema, object, { columns, rows, assumed })];
    }
    case 'update':
      return [updateSql(schema, mutation.object, mutation)];
    case 'delete':
      return deleteSql(judgedBy, mutation, mutation.attached);
    case 'link':
      return linkSql(judgedBy, mutation.via, mutation.pair, mutation.entry);
    case 'unlink':
      return unlinkSql(judgedBy, mutation.via, mutation.pair, mutation.entry);
    case 'comment':
      return addCommentsSql(schema, mutation.object.object_type, mutation.comments);
  }
}

/** The columns any of the rows has, in the order of the definition: a stable text per shape. */
function insertedColumns(object: ObjectModel, rows: readonly Row[]): ReadonlyMap<string, string> {
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
    return searchChangeSql(schema, object.table, {
      removed: own.flatMap(({ removed }) => removed),
      rows: own.flatMap(({ rows }) => rows),
      words: [...new Set(own.flatMap(({ words }) => words))],
    });
  });
}

// The statements that bring back what belonged to a deleted record besides its row: comments, links and references
// from other records; and what waits for others that are in the trash (docs/design/trash.md). Pure text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { LinkedPair } from '../../plan/write/write-validation.ts';
import { type Actor, auditConsequencesSql, type DefinitionRevision } from '../events/audit-sql.ts';
import { keepValuesSql } from '../events/history-sql.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { insertMadeSql } from './insert-sql.ts';
import { linkSql } from './link-sql.ts';
import { unmergedSql } from './merge-sql.ts';
import { untrashSql } from './trash-sql.ts';
import { updateSql } from './write-sql.ts';

/**
 * The records that get their reference to the restored one again, in the same fields: one statement of each kind
 * writes all of them.
 */
export interface RestoredReferences {
  readonly object: ObjectModel;
  readonly fields: readonly Field[];
  readonly records: readonly [ReferringRecord, ...ReferringRecord[]];
}

interface ReferringRecord {
  readonly id: string;
  /** The counter of the record after the restore. */
  readonly revision: number;
}

/** The parts that another record in the trash gets: links and references that come back with it, values of its own. */
export interface WaitingParts {
  readonly table_name: string;
  readonly record_id: string;
  readonly links: readonly unknown[];
  readonly cleared: readonly unknown[];
  /** Columns that are null there and get the restored record. */
  readonly columns: readonly string[];
}

/** All that comes back with a record. */
export interface RestoredParts {
  readonly id: string;
  readonly actor: Actor;
  /** The record that references come back from; null: they are empty. */
  readonly from: string | null;
  /** True when it had comments or followers. */
  readonly commented: boolean;
  readonly pairs: readonly LinkedPair[];
  readonly references: readonly RestoredReferences[];
  /** Each record once. */
  readonly waiting: readonly WaitingParts[];
}

/** The record itself is inserted already. */
export function restoredPartsSql(
  definition: DefinitionRevision,
  object: ObjectModel,
  parts: RestoredParts,
): readonly Sql[] {
  const { schema } = definition;
  return [
    ...(parts.commented ? restoredCommentsSql(schema, object, parts.id) : []),
    ...(parts.pairs.length > 0 ? [linkSql(schema, parts.pairs)] : []),
    ...parts.references.flatMap((one) => restoredReferencesSql(definition, one, parts)),
    ...(parts.waiting.length > 0 ? [waitingSql(schema, parts.waiting, parts.id)] : []),
    untrashSql(schema, object, parts.id),
    unmergedSql(schema, object, parts.id),
  ];
}

/** Comments, and the people who hear of new ones. Without notifications: these were not kept. */
function restoredCommentsSql(schema: string, object: ObjectModel, id: string): readonly Sql[] {
  return [commentsOfSql(schema, object, id), followsOfSql(schema, object, id)];
}

function commentsOfSql(schema: string, object: ObjectModel, id: string): Sql {
  const rows = sql`select c.id, ${object.object_type}::text, d.record_id, c.body, c.author_user_id, c.created_at, c.updated_at
    from ${identifier(schema, '_trash')} d
    cross join lateral jsonb_to_recordset(d.comments) as c(id uuid, body text, author_user_id integer,
      created_at timestamptz, updated_at timestamptz)
    where d.record_id = ${id}::uuid and d.table_name = ${object.table}::text`;
  const columns = sql`id, object_type, record_id, body, author_user_id, created_at, updated_at`;
  const conflict = sql`on conflict (id) do nothing`;
  return insertMadeSql({ schema, table: '_comments', columns, rows, conflict });
}

function followsOfSql(schema: string, object: ObjectModel, id: string): Sql {
  const rows = sql`select f.user_id, ${object.object_type}::text, d.record_id, f.created_at
    from ${identifier(schema, '_trash')} d
    cross join lateral jsonb_to_recordset(d.follows) as f(user_id integer, created_at timestamptz)
    where d.record_id = ${id}::uuid and d.table_name = ${object.table}::text`;
  const columns = sql`user_id, object_type, record_id, created_at`;
  return insertMadeSql({ schema, table: '_follows', columns, rows, conflict: NONE_TWICE });
}

const NONE_TWICE = sql`on conflict do nothing`;

/** A change of each of these records, with its audit row and its history, as when the reference became null. */
function restoredReferencesSql(
  definition: DefinitionRevision,
  { object, fields, records }: RestoredReferences,
  { id: restored, actor, from }: RestoredParts,
): readonly Sql[] {
  const changed = fields.map(({ key }) => key);
  const source = sql`select r.id as record_id, ${changed}::text[] as changed_fields, r.revision
        from unnest(${records.map(({ id }) => id)}::uuid[],
          ${records.map(({ revision }) => revision)}::integer[]) as r(id, revision)`;
  const traces = { actor, object_type: object.object_type, action: 'update' };
  const set = new Map(fields.map((field) => [field, restored] as const));
  const valuesOf = (value: string | null) => Object.fromEntries(changed.map((key) => [key, value]));
  const replaced = { old: valuesOf(from), now: valuesOf(restored) };
  const entries = records.map(({ id, revision }) => {
    return { actor, object, record_id: id, revision, action: 'update', ...replaced };
  });
  const [first, ...others] = records;
  const updates = [{ id: first.id, set }, ...others.map(({ id }) => ({ id, set }))] as const;
  return [
    auditConsequencesSql(definition, traces, source),
    ...(object.history === null ? [] : [keepValuesSql(definition, entries)]),
    updateSql(definition.schema, object, updates),
  ];
}

/** A link that is there already, because both records were deleted together, stays one. */
function waitingSql(schema: string, waiting: readonly WaitingParts[], restored: string): Sql {
  return sql`update ${identifier(schema, '_trash')} d set
      links = (select jsonb_agg(distinct l.value) from jsonb_array_elements(coalesce(d.links, '[]') || w.links) l),
      cleared = (select jsonb_agg(distinct c.value)
        from jsonb_array_elements(coalesce(d.cleared, '[]') || w.cleared) c),
      content = coalesce((select jsonb_object_agg(c.name, ${restored}::text) from unnest(w.columns) as c(name)), '{}')
        || jsonb_strip_nulls(d.content) || (d.content - w.columns)
    from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as w(table_name text, record_id uuid, links jsonb,
      cleared jsonb, columns text[])
    where d.record_id = w.record_id and d.table_name = w.table_name`;
}

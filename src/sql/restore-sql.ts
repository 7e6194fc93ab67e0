// The statements that bring back what belonged to a deleted record besides its row: comments, links and references
// from other records; and what waits for others that are in the trash (docs/design/trash.md). Pure text.

import type { Field, ObjectModel } from '../model/model.ts';
import type { LinkedPair } from '../plan/write-validation.ts';
import { type Actor, auditConsequencesSql, type DefinitionRevision } from './audit-sql.ts';
import { keepValuesSql } from './history-sql.ts';
import { linkSql } from './link-sql.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { type RecordPlace, untrashSql } from './trash-sql.ts';
import { updateSql } from './write-sql.ts';

/** References of another record that get the restored one again. */
export interface RestoredReferences {
  readonly object: ObjectModel;
  readonly id: string;
  readonly fields: readonly Field[];
  /** Counter of the other record after it. */
  readonly revision: number;
}

/** The parts that another record in the trash gets: links and references that come back with it, values of its own. */
export interface WaitingParts {
  readonly place: RecordPlace;
  readonly links: readonly unknown[];
  readonly cleared: readonly unknown[];
  /** Columns that are null there and get the restored record. */
  readonly columns: readonly string[];
}

/** All that comes back with a record. */
export interface RestoredParts {
  readonly id: string;
  readonly actor: Actor;
  readonly commented: boolean;
  readonly pairs: readonly LinkedPair[];
  readonly references: readonly RestoredReferences[];
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
    ...(parts.commented ? [restoredCommentsSql(schema, object, parts.id)] : []),
    ...(parts.pairs.length > 0 ? [linkSql(schema, parts.pairs)] : []),
    ...parts.references.flatMap((one) => restoredReferencesSql(definition, one, parts)),
    ...parts.waiting.map((one) => waitingSql(schema, one, parts.id)),
    untrashSql(schema, object, parts.id),
  ];
}

/** Without notifications: these were not kept. */
function restoredCommentsSql(schema: string, object: ObjectModel, id: string): Sql {
  return sql`insert into ${identifier(schema, '_comments')}
      (id, object_type, record_id, body, author_user_id, created_at, updated_at)
    select c.id, ${object.object_type}::text, d.record_id, c.body, c.author_user_id, c.created_at, c.updated_at
    from ${identifier(schema, '_trash')} d
    cross join lateral jsonb_to_recordset(d.comments) as c(id uuid, body text, author_user_id integer,
      created_at timestamptz, updated_at timestamptz)
    where d.record_id = ${id}::uuid and d.table_name = ${object.table}::text
    on conflict (id) do nothing`;
}

/** A change of the other record, with its audit row and its history, as when the reference became null. */
function restoredReferencesSql(
  definition: DefinitionRevision,
  { object, id, fields, revision }: RestoredReferences,
  { id: restored, actor }: RestoredParts,
): readonly Sql[] {
  const changed = fields.map(({ key }) => key);
  const source = sql`select ${id}::uuid as record_id, ${changed}::text[] as changed_fields,
        ${revision}::integer as revision`;
  const traces = { actor, object_type: object.object_type, action: 'update' };
  const set = new Map(fields.map((field) => [field, restored] as const));
  const valuesOf = (value: string | null) => Object.fromEntries(changed.map((key) => [key, value]));
  const replaced = { old: valuesOf(null), now: valuesOf(restored) };
  const entry = { actor, object, record_id: id, revision, action: 'update', ...replaced };
  return [
    auditConsequencesSql(definition, traces, source),
    ...(object.history === null ? [] : [keepValuesSql(definition, [entry])]),
    updateSql(definition.schema, object, [{ id, set }]),
  ];
}

/** A link that is there already, because both records were deleted together, stays one. */
function waitingSql(schema: string, waiting: WaitingParts, restored: string): Sql {
  const { place, links, cleared, columns } = waiting;
  const values = Object.fromEntries(columns.map((column) => [column, restored]));
  return sql`update ${identifier(schema, '_trash')} d set
      links = (select jsonb_agg(distinct l.value) from jsonb_array_elements(
        coalesce(d.links, '[]') || ${JSON.stringify(links)}::jsonb) l),
      cleared = (select jsonb_agg(distinct c.value) from jsonb_array_elements(
        coalesce(d.cleared, '[]') || ${JSON.stringify(cleared)}::jsonb) c),
      content = ${JSON.stringify(values)}::jsonb || jsonb_strip_nulls(d.content)
        || (d.content - ${columns}::text[])
    where d.record_id = ${place.id}::uuid and d.table_name = ${place.table}::text`;
}

// The audit rows of a write, as parts of the statement that makes the change (D60). They also make sure
// that the definition the write was judged by is still in force when it commits. Pure text.

import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql } from './sql.ts';

/** Who and where, for the audit rows of one request. */
export interface AuditContext {
  readonly schema: string;
  /** Revision of the definition that the write was judged by. */
  readonly revision: number;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly user_id: number;
  readonly object_type: string;
  readonly source: 'api' | 'import';
  readonly request_id: string | null;
  readonly batch_id: string | null;
}

/** What changed in one record; keys, never values. */
export interface AuditEntry {
  readonly record_id: string;
  readonly action: string;
  readonly changed_fields: readonly string[];
  /** Of another request than the one of the context. */
  readonly request_id?: string | null | undefined;
  /** Whose a deleted record was; undefined of all others. */
  readonly reach_user_id?: number | null;
}

/** What only some writes note, for the events they make (migrations/workspace/009-events.sql). */
type Noted = 'comment_id' | 'reach_user_id';

/** Insert one row an entry. */
export function auditedSql(context: AuditContext, entries: readonly AuditEntry[]): Sql {
  // Keys have no commas, and unnest takes no arrays of arrays of different lengths.
  const fields = entries.map(({ changed_fields }) => changed_fields.join(','));
  const requests = entries.map(({ request_id }) => request_id ?? context.request_id);
  const owners = entries.map(({ reach_user_id }) => reach_user_id);
  const isDeleted = owners.some((owner) => owner !== undefined);
  const [noted, owner, values] = isDeleted
    ? (['reach_user_id', sql`, a.reach_user_id`, sql`, ${owners}::integer[]`] as const)
    : [undefined, EMPTY, EMPTY];
  return sql`${insertedSql(context, noted)} select ${actorSql(context, sql`a.request_id`)},
      ${context.object_type}::text, a.record_id, a.action, string_to_array(a.fields, ',')${owner}
    from unnest(${entries.map(({ record_id }) => record_id)}::uuid[],
      ${entries.map(({ action }) => action)}::text[], ${fields}::text[], ${requests}::text[]${values})
      as a(record_id, action, fields, request_id${owner === EMPTY ? EMPTY : sql`, reach_user_id`})
    cross join ${presentSql(context)}`;
}

/** Insert the rows that a source of `object_type, record_id, action, changed_fields` and `noted` has. */
export function auditedFromSql(context: AuditContext, source: Sql, noted?: Noted): Sql {
  const more = noted === undefined ? EMPTY : sql`, a.${identifier(noted)}`;
  return sql`${insertedSql(context, noted)} select ${actorSql(context, sql`${context.request_id}::text`)}, a.object_type, a.record_id,
      a.action, a.changed_fields${more}
    from ${source} a cross join ${presentSql(context)}`;
}

function insertedSql({ schema }: AuditContext, noted?: Noted): Sql {
  const more = noted === undefined ? EMPTY : sql`, ${identifier(noted)}`;
  return sql`insert into ${identifier(schema, '_audit')} (api_key_id, api_key_prefix, user_id,
      source, request_id, batch_id, object_type, record_id, action, changed_fields${more})`;
}

function actorSql(context: AuditContext, requestId: Sql): Sql {
  return sql`${context.api_key_id}::uuid, ${context.api_key_prefix}::text,
      ${context.user_id}::integer, ${context.source}::text, ${requestId}, ${context.batch_id}::uuid`;
}

/**
 * Fails with `REVISION_CHANGED` when another definition is in force by now, and holds the one that
 * is until the write is over. The lock waits for who is putting another in force, and then looks at
 * the row as they left it, which a plain select of the same statement would not.
 */
function presentSql({ schema, revision }: AuditContext): Sql {
  const require = identifier(CONTROL_SCHEMA, 'require_in_force');
  return sql`${require}((select count(*) from (select from ${identifier(schema, '_definitions')}
        where revision = ${revision}::integer and in_force for share) d) = 1)`;
}

/** SQLSTATE of a write whose definition is no longer in force (migrations/control). */
export const REVISION_CHANGED = 'WR001';

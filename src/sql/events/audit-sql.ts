// The audit rows of writes (D60). The statement also makes sure that the definition the writes were
// validated by is still in force when they are committed. Pure text.

import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql } from '../sql.ts';

/** The revision of the definition that a write was validated by. */
export interface DefinitionRevision {
  readonly schema: string;
  readonly revision: number;
}

/** The user, the principal and the request of a write. */
export interface Actor {
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
  readonly user_id: number;
  readonly source: 'api' | 'import' | 'bulk' | 'cli' | 'mcp';
  readonly request_id: string | null;
  readonly batch_id: string | null;
}

/** The status request that an audit row is about; of a move that was approved, with its people. */
export interface ApprovedRequest {
  readonly id: string;
  readonly requested_by: number | null;
  readonly approved_by: readonly number[] | null;
}

/** The changes of one record; keys, never values. */
export interface AuditEntry {
  readonly actor: Actor;
  readonly object_type: string;
  readonly record_id: string;
  readonly action: string;
  readonly changed_fields: readonly string[];
  /** The counter of the record after the change; null of a comment, which does not count. */
  readonly revision: number | null;
  /** The id of a new comment. */
  readonly comment_id?: string;
  /** The owner until then, of a record that was deleted or given to another one (D320). */
  readonly reach_user_id?: number | null;
  readonly request?: ApprovedRequest;
}

const COLUMNS = sql`api_key_id, api_key_prefix, session_id, user_id, source, request_id, batch_id,
      object_type, record_id, action, changed_fields, revision`;

/** Insert one row an entry, in their order. */
export function auditSql(definition: DefinitionRevision, entries: readonly AuditEntry[]): Sql {
  const actors = entries.map(({ actor }) => actor);
  // Field keys have no commas, and unnest takes no arrays of arrays of different lengths.
  const fields = entries.map(({ changed_fields }) => changed_fields.join(','));
  // Few rows are about a request; the others need not say so.
  const ofRequests = entries.some(({ request }) => request !== undefined);
  const requests = ofRequests ? requestColumns(entries) : NO_REQUESTS;
  return sql`insert into ${identifier(definition.schema, '_audit')}
      (id, ${COLUMNS}, definition, comment_id, reach_user_id${requests.columns}) overriding system value
    select ${nextIdSql(definition)}, a.api_key_id, a.api_key_prefix, a.session_id, a.user_id, a.source, a.request_id,
      a.batch_id, a.object_type, a.record_id, a.action, string_to_array(a.fields, ','), a.revision,
      ${definition.revision}::integer, a.comment_id, a.reach_user_id${requests.selected}
    from unnest(${actors.map((actor) => actor.api_key_id)}::uuid[],
      ${actors.map((actor) => actor.api_key_prefix)}::text[],
      ${actors.map((actor) => actor.session_id)}::uuid[],
      ${actors.map((actor) => actor.user_id)}::integer[],
      ${actors.map((actor) => actor.source)}::text[],
      ${actors.map((actor) => actor.request_id)}::text[],
      ${actors.map((actor) => actor.batch_id)}::uuid[],
      ${entries.map(({ object_type }) => object_type)}::text[],
      ${entries.map(({ record_id }) => record_id)}::uuid[],
      ${entries.map(({ action }) => action)}::text[], ${fields}::text[],
      ${entries.map(({ revision }) => revision)}::integer[],
      ${entries.map(({ comment_id }) => comment_id ?? null)}::uuid[],
      ${entries.map(({ reach_user_id }) => reach_user_id ?? null)}::integer[]${requests.values})
      as a(api_key_id, api_key_prefix, session_id, user_id, source, request_id, batch_id,
        object_type, record_id, action, fields, revision, comment_id, reach_user_id${requests.names})
    cross join ${inForceSql(definition)}`;
}

const NO_REQUESTS = Object.freeze({ columns: EMPTY, selected: EMPTY, values: EMPTY, names: EMPTY });

function requestColumns(
  entries: readonly AuditEntry[],
): Readonly<Record<keyof typeof NO_REQUESTS, Sql>> {
  const requests = entries.map(({ request }) => request);
  return {
    columns: sql`, status_request_id, requested_by, approved_by`,
    selected: sql`, a.status_request_id, a.requested_by, string_to_array(a.approved_by, ',')::integer[]`,
    values: sql`, ${requests.map((one) => one?.id ?? null)}::uuid[],
      ${requests.map((one) => one?.requested_by ?? null)}::integer[],
      ${requests.map((one) => one?.approved_by?.join(',') ?? null)}::text[]`,
    names: sql`, status_request_id, requested_by, approved_by`,
  };
}

/**
 * Insert a row for each of `source`, which has `record_id`, `changed_fields` and `revision`: consequences of what the request named
 * (D395).
 */
export function auditConsequencesSql(
  definition: DefinitionRevision,
  { actor, object_type, action }: Pick<AuditEntry, 'actor' | 'object_type' | 'action'>,
  source: Sql,
): Sql {
  return sql`insert into ${identifier(definition.schema, '_audit')}
      (id, ${COLUMNS}, definition, consequence) overriding system value
    select ${nextIdSql(definition)}, ${actor.api_key_id}::uuid, ${actor.api_key_prefix}::text, ${actor.session_id}::uuid,
      ${actor.user_id}::integer, ${actor.source}::text, ${actor.request_id}::text, ${actor.batch_id}::uuid,
      ${object_type}::text, a.record_id, ${action}::text, a.changed_fields, a.revision,
      ${definition.revision}::integer, true
    from (${source}) a cross join ${inForceSql(definition)}`;
}

/**
 * The default of the column, except in the table of a shard (D362). The name is a value, because the shard does not
 * have the sequence.
 */
function nextIdSql({ schema }: DefinitionRevision): Sql {
  return sql`nextval(${`"${schema}"."_audit_id_seq"`}::text::regclass)`;
}

/** The check and lock of the revision in force, without audit rows. */
export function requireInForceSql(definition: DefinitionRevision): Sql {
  return sql`select from ${inForceSql(definition)}`;
}

/**
 * Fails with `REVISION_CHANGED` when another definition is in force now, and locks the current one until
 * the transaction ends. The lock waits for a concurrent change of the definition and then sees the row that
 * it committed, which a plain select of the same statement would not. With a column, for Citus cannot hand on rows
 * without any.
 */
function inForceSql({ schema, revision }: DefinitionRevision): Sql {
  const require = identifier(CONTROL_SCHEMA, 'require_in_force');
  return sql`${require}((select count(*) from (select revision from ${identifier(schema, '_definitions')}
        where revision = ${revision}::integer and in_force for share) d) = 1)`;
}

/** SQLSTATE of a write whose definition is no longer in force (migrations/control). */
export const REVISION_CHANGED = 'WR001';

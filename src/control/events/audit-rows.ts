// Reads the audit table, newest first (docs/decisions.md, D60, D246), for the command and for the interface. The
// statements of the audited actions write it: sql/events/audit-sql.ts and administrative-audit.ts.

import type { KnownRecords } from '../../plan/events/audit-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { allOf, reachSql } from '../../sql/read/where-sql.ts';
import { identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';

/** A moment, or seconds before now by the clock of the database. */
export type AuditTime = string | number;

/** Selects rows; undefined is no condition. */
export interface AuditFilter {
  readonly record_id?: string | undefined;
  readonly object_type?: string | undefined;
  readonly subject_type?: string | undefined;
  readonly subject_id?: string | undefined;
  readonly action?: string | undefined;
  readonly user_id?: number | undefined;
  /** Id or prefix of an API key. */
  readonly key?: string | undefined;
  readonly since?: AuditTime | undefined;
  readonly until?: AuditTime | undefined;
}

/** One audited action: its author, credential, subject and keys; never values. */
export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly user: string | null;
  /** Null: an operator, or somebody who is not known. */
  readonly user_id: number | null;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
  readonly source: string;
  /** Null when it was not done to a record. */
  readonly object_type: string | null;
  readonly record_id: string | null;
  /** Null when it was done to a record. */
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly action: string;
  readonly changed_fields: readonly string[];
  /** The status request that the row is about, or that led to the move. */
  readonly status_request_id?: string;
  readonly requested_by?: number;
  /** The ids of the approvers of a move in the order of their approvals; null for a request. */
  readonly approved_by?: readonly number[] | null;
  /** True: the request did not name the record. */
  readonly consequence: boolean;
  readonly request_id: string | null;
  readonly batch_id: string | null;
}

/** A word of the audit that says what was done. */
export const AUDIT_ACTION = /^[a-z][a-z_]{0,49}$/;

/** Where a page ended. */
export interface AuditPlace {
  readonly at: string;
  readonly id: number;
}

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** Undefined: there are no more. Else there may be some, also after a page without rows. */
  readonly next: AuditPlace | undefined;
}

/**
 * Rows that a page reads when no index serves its filter: the time of a page has a limit, whatever the size of the
 * table.
 */
const LOOKED_AT = 20_000;

export interface AuditPageRequest {
  readonly before: AuditPlace | undefined;
  readonly limit: number;
  /** Shows consequences for these records only (D395); for all when omitted. */
  readonly known?: readonly KnownRecords[] | undefined;
}

/** At most `limit` rows before the place `before`, newest first. */
export async function loadAudit(
  db: Queryable,
  schema: string,
  filter: AuditFilter,
  page: AuditPageRequest,
): Promise<AuditPage> {
  const { limit } = page;
  const found = await runOnce(db, pageSql(schema, filter, page));
  const rows = found
    .filter(({ id }) => id !== null)
    .map((placed) => {
      const {
        edge_at: _,
        edge_id: __,
        status_request_id,
        requested_by,
        approved_by,
        ...row
      } = placed;
      if (status_request_id === null) return row;
      return { ...row, status_request_id, requested_by, approved_by };
    });
  const pageRows = rows.slice(0, limit) as unknown as readonly AuditRow[];
  const [edge] = found;
  const last = rows.length > limit ? pageRows[limit - 1] : undefined;
  const isCutOff = edge?.edge_id != null;
  const next = isCutOff ? { at: String(edge.edge_at), id: Number(edge.edge_id) } : undefined;
  return { rows: pageRows, next: last === undefined ? next : { at: last.at, id: last.id } };
}

function pageSql(schema: string, filter: AuditFilter, page: AuditPageRequest): Sql {
  const { before, limit, known: knownRecords } = page;
  const audit = identifier(schema, '_audit');
  const ranges = [...rangesSql(filter), ...(before === undefined ? [] : [beforeSql(before)])];
  const stretch = sql`from ${audit} a where ${allOf(ranges)} order by a.at desc, a.id desc`;
  const asked = conditionsSql(filter);
  const conditions =
    knownRecords === undefined ? asked : [...asked, knownSql(schema, knownRecords)];
  // A scan of an index needs no limit, and neither do the rows of one record.
  const isFound = conditions.length === 0 || filter.record_id !== undefined;
  const source = isFound
    ? sql`${audit} a where ${allOf([...ranges, ...conditions])}`
    : sql`(select a.* ${stretch} limit ${LOOKED_AT}::integer) a where ${allOf(conditions)}`;
  const edge = isFound
    ? sql`select null::timestamptz(3) as at, null::bigint as id limit 0`
    : sql`select a.at, a.id ${stretch} limit 1 offset ${LOOKED_AT - 1}::integer`;
  // The address is looked up for the rows of the page: a join would be planned for all rows.
  return sql`select e.at as edge_at, e.id as edge_id, r.*
    from (select) one left join (${edge}) e on true left join (
      select a.id, a.at, (select u.email from ${identifier(schema, '_users')} u
          where u.id = a.user_id) as user, a.user_id, a.api_key_id, a.api_key_prefix, a.session_id,
        a.source, a.object_type, a.record_id, a.subject_type, a.subject_id, a.action,
        a.changed_fields, a.status_request_id, a.requested_by, a.approved_by, a.consequence, a.request_id,
        a.batch_id
      from ${source} order by a.at desc, a.id desc limit ${limit + 1}::integer) r on true
    order by r.at desc, r.id desc`;
}

/** The conditions of a page that an index serves. */
function rangesSql({ record_id, user_id, since, until }: AuditFilter): readonly Sql[] {
  return [
    ...(record_id === undefined ? [] : [sql`a.record_id = ${record_id}::uuid`]),
    ...(user_id === undefined ? [] : [sql`a.user_id = ${user_id}::integer`]),
    ...(since === undefined ? [] : [sql`a.at >= ${timeSql(since)}`]),
    ...(until === undefined ? [] : [sql`a.at < ${timeSql(until)}`]),
  ];
}

function beforeSql({ at, id }: AuditPlace): Sql {
  return sql`(a.at, a.id) < (${at}::timestamptz, ${id}::bigint)`;
}

/** The conditions that each row is checked against. */
function conditionsSql(filter: AuditFilter): readonly Sql[] {
  const { object_type, subject_type, subject_id, action, key } = filter;
  return [
    ...(object_type === undefined ? [] : [sql`a.object_type = ${object_type}::text`]),
    ...(subject_type === undefined ? [] : [sql`a.subject_type = ${subject_type}::text`]),
    ...(subject_id === undefined ? [] : [sql`a.subject_id = ${subject_id}::text`]),
    ...(action === undefined ? [] : [sql`a.action = ${action}::text`]),
    ...(key === undefined
      ? []
      : [sql`(a.api_key_prefix = ${key}::text or a.api_key_id::text = ${key}::text)`]),
  ];
}

/** Whatever the request named, and consequences for records within reach, in fields that can be read. */
function knownSql(schema: string, known: readonly KnownRecords[]): Sql {
  const consequences = known.map(
    ({ object, reach, keys }) => sql`a.object_type = ${object.object_type}::text
      and a.changed_fields && ${keys}::text[] and exists (
        select from ${identifier(schema, object.table)} t
        where ${allOf([sql`t.id = a.record_id`, ...reachSql(reach)])})`,
  );
  return sql`(not a.consequence or ${joinSql([sql`false`, ...consequences], ' or ')})`;
}

function timeSql(time: AuditTime): Sql {
  return typeof time === 'number'
    ? sql`now() - make_interval(secs => ${time}::float8)`
    : sql`${time}::timestamptz`;
}

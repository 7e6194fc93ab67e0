// Reading the audit table: which writes there were, newest first (docs/decisions.md, D60). It is written
// by the statements of the writes themselves, sql/audit-sql.ts.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, joinSql, type Sql, sql } from '../sql/sql.ts';

/** A moment, or seconds before now by the clock of the database. */
export type AuditTime = string | number;

/** Which rows; what is undefined does not matter. */
export interface AuditFilter {
  readonly record_id?: string | undefined;
  readonly object_type?: string | undefined;
  readonly action?: string | undefined;
  readonly user_id?: number | undefined;
  /** Id or prefix of an API key. */
  readonly key?: string | undefined;
  readonly since?: AuditTime | undefined;
  readonly until?: AuditTime | undefined;
}

/** One effective write: who, through what, which record, which keys; never values. */
export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly user: string | null;
  readonly user_id: number;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly source: string;
  readonly object_type: string;
  readonly record_id: string;
  readonly action: string;
  readonly changed_fields: readonly string[];
  readonly request_id: string | null;
  readonly batch_id: string | null;
}

/** Where a page ended. */
export interface AuditPlace {
  readonly transaction: string;
  readonly id: number;
}

/** Rows before the place `before`, newest first; `transaction` is for the next page only. */
export async function loadAudit(
  db: Queryable,
  schema: string,
  filter: AuditFilter,
  page: { readonly before: AuditPlace | undefined; readonly limit: number },
): Promise<readonly (AuditRow & AuditPlace)[]> {
  const before = page.before === undefined ? [] : [beforeSql(page.before)];
  const where = joinSql([sql`true`, ...conditionsSql(filter), ...before], ' and ');
  const rows = await runOnce(
    db,
    sql`select a.id, a.at, u.email as user, a.user_id, a.api_key_id, a.api_key_prefix,
        a.source, a.object_type, a.record_id, a.action, a.changed_fields, a.request_id, a.batch_id,
        a.transaction
      from ${identifier(schema, '_audit')} a
      left join ${identifier(schema, '_users')} u on u.id = a.user_id
      where ${where} order by a.transaction desc, a.id desc limit ${page.limit}::integer`,
  );
  return rows as unknown as readonly (AuditRow & AuditPlace)[];
}

function beforeSql({ transaction, id }: AuditPlace): Sql {
  return sql`(a.transaction, a.id) < (${transaction}::xid8, ${id}::bigint)`;
}

function conditionsSql(filter: AuditFilter): readonly Sql[] {
  const { record_id, object_type, action, user_id, key, since, until } = filter;
  return [
    ...(record_id === undefined ? [] : [sql`a.record_id = ${record_id}::uuid`]),
    ...(object_type === undefined ? [] : [sql`a.object_type = ${object_type}::text`]),
    ...(action === undefined ? [] : [sql`a.action = ${action}::text`]),
    ...(user_id === undefined ? [] : [sql`a.user_id = ${user_id}::integer`]),
    ...(key === undefined
      ? []
      : [sql`(a.api_key_prefix = ${key}::text or a.api_key_id::text = ${key}::text)`]),
    ...(since === undefined ? [] : [sql`a.at >= ${timeSql(since)}`]),
    ...(until === undefined ? [] : [sql`a.at < ${timeSql(until)}`]),
  ];
}

function timeSql(time: AuditTime): Sql {
  return typeof time === 'number'
    ? sql`now() - make_interval(secs => ${time}::float8)`
    : sql`${time}::timestamptz`;
}

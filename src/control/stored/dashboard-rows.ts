// Rows of dashboards (docs/design/reports.md): one function, one statement. plan/read/dashboard-plan.ts decides what one may
// have.

import type { DashboardFields, DashboardRow } from '../../plan/read/dashboard-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { EMPTY, identifier, type Sql, sql } from '../../sql/sql.ts';
import { sharedSql, type ViewReader } from './view-rows.ts';

/** Sees their own dashboards, those of people who share a team with them, and those for everybody. */
export type DashboardReader = Pick<ViewReader, 'user_id' | 'colleague_ids'>;

/** At most `limit` dashboards older than an id, newest first. */
export async function loadDashboards(
  db: Queryable,
  schema: string,
  reader: DashboardReader,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly DashboardRow[]> {
  const older = page.before === undefined ? EMPTY : sql` and v.id < ${page.before}::uuid`;
  const rows = await runOnce(
    db,
    sql`${seenSql(schema, reader)}${older} order by v.id desc limit ${page.limit}::integer`,
  );
  return rows as unknown as readonly DashboardRow[];
}

/** One of the dashboards that the reader sees. */
export function loadDashboard(
  db: Queryable,
  schema: string,
  reader: DashboardReader,
  id: string,
): Promise<DashboardRow | undefined> {
  return oneDashboard(db, oneSql(schema, reader, id));
}

/** Loads a dashboard, whose row stays locked until the transaction ends. */
export function lockDashboard(
  tx: Queryable,
  schema: string,
  reader: DashboardReader,
  id: string,
): Promise<DashboardRow | undefined> {
  return oneDashboard(tx, sql`${oneSql(schema, reader, id)} for update of v`);
}

/** Counts a person's dashboards. */
export async function countDashboards(
  db: Queryable,
  schema: string,
  userId: number,
): Promise<number> {
  const rows = await runOnce(
    db,
    sql`select count(*)::integer as dashboards from ${identifier(schema, '_dashboards')}
      where owner_user_id = ${userId}::integer`,
  );
  return rows[0]?.dashboards as number;
}

export async function appendDashboard(
  tx: Queryable,
  schema: string,
  {
    id,
    owner_user_id,
    name,
    shared,
    tiles,
  }: Pick<DashboardRow, 'id' | 'owner_user_id'> & DashboardFields,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_dashboards')} (id, owner_user_id, name, shared, tiles)
      values (${id}::uuid, ${owner_user_id}, ${name}, ${shared}, ${JSON.stringify(tiles)})`,
  );
}

export async function putDashboard(
  tx: Queryable,
  schema: string,
  id: string,
  { name, shared, tiles }: DashboardFields,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_dashboards')} set name = ${name}, shared = ${shared},
        tiles = ${JSON.stringify(tiles)}, version = version + 1,
        updated_at = greatest(now(), updated_at)
      where id = ${id}::uuid`,
  );
}

export async function deleteDashboardById(
  tx: Queryable,
  schema: string,
  id: string,
): Promise<void> {
  await runOnce(tx, sql`delete from ${identifier(schema, '_dashboards')} where id = ${id}::uuid`);
}

function oneSql(schema: string, reader: DashboardReader, id: string): Sql {
  return sql`${seenSql(schema, reader)} and v.id = ${id}::uuid`;
}

async function oneDashboard(db: Queryable, query: Sql): Promise<DashboardRow | undefined> {
  const rows = await runOnce(db, query);
  return rows[0] as unknown as DashboardRow | undefined;
}

function seenSql(schema: string, reader: DashboardReader): Sql {
  return sql`select v.id, v.owner_user_id, v.name, v.shared, v.tiles, v.version, v.created_at,
      v.updated_at
    from ${identifier(schema, '_dashboards')} v where ${sharedSql(reader)}`;
}

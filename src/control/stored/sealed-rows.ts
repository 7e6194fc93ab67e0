// Sealed values of workspaces, and the ids of the keys that sealed them. One statement each.

import {
  LOST,
  type SecretKeys,
  type SecretPlace,
  type SecretUse,
  sealSecret,
} from '../../model/rights/sealed-secret.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';

/** A table with sealed values. */
export interface SealedTable {
  readonly table: string;
  /** True: one table of the control schema has the rows of all workspaces, by `workspace_id`. */
  readonly isShared?: boolean;
  /** The column that tells its rows apart. */
  readonly id: string;
  /** The sealed columns, with the use of their values; null where there is no value. */
  readonly columns: Readonly<Record<string, SecretUse>>;
}

/** All sealed values of an installation. */
export const SEALED_TABLES: readonly SealedTable[] = Object.freeze([
  {
    table: '_webhooks',
    id: 'id',
    columns: {
      headers: 'webhook_headers',
      secret: 'webhook_secret',
      previous_secret: 'webhook_secret',
    },
  },
  {
    table: 'second_factors',
    isShared: true,
    id: 'handle',
    columns: { code_secret: 'code_secret', pending_secret: 'code_secret' },
  },
]);

/** A value as it is stored. */
export interface SealedValue {
  readonly row: string;
  readonly column: string;
  readonly sealed: string;
}

const KEYS = identifier(CONTROL_SCHEMA, 'secrets_keys');

/** Seal a value that this transaction stores. */
export async function sealNoted(
  tx: Queryable,
  keys: SecretKeys,
  place: SecretPlace,
  text: string,
): Promise<string> {
  await noteKey(tx, keys.first().id);
  return sealSecret(keys, place, text);
}

/** A key that seals something from now on. */
export async function noteKey(db: Queryable, id: string): Promise<void> {
  await runOnce(db, sql`insert into ${KEYS} (key_id) values (${id}) on conflict do nothing`);
}

/** The ids of the keys that have sealed something. */
export async function loadNotedKeys(db: Queryable): Promise<readonly string[]> {
  const rows = await runOnce(db, sql`select key_id from ${KEYS} order by key_id`);
  return rows.map(({ key_id }) => String(key_id));
}

/** Keys that seal nothing any longer. */
export async function deleteNotedKeys(db: Queryable, ids: readonly string[]): Promise<void> {
  await runOnce(db, sql`delete from ${KEYS} where key_id = any (${ids}::text[])`);
}

interface SealedPart {
  readonly workspace: { readonly id: number; readonly schema: string };
  readonly table: SealedTable;
  /** The last value of the page before. */
  readonly after?: SealedValue | undefined;
}

/** Values of a workspace that other keys than these have sealed, at most so many. */
export async function loadSealedByOthers(
  db: Database,
  { workspace, table, after }: SealedPart,
  keyIds: readonly string[],
  most: number,
): Promise<readonly SealedValue[]> {
  const { name, isOwn } = placeSql(workspace, table);
  const parts = Object.keys(table.columns).map((column): Sql => {
    const value = identifier(column);
    return sql`select ${identifier(table.id)}::text collate "C" as "row",
        ${column}::text collate "C" as "column", ${value} as sealed from ${name}
      where ${isOwn} and ${value} <> ${LOST} and split_part(${value}, '.', 2) <> all (${keyIds}::text[])`;
  });
  const values = joinSql(parts, ' union all ');
  const { row = '', column = '' } = after ?? {};
  const rows = await runOnce(
    near(db, workspace, table),
    sql`select * from (${values}) as others where ("row", "column") > (${row}, ${column})
      order by "row", "column" limit ${most}::integer`,
  );
  return rows.map((found) => ({
    row: String(found.row),
    column: String(found.column),
    sealed: String(found.sealed),
  }));
}

/** Replace a value, unless somebody else has replaced it; answers whether it was replaced. */
export async function putSealedAgain(
  db: Database,
  { workspace, table }: SealedPart,
  { row, column, sealed }: SealedValue,
  again: string,
): Promise<boolean> {
  const value = identifier(column);
  const { name, isOwn } = placeSql(workspace, table);
  const rows = await runOnce(
    near(db, workspace, table),
    sql`update ${name} set ${value} = ${again}
      where ${isOwn} and ${identifier(table.id)}::text = ${row} and ${value} = ${sealed} returning 1`,
  );
  return rows.length > 0;
}

function near(db: Database, { schema }: SealedPart['workspace'], { isShared }: SealedTable) {
  return isShared === true ? db : db.near(schema);
}

function placeSql({ id, schema }: SealedPart['workspace'], { table, isShared }: SealedTable) {
  if (isShared !== true) return { name: identifier(schema, table), isOwn: sql`true` };
  return { name: identifier(CONTROL_SCHEMA, table), isOwn: sql`workspace_id = ${id}::integer` };
}

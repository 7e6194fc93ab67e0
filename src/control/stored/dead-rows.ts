// Dead rows of erased records (docs/design/erasure.md): VACUUM removes them from tables and indexes while clients read
// and write; the bytes stay in the files of the database until they are overwritten. Rewriting the tables and the
// write-ahead log removes the bytes as well, and blocks each table meanwhile.

import { isDatabaseError, type Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../sql/sql.ts';

const SERVICE_TABLES = [
  ...['_trash', '_merged', '_history', '_comments', '_notifications', '_links', '_status_requests'],
  ...['_status_decisions', '_idempotency', '_webhook_deliveries', '_search', '_search_words'],
  '_files',
];
const CONTROL_TABLES = ['files', 'file_pieces', 'import_rejects', 'bulk_refusals', 'jobs'];

type QualifiedName = readonly [schema: string, name: string];

/** The tables that may have dead rows of records of these tables. */
export function tablesWithTraces(
  schema: string,
  tables: readonly string[],
): readonly QualifiedName[] {
  return [
    ...[...tables, ...SERVICE_TABLES].map((name): QualifiedName => [schema, name]),
    ...CONTROL_TABLES.map((name): QualifiedName => [CONTROL_SCHEMA, name]),
  ];
}

/** SQLSTATE of a table that has been dropped since. */
const GONE = '42P01';

/** Remove dead rows that no running transaction may still see, and the values that statistics have of them. */
export function vacuumTables(db: Queryable, tables: readonly QualifiedName[]): Promise<void> {
  return cleanTables(db, tables, sql`vacuum (analyze, index_cleanup on, truncate off)`);
}

/** Write the tables again, without anything of dead rows; nobody can use a table meanwhile. */
export function rewriteTables(db: Queryable, tables: readonly QualifiedName[]): Promise<void> {
  return cleanTables(db, tables, sql`vacuum (full, analyze)`);
}

async function cleanTables(
  db: Queryable,
  tables: readonly QualifiedName[],
  vacuum: Sql,
): Promise<void> {
  for (const table of tables) {
    await unlessGone(async () => {
      await runOnce(db, sql`${vacuum} ${identifier(...table)}`);
      await forgetStatistics(db, table);
    });
  }
}

/** ANALYZE keeps the statistics of a table that has become empty. Only a superuser can delete them. */
async function forgetStatistics(db: Queryable, [schema, name]: QualifiedName): Promise<void> {
  const [row] = await runOnce(
    db,
    sql`select exists (select from ${identifier(schema, name)}) as present`,
  );
  if (row?.present === true) return;
  const table = sql`format('%I.%I', ${schema}::text, ${name}::text)::regclass`;
  await ifAllowed(() =>
    runOnce(
      db,
      sql`delete from pg_catalog.pg_statistic where starelid = ${table}
        or starelid in (select i.indexrelid from pg_catalog.pg_index i where i.indrelid = ${table})`,
    ),
  );
}

async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseError(error) || error.code !== GONE) throw error;
  }
}

/** SQLSTATE: the role is not allowed to do this. */
const NOT_ALLOWED = '42501';

/**
 * Overwrite the statistics of dead rows, and all of the write-ahead log that a restart does not need. False: the role of
 * the service is not allowed to; the server does it in time.
 */
export function overwriteLog(db: Queryable): Promise<boolean> {
  return ifAllowed(async () => {
    await runOnce(db, sql`vacuum (full) pg_catalog.pg_statistic`);
    // A checkpoint keeps old segments under the names of coming ones, so that each has to be written once more.
    for (let round = 0; round < 2; round += 1) {
      await runOnce(db, sql`checkpoint`);
      await overwriteSegments(db);
    }
    await runOnce(db, sql`checkpoint`);
  });
}

/** False: the role of the service is not allowed to. */
async function ifAllowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDatabaseError(error) && error.code === NOT_ALLOWED) return false;
    throw error;
  }
}

/** A switch fills the rest of a segment with zeros, when something was written into it. */
async function overwriteSegments(db: Queryable): Promise<void> {
  const [row] = await runOnce(db, sql`select count(*) as segments from pg_catalog.pg_ls_waldir()`);
  for (let left = Number(row?.segments); left > 0; left -= 1) {
    // The number is in the record of its commit.
    await runOnce(db, sql`select pg_catalog.pg_current_xact_id()`);
    await runOnce(db, sql`select pg_catalog.pg_switch_wal()`);
  }
}

// Filling the new tables of a workspace: indexes and foreign keys are taken away before and made again
// behind the rows, which is faster than keeping them up to date row by row, and needs no order among
// tables that refer to each other. All of it in the caller's transaction.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { memorySql } from '../sql/read/memory-sql.ts';
import { identifier, type Sql, sql } from '../sql/sql.ts';

/** The parts that are made again after the rows are loaded. */
export interface Deferred {
  readonly statements: readonly string[];
}

/** Sorts the rows of some 100,000 records at once; less is left as the server has it. */
const INDEX_MEMORY = '256MB';

/** Drop the foreign keys and all indexes but the primary keys. */
export async function deferIndexes(tx: Queryable, schema: string): Promise<Deferred> {
  const keys = await runOnce(tx, foreignKeysSql(schema));
  const indexes = await runOnce(tx, indexesSql(schema));
  const statistics = await runOnce(tx, statisticsSql(schema));
  for (const { remove } of [...keys, ...indexes]) await runText(tx, String(remove));
  return { statements: [...indexes, ...statistics, ...keys].map(({ make }) => String(make)) };
}

function foreignKeysSql(schema: string): Sql {
  return sql`select format('alter table %I.%I drop constraint %I', n.nspname, t.relname, c.conname)
        as remove,
        format('alter table %I.%I add constraint %I %s', n.nspname, t.relname, c.conname,
          pg_get_constraintdef(c.oid)) as make
      from pg_catalog.pg_constraint c
      join pg_catalog.pg_class t on t.oid = c.conrelid
      join pg_catalog.pg_namespace n on n.oid = t.relnamespace
      where n.nspname = ${schema} and c.contype = 'f' order by 1`;
}

function indexesSql(schema: string): Sql {
  return sql`select format('drop index %I.%I', n.nspname, i.relname) as remove,
        pg_get_indexdef(i.oid) as make
      from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
      join pg_catalog.pg_namespace n on n.oid = i.relnamespace
      where n.nspname = ${schema}
        and not exists (select from pg_catalog.pg_constraint c where c.conindid = i.oid)
      order by 1`;
}

/** Sizes of statistics, which the text of an index does not have. */
function statisticsSql(schema: string): Sql {
  return sql`select format('alter index %I.%I alter column %s set statistics %s', n.nspname,
          i.relname, a.attnum, a.attstattarget) as make
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class i on i.oid = a.attrelid
      join pg_catalog.pg_namespace n on n.oid = i.relnamespace
      where n.nspname = ${schema} and i.relkind = 'i' and a.attstattarget >= 0
      order by 1`;
}

/** Make them again; fails when the rows break one of them. */
export async function makeDeferred(tx: Queryable, { statements }: Deferred): Promise<void> {
  await runOnce(tx, memorySql('maintenance_work_mem', INDEX_MEMORY));
  for (const statement of statements) await runText(tx, statement);
}

/** So that the first requests are planned for the rows that are there. */
export async function analyzeTables(
  tx: Queryable,
  schema: string,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) await runOnce(tx, sql`analyze ${identifier(schema, table)}`);
}

/** Text that PostgreSQL itself has quoted. */
async function runText(tx: Queryable, text: string): Promise<void> {
  await tx.query({ text, values: [] }, { prepare: false });
}

// The tables of a workspace as the catalogue has them, for files that hold a whole workspace: which
// tables and columns there are, the text of COPY, and the settings that make it print alike anywhere.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';
import { copyText } from '../../sql/write/copy-sql.ts';

/** Stored answers, and how far webhooks are: they belong to the old server. */
const NOT_EXPORTED = ['_idempotency', '_webhook_positions', '_webhook_deliveries'];
/** Columns that leave no server. */
const SECRET_COLUMNS: ReadonlySet<string> = new Set([
  ...['_webhooks.headers', '_webhooks.header_names', '_webhooks.secret'],
  ...['_webhooks.previous_secret', '_webhooks.previous_secret_until'],
]);

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns with numbers of transactions, which have no meaning on another server. */
  readonly transactions: readonly string[];
  /** A condition without parameters for the rows `f` that go into a file; all rows without it. */
  readonly where?: Sql;
}

/** The tables of a schema that go into a file, by name, with their columns in order. */
export async function loadTables(db: Queryable, schema: string): Promise<readonly StoredTable[]> {
  const rows = await runOnce(
    db,
    sql`select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
        coalesce(array_agg(a.attname::text) filter (where a.atttypid = 'xid8'::regtype), '{}')
          as transactions
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a
        on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where n.nspname = ${schema} and c.relkind = 'r' and c.relname <> all(${NOT_EXPORTED}::text[])
      group by c.relname order by c.relname collate "C"`,
  );
  return (rows as unknown as readonly StoredTable[]).map((table) => ({
    ...table,
    columns: table.columns.filter((column) => !SECRET_COLUMNS.has(`${table.name}.${column}`)),
  }));
}

/**
 * Sets the form of values for this transaction: COPY prints and reads the same, whatever the settings of the server
 * are.
 */
export async function prepareCopying(tx: Queryable): Promise<void> {
  await runOnce(
    tx,
    sql`select set_config(name, value, true) from (values ('statement_timeout', '0'),
      ('idle_in_transaction_session_timeout', '0'), ('client_encoding', 'UTF8'),
      ('DateStyle', 'ISO, YMD'), ('TimeZone', 'UTC'), ('IntervalStyle', 'postgres'),
      ('extra_float_digits', '1'), ('bytea_output', 'hex')) as s (name, value)`,
  );
}

/** `copy … to stdout`; numbers of transactions are printed as 0. */
export function copyOutText(schema: string, table: StoredTable): string {
  const columns = joinSql(
    table.columns.map((name) =>
      table.transactions.includes(name) ? sql`'0'::xid8` : identifier(name),
    ),
    ', ',
  );
  const rows = sql`select ${columns} from ${rowsSql(schema, table)}`;
  return copyText(sql`copy (${rows}) to stdout`);
}

/** The rows of a table that go into a file. */
export function rowsSql(schema: string, { name, where }: StoredTable): Sql {
  return sql`${identifier(schema, name)} f${where === undefined ? EMPTY : sql` where ${where}`}`;
}

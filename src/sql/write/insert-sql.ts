// Rows that are made from rows of other tables. Pure text.

import { EMPTY, identifier, type Sql, sql } from '../sql.ts';

interface MadeRows {
  readonly schema: string;
  readonly table: string;
  /** Names, with commas between them. */
  readonly columns: Sql;
  /** A SELECT of these columns. */
  readonly rows: Sql;
  /** `on conflict …` */
  readonly conflict?: Sql;
}

/**
 * Insert rows that are selected from tables of the workspace with functions that are only stable (`now()`, `to_jsonb`,
 * `jsonb_to_recordset`). Citus 13.2 cannot print such an `insert … select`; it can when the rows are made first.
 */
export function insertMadeSql({ schema, table, columns, rows, conflict = EMPTY }: MadeRows): Sql {
  return sql`with made (${columns}) as materialized (${rows})
    insert into ${identifier(schema, table)} (${columns}) select made.* from made ${conflict}`;
}

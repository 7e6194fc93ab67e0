// The server of a query: a function over a row of a table of the workspace runs on the server that has the workspace. So
// moments and advisory locks are those of one server, whichever receives the query (docs/decisions.md, D333). Pure text.

import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../sql.ts';

/**
 * One row, for use after `from` or `cross join`. Its `place` changes with each move of the workspace to a server,
 * also to one that it was on before: the tables are made again there.
 */
export function placeOf(schema: string): Sql {
  return sql`(select coalesce(max(tableoid), 0) as place
      from ${identifier(schema, '_definitions')} where in_force) p`;
}

/** Waits for transactions that write to the tables of the shard themselves, and blocks later ones (D362). */
export function closeShardSql(schema: string): Sql {
  return sql`select ${identifier(CONTROL_SCHEMA, 'close_shard')}(${schema}::text) from ${placeOf(schema)}`;
}

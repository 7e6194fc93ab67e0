// Texts in the order of a language. Pure text.

import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../sql.ts';

/** `place` in the order of a collation of the control schema; null: as it is. */
export function collatedSql(place: Sql, collation: string | null): Sql {
  return collation === null
    ? place
    : sql`${place} collate ${identifier(CONTROL_SCHEMA, collation)}`;
}

// Times within JSON, in the form of the wire. Pure text.

import { type Sql, sql } from '../sql.ts';

const WIRE_TIME = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** A time as text in UTC. */
export const wireTime = (column: Sql) => sql`to_char(${column} at time zone 'UTC', ${WIRE_TIME})`;

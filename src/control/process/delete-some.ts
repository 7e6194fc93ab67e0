// Deletes expired rows, in small statements that do not wait: rows that other transactions lock stay for the next
// time.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { EMPTY, type Sql, sql } from '../../sql/sql.ts';

export interface Doomed {
  readonly table: Sql;
  /** The column that identifies its rows. */
  readonly key: Sql;
  /** A condition on the table, which has the alias `t`. */
  readonly where: Sql;
  /** The columns by which an index finds the first ones; any order when left out. */
  readonly order?: Sql;
}

/** Delete at most so many rows; answers how many. */
export async function deleteSome(
  db: Queryable,
  { table, key, where, order }: Doomed,
  most: number,
): Promise<number> {
  const inOrder = order === undefined ? EMPTY : sql` order by ${order}`;
  // An array is made once. PostgreSQL may run a subquery of `in` again for each row, and then each finds other rows.
  const [row] = await runOnce(
    db,
    sql`with gone as (
        delete from ${table} where ${key} = any (array(
          select t.${key} from ${table} t where ${where}${inOrder}
          limit ${most}::integer for update of t skip locked))
        returning 1)
      select count(*) as gone from gone`,
  );
  return Number(row?.gone);
}

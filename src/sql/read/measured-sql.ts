// Rows with their sizes, as the database has them: what would make an answer too large never leaves it (D385). To
// measure a text takes no more than its header. Pure text.

import type { AnswerSize } from '../../model/values/value-size.ts';
import { type LongColumn, SHORT_BYTES } from '../../plan/read/answer-size.ts';
import { identifier, joinSql, type Sql, sql } from '../sql.ts';

/** The column with the bytes of a row. No field has such a key. */
export const BYTES_COLUMN = '_bytes';

export interface Measuring {
  /** The names of the columns of the rows. */
  readonly names: readonly string[];
  readonly long: readonly Pick<LongColumn, 'name' | 'measure'>[];
  /** ` order by …` of the table `t`, total. */
  readonly order: Sql;
  readonly size: AnswerSize;
}

/** A row as it is shown, without its size. */
export function withoutBytes<Measured extends object>(row: Measured): Measured {
  const { [BYTES_COLUMN]: _, ...shown } = row as Measured & { readonly [BYTES_COLUMN]?: unknown };
  return shown as unknown as Measured;
}

/** The rows in this order; rows beyond the size of an answer come without their long values. */
export function measuredSql(rows: Sql, { names, long, order, size }: Measuring): Sql {
  const bytes = identifier(BYTES_COLUMN);
  const isFitting = sql`t._until <= (case when t._until = t.${bytes} then ${size.record} else ${size.page} end)::bigint`;
  const columns = names.map((name) => {
    const column = identifier(name);
    const isLong = long.some((one) => one.name === name);
    return isLong
      ? sql`case when ${isFitting} then t.${column} end as ${column}`
      : sql`t.${column}`;
  });
  const sizes = [sql`${SHORT_BYTES}::integer`, ...long.map(bytesSql)];
  return sql`select ${joinSql([...columns, sql`t.${bytes}`], ', ')}
    from (select t.*, sum(t.${bytes}) over (${order} rows unbounded preceding) as _until
      from (select t.*, ${joinSql(sizes, ' + ')} as ${bytes} from (${rows}) t) t) t${order}`;
}

function bytesSql({ name, measure }: Measuring['long'][number]): Sql {
  const column = sql`t.${identifier(name)}`;
  if (measure === 'text') return sql`coalesce(octet_length(${column}), 0)`;
  // A compressed value has to be read to measure it.
  return sql`coalesce(case when pg_column_compression(${column}) is null then pg_column_size(${column})
    else octet_length(${column}::text) end, 0)`;
}

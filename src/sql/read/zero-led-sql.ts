// The digits of a text field behind the zeros before them: codes that a spreadsheet would shorten. Pure text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { identifier, type Sql, sql } from '../sql.ts';

/** Rows of `digits`, at most `most`. */
export function zeroLedSql(
  schema: string,
  { table }: ObjectModel,
  { column }: Field,
  most: number,
): Sql {
  const value = identifier(column);
  return sql`select distinct ltrim(${value}, '0') as digits from (
      select ${value} from ${identifier(schema, table)} where ${value} like '0%' limit ${most}::integer) t
    where ${value} ~ '^0+[1-9][0-9]*$'`;
}

// The type names of fields and the planners, as text that may enter a statement. Anything else is a
// broken invariant: a type never comes from outside.

import { FIELD_TYPE_TRAITS } from '../model/values/field-types.ts';
import { type SqlText, sqlText } from '../model/values/sql-text.ts';
import { type Sql, writtenSql } from './sql.ts';

/** The types of fields, and the type that averages are compared in. */
const NAMES: readonly SqlText[] = [
  ...Object.values(FIELD_TYPE_TRAITS).map(({ castType }) => castType),
  sqlText`double precision`,
];

const TYPES: ReadonlyMap<string, Sql> = new Map(
  NAMES.map((name) => [name, writtenSql(name, () => undefined)]),
);

export function typeSql(name: string): Sql {
  const type = TYPES.get(name);
  if (type === undefined) throw new Error(`unknown type ${name}`);
  return type;
}

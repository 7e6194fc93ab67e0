// The type names of field-types.ts and the planners, as text that may enter a statement. Anything
// else is a broken invariant: a type never comes from outside.

import { type Sql, sql } from './sql.ts';

const TYPES: ReadonlyMap<string, Sql> = new Map([
  ['text', sql`text`],
  ['text collate "C"', sql`text collate "C"`],
  ['text[]', sql`text[]`],
  ['numeric', sql`numeric`],
  ['integer', sql`integer`],
  ['boolean', sql`boolean`],
  ['date', sql`date`],
  ['timestamptz(3)', sql`timestamptz(3)`],
  ['uuid', sql`uuid`],
  ['jsonb', sql`jsonb`],
  ['double precision', sql`double precision`],
]);

export function typeSql(name: string): Sql {
  const type = TYPES.get(name);
  if (type === undefined) throw new Error(`unknown type ${name}`);
  return type;
}

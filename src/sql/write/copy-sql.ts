// The text of `copy … from stdin`, and rows in the format that it reads. Pure text.

import { EMPTY, identifier, joinSql, type Sql, sql, toStatement } from '../sql.ts';

/** A table, or the columns of it that rows have. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * `copy … from stdin`. A table that was made in the same transaction can be frozen: no other transaction can see it
 * before the commit, so its rows can be marked as visible to all. With Citus the table is on another server.
 */
export function copyInText(
  schema: string,
  { name, columns }: CopiedTable,
  isFrozen: boolean,
): string {
  const list = joinSql(
    columns.map((column) => identifier(column)),
    ', ',
  );
  const frozen = isFrozen ? sql` with (freeze)` : EMPTY;
  return copyText(sql`copy ${identifier(schema, name)} (${list}) from stdin${frozen}`);
}

/** COPY takes no parameters. */
export function copyText(statement: Sql): string {
  const { text, values } = toStatement(statement);
  if (values.length > 0) throw new Error('COPY cannot have parameters');
  return text;
}

/** A value of a column as COPY reads it: what `jsonb_to_recordset` makes of the same JSON. */
export type CopyWriter = (value: unknown) => string;

/** How the values of a column of this type are written. */
export function copyWriter(type: string): CopyWriter {
  if (type === 'jsonb')
    return (value) => (isNothing(value) ? NULL : escaped(JSON.stringify(value)));
  if (type.endsWith('[]')) {
    return (value) => (isNothing(value) ? NULL : escaped(arrayText(value as readonly string[])));
  }
  return (value) => {
    if (typeof value === 'string') return escaped(value);
    return isNothing(value) ? NULL : String(value);
  };
}

const NULL = '\\N';

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] as string);
}

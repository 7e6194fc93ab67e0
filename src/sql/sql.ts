// The only place where SQL text is quoted and put together. A value can enter a statement only as a
// parameter, a name only through `identifier`; there is no way to splice a plain string. SQL text of
// field types (model/values/sql-text.ts) is a constant of the source.

import { LRUCache } from 'lru-cache';
import type { SqlText } from '../model/values/sql-text.ts';

const FRAGMENT = Symbol('sql fragment');

/** A piece of SQL: text chunks with parameters between them. */
export interface Sql {
  readonly [FRAGMENT]: true;
  readonly chunks: readonly string[];
  readonly values: readonly unknown[];
}

/** The input of the driver: `$1`-style text and its parameters. */
export interface Statement {
  readonly text: string;
  /** A short name of a long text. */
  readonly key?: string;
  readonly values: readonly unknown[];
}

function fragment(chunks: readonly string[], values: readonly unknown[]): Sql {
  return { [FRAGMENT]: true, chunks, values };
}

function isFragment(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && FRAGMENT in value;
}

/** Template tag: fragments are spliced, everything else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const chunks: string[] = [strings[0] as string];
  const values: unknown[] = [];
  parts.forEach((part, index) => {
    const after = strings[index + 1] as string;
    if (isFragment(part)) {
      chunks[chunks.length - 1] += part.chunks[0] as string;
      chunks.push(...part.chunks.slice(1));
      chunks[chunks.length - 1] += after;
      values.push(...part.values);
    } else {
      values.push(part);
      chunks.push(after);
    }
  });
  return fragment(chunks, values);
}

/** Text, the name of a place, text, and so on. */
const piecesOfTexts = new Map<SqlText, readonly string[]>();

/** SQL of a field type with fragments in its places; one that is missing is a broken invariant. */
export function writtenSql(text: SqlText, partIn: (place: string) => Sql | undefined): Sql {
  const pieces = piecesOfTexts.get(text) ?? text.split(/\{(\w+)\}/);
  piecesOfTexts.set(text, pieces);
  const chunks: string[] = [pieces[0] as string];
  const values: unknown[] = [];
  for (let index = 1; index < pieces.length; index += 2) {
    const part = partIn(pieces[index] as string);
    if (part === undefined) throw new Error(`nothing for a place of ${text}`);
    chunks[chunks.length - 1] += part.chunks[0] as string;
    chunks.push(...part.chunks.slice(1));
    chunks[chunks.length - 1] += pieces[index + 1] as string;
    values.push(...part.values);
  }
  return fragment(chunks, values);
}

/** Cache of quoted names: statements repeat the same few. */
const quotedNames = new LRUCache<string, string>({ max: 20_000 });

/** A quoted, optionally qualified name: `identifier('demo', 'deals')` → `"demo"."deals"`. */
export function identifier(...names: readonly string[]): Sql {
  return fragment([names.map(quotedName).join('.')], []);
}

function quotedName(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > 63) {
    throw new Error(`not a PostgreSQL identifier: ${JSON.stringify(name)}`);
  }
  const quoted = `"${name.replaceAll('"', '""')}"`;
  quotedNames.set(name, quoted);
  return quoted;
}

/** A quoted string literal, for DDL, where PostgreSQL takes no parameters. */
export function literal(text: string): Sql {
  if (text.includes('\0')) throw new Error('a literal cannot hold U+0000');
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return fragment([text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted], []);
}

export function joinSql(
  parts: readonly Sql[],
  separator: ', ' | ' and ' | ' or ' | ' ' | ' + ' | ' union all ',
): Sql {
  if (parts.length === 0) return EMPTY;
  const chunks: string[] = [''];
  const values: unknown[] = [];
  parts.forEach((part, index) => {
    if (index > 0) chunks[chunks.length - 1] += separator;
    chunks[chunks.length - 1] += part.chunks[0] as string;
    chunks.push(...part.chunks.slice(1));
    values.push(...part.values);
  });
  return fragment(chunks, values);
}

export const EMPTY: Sql = fragment([''], []);

/** The parameter of a column of JSON; null is that of SQL, not that of JSON. */
export function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Number the parameters. */
export function toStatement(part: Sql): Statement {
  let text = part.chunks[0] as string;
  for (let index = 1; index < part.chunks.length; index += 1) {
    text += `$${index}${part.chunks[index]}`;
  }
  return { text, values: part.values };
}

/**
 * The control schema, which all workspaces share; everything else is in the schema of a
 * workspace.
 */
export const CONTROL_SCHEMA = 'workspace_records';

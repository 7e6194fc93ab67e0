// Order and keyset as SQL: nulls last in both directions, pages that start after a cursor, and the
// split at the nulls that lets an index serve them. Pure text.

import { LIMITS } from '../../limits.ts';
import { type CursorValue, isLongText, type LongText } from '../../plan/read/cursor.ts';
import type { OrderKey, ReadPlan } from '../../plan/read/read-plan.ts';
import type { PlannedField } from '../../plan/read/resolve-field.ts';
import { EMPTY, joinSql, type Sql, sql } from '../sql.ts';
import { collatedSql } from './collated-sql.ts';
import {
  allOf,
  COMPARISONS,
  castSql,
  column,
  reachSql,
  selectionSql,
  sourceSql,
} from './where-sql.ts';

/** A part of a page that one index scan can serve: its rows and their order. */
export interface Stretch {
  readonly where: Sql;
  readonly order: Sql;
}

/**
 * The rows of a plan's page in one or two stretches. Where the first order key can be null, the rows
 * with a value and those without are separate ranges: a plain index has nulls last in one direction only.
 */
export function stretchesSql(plan: ReadPlan): readonly Stretch[] {
  const { order, after } = plan;
  const [first, ...rest] = order;
  const selection = selectionSql(plan);
  const anchor = (key: OrderKey, text: LongText) => rowAnchorSql(plan, key, text);
  if (first === undefined || !first.field.nullable || plan.limit === undefined) {
    const where = after === undefined ? [] : [afterSql(order, after, anchor)];
    return [{ where: allOf([...selection, ...where]), order: orderSql(order) }];
  }
  const certain = { ...first, field: { ...first.field, nullable: false } };
  const keys = [certain, ...rest];
  const within = orderSql(keys);
  const [start] = after ?? [];
  const name = column(first.field);
  const values = sql`${name} is not null`;
  const nulls = sql`${name} is null`;
  if (after === undefined) {
    return [
      { where: allOf([...selection, values]), order: within },
      { where: allOf([...selection, nulls]), order: within },
    ];
  }
  if (start === null) {
    const where = allOf([...selection, nulls, afterSql(rest, after.slice(1), anchor)]);
    return [{ where, order: within }];
  }
  const bounded = [values, boundSql(certain, start as CursorValue, anchor)];
  return [
    { where: allOf([...selection, ...bounded, afterSql(keys, after, anchor)]), order: within },
    { where: allOf([...selection, nulls]), order: within },
  ];
}

/** `order by` with nulls last in both directions (D29). */
export function orderSql(order: readonly OrderKey[]): Sql {
  if (order.length === 0) return EMPTY;
  const keys = order.map(({ field, direction }) => {
    const name = sortedSql(field);
    if (direction === 'asc') return sql`${name} asc`;
    return field.nullable ? sql`${name} desc nulls last` : sql`${name} desc`;
  });
  return sql` order by ${joinSql(keys, ', ')}`;
}

/** A field in its order. Texts that are equal in it are the same text: the collations are deterministic. */
export function sortedSql(field: PlannedField): Sql {
  return collatedSql(column(field), field.collation);
}

/** Not before the cursor's value: where an index scan starts. */
function boundSql(key: OrderKey, value: CursorValue, anchorSql: AnchorSql): Sql {
  const comparison = key.direction === 'asc' ? COMPARISONS.gte : COMPARISONS.lte;
  return sql`${sortedSql(key.field)} ${comparison} ${operandSql(key, value, anchorSql)}`;
}

/** Looks up the whole of a long text of which a cursor has the prefix. */
type AnchorSql = (key: OrderKey, text: LongText) => Sql;

function operandSql(key: OrderKey, value: CursorValue, anchorSql: AnchorSql): Sql {
  return isLongText(value) ? longTextSql(key, value, anchorSql) : castSql(key.field, value);
}

/**
 * Rows after the cursor in an order with mixed directions and nulls last in both (D29): equal on the
 * keys before, after on one. A plain row comparison where it says the same, because an index serves it.
 */
export function afterSql(
  order: readonly OrderKey[],
  after: readonly CursorValue[],
  anchorSql: AnchorSql,
): Sql {
  const keys = order.map((key, index) => ({ key, value: after[index] ?? null }));
  const direction = order[0]?.direction;
  const simple = keys.every(
    ({ key, value }) => !key.field.nullable && key.direction === direction && !isLongText(value),
  );
  if (simple) {
    const names = joinSql(
      keys.map(({ key }) => sortedSql(key.field)),
      ', ',
    );
    const values = joinSql(
      keys.map(({ key, value }) => castSql(key.field, value)),
      ', ',
    );
    return sql`(${names}) ${direction === 'asc' ? COMPARISONS.gt : COMPARISONS.lt} (${values})`;
  }
  const operands = keys.map(({ key, value }) => ({
    key,
    value,
    sql: operandSql(key, value, anchorSql),
  }));
  const branches = operands.flatMap((operand, index) => {
    const beyond = beyondSql(operand);
    if (beyond === undefined) return [];
    const equal = operands.slice(0, index).map(equalSql);
    return [sql`(${joinSql([...equal, beyond], ' and ')})`];
  });
  return sql`(${joinSql(branches, ' or ')})`;
}

interface Operand {
  readonly key: OrderKey;
  readonly value: CursorValue;
  readonly sql: Sql;
}

function equalSql({ key, value, sql: bound }: Operand): Sql {
  return value === null
    ? sql`${column(key.field)} is null`
    : sql`${sortedSql(key.field)} = ${bound}`;
}

/** Strictly after on this key; no value comes after null. */
function beyondSql({ key, value, sql: bound }: Operand): Sql | undefined {
  if (value === null) return undefined;
  const name = column(key.field);
  const comparison = sql`${sortedSql(key.field)} ${key.direction === 'asc' ? COMPARISONS.gt : COMPARISONS.lt} ${bound}`;
  return key.field.nullable ? sql`(${comparison} or ${name} is null)` : comparison;
}

const LAST_CHARACTER = '\u{10FFFF}';
/** The texts behind all others: in the order of each language, and by code points, which a server without ICU uses. */
const LAST_OF_ORDERS = ['\uFFFF', LAST_CHARACTER.repeat(8)];

/**
 * A long text of a cursor is looked up in its record; when the record has changed or is deleted, the page starts
 * at the prefix of the text: rows may repeat, none is skipped (D82).
 */
function longTextSql(key: OrderKey, text: LongText, anchorSql: AnchorSql): Sql {
  return sql`coalesce(${anchorSql(key, text)}, ${boundOfPrefixSql(key, text.prefix)})`;
}

/** A bound of all texts with the prefix, on the side from which the pages come. */
function boundOfPrefixSql({ field, direction }: OrderKey, prefix: string): Sql {
  if (field.collation === null)
    return sql`${direction === 'asc' ? prefix : afterPrefix(prefix)}::text`;
  // Only a space is a letter of its own in every language: other characters may form one letter with those that
  // follow.
  const words = prefix.slice(0, Math.max(prefix.lastIndexOf(' '), 0));
  if (direction === 'asc') return sql`${words}::text`;
  const ends = LAST_OF_ORDERS.map((end) => collatedSql(sql`${words + end}::text`, field.collation));
  return sql`greatest(${joinSql(ends, ', ')})`;
}

/**
 * An upper bound of all texts with the prefix: its last character that has a successor is
 * incremented.
 */
function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  while (characters[characters.length - 1] === LAST_CHARACTER) characters.pop();
  const last = characters.pop();
  if (last === undefined) return LAST_CHARACTER.repeat(LIMITS.longTextLength);
  const next = (last.codePointAt(0) as number) + 1;
  // Surrogates are no characters of their own.
  return characters.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
}

/** The text in the row the cursor was made from, as long as the caller may read it. */
function rowAnchorSql(plan: ReadPlan, { field }: OrderKey, text: LongText): Sql {
  // Not always the last key: a client may sort by the id itself.
  const id = String(plan.after?.[plan.order.findIndex((key) => key.field.key === 'id')]);
  const name = column(field);
  const found = [sql`t.id = ${id}::uuid`, sql`${digestSql(name)} = ${text.digest}`];
  return sql`(select ${name} from ${sourceSql(plan, [field])}
    where ${allOf([...reachSql(plan.reach), ...found])})`;
}

/** The digest of a text as plan/read/cursor.ts computes it. */
export function digestSql(text: Sql): Sql {
  return sql`left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 12)`;
}

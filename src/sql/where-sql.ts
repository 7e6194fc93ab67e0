// Predicates as SQL: filters, reach, text search and the keyset of a cursor. Pure text; every value
// is a parameter with an explicit type, so that a statement's text depends on its shape alone.

import type { Field } from '../model/model.ts';
import { type CursorValue, isLongText, type LongText } from '../plan/cursor.ts';
import type { Condition } from '../plan/filter.ts';
import type { OrderKey, ReachPredicate, ReadPlan } from '../plan/read-plan.ts';
import { CONTROL_SCHEMA, identifier, joinSql, type Sql, sql } from './sql.ts';

const COMPARISONS = {
  eq: sql`=`,
  ne: sql`is distinct from`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
} as const;

/** The rows a plan selects, before any cursor; `true` when that is all. */
export function selectionSql(plan: Pick<ReadPlan, 'reach' | 'ids' | 'conditions' | 'text'>): Sql {
  return allOf([
    ...reachSql(plan.reach),
    ...(plan.ids === undefined ? [] : [sql`t.id = any(${plan.ids}::uuid[])`]),
    ...plan.conditions.map(conditionSql),
    ...(plan.text === undefined ? [] : [textSql(plan.text)]),
  ]);
}

/** The rows of a plan's page: its selection, after its cursor. */
export function whereSql(plan: ReadPlan): Sql {
  const { order, after } = plan;
  if (after === undefined) return selectionSql(plan);
  // Not always the last key: a client may sort by the id itself.
  const id = String(after[order.findIndex(({ field }) => field.key === 'id')]);
  const anchor = (key: OrderKey, text: LongText) => rowAnchorSql(plan, key, text, id);
  return allOf([selectionSql(plan), afterSql(order, after, anchor)]);
}

function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? sql`true` : joinSql(parts, ' and ');
}

/** Rows within reach; no predicate at all when everything is. */
export function reachSql(reach: ReachPredicate): readonly Sql[] {
  if (reach.user_ids === undefined) return [];
  return [sql`t.${identifier(reach.column)} = any(${reach.user_ids}::integer[])`];
}

/** A cast to the field's own type, so that the column's index can serve the comparison. */
export function castSql(field: Field, value: unknown): Sql {
  return sql`${value}::${castType(field.cast_type)}`;
}

/** The type names are constants of field-types.ts; anything else is a broken invariant. */
export function castType(name: string): Sql {
  const known = CAST_TYPES.get(name);
  if (known === undefined) throw new Error(`unknown cast type ${name}`);
  return known;
}

const CAST_TYPES: ReadonlyMap<string, Sql> = new Map([
  ['text', sql`text`],
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

function column(field: Field): Sql {
  return sql`t.${identifier(field.column)}`;
}

function conditionSql({ field, operator, value }: Condition): Sql {
  const name = column(field);
  if (operator === 'is_null') return value ? sql`${name} is null` : sql`${name} is not null`;
  if (field.type === 'multi_select') {
    return sql`${name} && ${operator === 'in' ? value : [value]}::text[]`;
  }
  if (operator === 'in') return sql`${name} = any(${value}::${castType(field.cast_type)}[])`;
  return sql`${name} ${COMPARISONS[operator]} ${castSql(field, value)}`;
}

/** Case-insensitive substring match; `%`, `_` and `\` in the text are literal (D39). */
function textSql({ field, value }: { readonly field: Field; readonly value: string }): Sql {
  const pattern = `%${value.replace(/[\\%_]/g, '\\$&')}%`;
  const fold = identifier(CONTROL_SCHEMA, 'fold');
  return sql`${fold}(${column(field)}) like ${fold}(${pattern}::text)`;
}

/**
 * Rows after the cursor in an order with mixed directions and nulls last in both (D29): equal on the
 * keys before, after on one. A plain row comparison where it says the same, because an index serves it.
 */
export function afterSql(
  order: readonly OrderKey[],
  after: readonly CursorValue[],
  anchorSql: (key: OrderKey, text: LongText) => Sql,
): Sql {
  const keys = order.map((key, index) => ({ key, value: after[index] ?? null }));
  const direction = order[0]?.direction;
  const simple = keys.every(
    ({ key, value }) => !key.field.nullable && key.direction === direction && !isLongText(value),
  );
  if (simple) {
    const names = joinSql(
      keys.map(({ key }) => column(key.field)),
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
    sql: isLongText(value) ? longTextSql(key, value, anchorSql) : castSql(key.field, value),
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
  return value === null ? sql`${column(key.field)} is null` : sql`${column(key.field)} = ${bound}`;
}

/** Strictly after on this key; nothing comes after null. */
function beyondSql({ key, value, sql: bound }: Operand): Sql | undefined {
  if (value === null) return undefined;
  const name = column(key.field);
  const comparison = sql`${name} ${key.direction === 'asc' ? COMPARISONS.gt : COMPARISONS.lt} ${bound}`;
  return key.field.nullable ? sql`(${comparison} or ${name} is null)` : comparison;
}

const LAST_CHARACTER = '\u{10FFFF}';

/**
 * A long text of a cursor is looked up where it came from; when it is gone meanwhile, the page starts
 * at the text's prefix again: rows may repeat, none is skipped (D82).
 */
function longTextSql(
  key: OrderKey,
  text: LongText,
  anchorSql: (key: OrderKey, text: LongText) => Sql,
): Sql {
  const fallback = key.direction === 'asc' ? text.prefix : text.prefix + LAST_CHARACTER;
  return sql`coalesce(${anchorSql(key, text)}, ${fallback}::text)`;
}

/** The text in the row the cursor was made from. */
function rowAnchorSql(plan: ReadPlan, { field }: OrderKey, text: LongText, id: string): Sql {
  const name = sql`a.${identifier(field.column)}`;
  return sql`(select ${name} from ${identifier(plan.schema, plan.object.table)} a
    where a.id = ${id}::uuid and ${digestSql(name)} = ${text.digest})`;
}

/** The digest of a text as plan/cursor.ts computes it. */
export function digestSql(text: Sql): Sql {
  return sql`left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 12)`;
}

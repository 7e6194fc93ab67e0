// Predicates as SQL: filters, reach and text search. Pure text; every value is a parameter with an
// explicit type, so that a statement's text depends on its shape alone.

import type { Field } from '../../model/definition/model.ts';
import type { WhereOperator } from '../../model/values/field-type.ts';
import {
  comparedTraits,
  equalityKeyOf,
  FIELD_TYPE_TRAITS,
} from '../../model/values/field-types.ts';
import type { Condition } from '../../plan/read/filter.ts';
import type { LinkedTo, ReachPredicate, ReadPlan } from '../../plan/read/read-plan.ts';
import { isRelativeTime } from '../../plan/read/relative-time.ts';
import type { Join, PlannedField } from '../../plan/read/resolve-field.ts';
import { conditionsOf, partsOf, type Where } from '../../plan/read/where.ts';
import { CONTROL_SCHEMA, identifier, joinSql, type Sql, sql, writtenSql } from '../sql.ts';
import { typeSql } from '../type-sql.ts';
import { relativeSql } from './relative-sql.ts';

export const COMPARISONS = {
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
} as const;

/** The predicates of the rows a plan selects, before any cursor; none when that is all. */
export function selectionSql(
  plan: Pick<ReadPlan, 'schema' | 'reach' | 'ids' | 'linked' | 'where' | 'text'>,
): readonly Sql[] {
  return [
    ...reachSql(plan.reach),
    ...(plan.ids === undefined ? [] : [sql`t.id = any(${plan.ids}::uuid[])`]),
    ...(plan.linked === undefined ? [] : [linkedToSql(plan.schema, plan.linked)]),
    ...readableSourceSql(plan.linked),
    ...partsOf(plan.where).map(whereSql),
    ...(plan.text === undefined ? [] : [textSql(plan.text)]),
  ];
}

/** The tables that a statement about the fields of a plan reads: the table `t`, and those that references lead to. */
export function sourceSql(
  { schema, object }: Pick<ReadPlan, 'schema' | 'object'>,
  fields: readonly PlannedField[],
): Sql {
  const joins = new Map(fields.map(({ join }) => [join?.alias, join]));
  const joined = [...joins.values()].flatMap((join) =>
    join === undefined ? [] : [joinedSql(schema, join)],
  );
  return joinSql([sql`${identifier(schema, object.table)} t`, ...joined], ' ');
}

/** Joins at most one record for each row; all of its columns are null when there is none. */
function joinedSql(schema: string, { object, alias, column: reference }: Join): Sql {
  const target = identifier(alias);
  return sql`left join ${identifier(schema, object.table)} ${target}
    on ${target}.id = t.${identifier(reference)}`;
}

/** The fields that conditions are about. */
export function fieldsOf(where: Where): readonly PlannedField[] {
  return conditionsOf(where).map(({ field }) => field);
}

/** `and`-joined; `true` for an empty list. */
export function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? sql`true` : joinSql(parts, ' and ');
}

/** Rows within reach; no predicate when the reach is everything. */
export function reachSql(reach: ReachPredicate): readonly Sql[] {
  if (reach.user_ids === undefined) return [];
  const [only, ...others] = reach.user_ids;
  // For one owner the index has the records in their default order; for an array it does not.
  if (only !== undefined && others.length === 0) {
    return [sql`t.${identifier(reach.column)} = ${only}::integer`];
  }
  return [sql`t.${identifier(reach.column)} = any(${reach.user_ids}::integer[])`];
}

/** A cast to the field's own type, so that the column's index can serve the comparison. */
export function castSql(field: Field, value: unknown): Sql {
  if (isRelativeTime(value)) return relativeSql(field, value);
  return sql`${value}::${typeSql(field.cast_type)}`;
}

/** The expression by which values in `place` are compared for equality; an index by it serves the comparison (D267). */
export function equalitySql(field: Field, place: Sql): Sql {
  const { equalityKey } = comparedTraits(field);
  return equalityKey === undefined ? place : writtenSql(equalityKey.column, () => place);
}

export function column({ column: name, join }: PlannedField): Sql {
  return join === undefined ? sql`t.${identifier(name)}` : sql`${identifier(join.alias, name)}`;
}

/** True of a row or not: `not` is true where its part is null as well. */
export function whereSql(where: Where): Sql {
  if ('field' in where) return conditionSql(where);
  if ('not' in where) return sql`(${whereSql(where.not)}) is not true`;
  if ('all' in where) return where.all.length === 0 ? sql`true` : groupSql(where.all, ' and ');
  return where.any.length === 0 ? sql`false` : groupSql(where.any, ' or ');
}

function groupSql(parts: readonly Where[], separator: ' and ' | ' or '): Sql {
  return sql`(${joinSql(parts.map(whereSql), separator)})`;
}

const BY_EQUALITY: ReadonlySet<WhereOperator> = new Set(['eq', 'ne', 'in', 'not_in']);
const MATCHES_NULL: ReadonlySet<WhereOperator> = new Set(['ne', 'not_in']);
const RANGES: ReadonlySet<WhereOperator> = new Set(['lt', 'lte', 'gt', 'gte', 'between']);

function conditionSql({ field, op, value: operand }: Condition): Sql {
  const name = column(field);
  if (op === 'is_null') return operand ? sql`${name} is null` : sql`${name} is not null`;
  const isByKey = comparesByKey(field, op);
  const value = isByKey ? keysOf(field, operand) : operand;
  const { predicates, isList } = FIELD_TYPE_TRAITS[field.type];
  const predicate = predicates[op];
  if (predicate === undefined) throw new Error(`no ${op} of a ${field.type} field`);
  const values = Array.isArray(value) ? value : [value];
  const places: Readonly<Record<string, () => Sql>> = {
    column: () => (isByKey ? equalitySql(field, name) : name),
    value: () => castSql(field, value),
    values: () => (isList ? castSql(field, values) : arraySql(field, values)),
    low: () => castSql(field, values[0]),
    high: () => castSql(field, values[1]),
    folded: () => foldedSql(name),
    containing: () => foldedSql(sql`${`%${literalText(value)}%`}::text`),
    starting: () => foldedSql(sql`${`${literalText(value)}%`}::text`),
    ending: () => foldedSql(sql`${`%${literalText(value)}`}::text`),
  };
  const condition = writtenSql(predicate, (place) => places[place]?.());
  // A key need not be strict, and PostgreSQL makes an inner join only of a condition that is plainly not true of
  // nulls.
  const isStrict = field.join === undefined || !isByKey || MATCHES_NULL.has(op);
  return isStrict ? condition : sql`(${name} is not null and ${condition})`;
}

function comparesByKey(field: Field, op: WhereOperator): boolean {
  if (BY_EQUALITY.has(op)) return true;
  return RANGES.has(op) && comparedTraits(field).equalityKey?.ordered === true;
}

function arraySql(field: Field, values: readonly unknown[]): Sql {
  if (!values.some(isRelativeTime)) return sql`${castSql(field, values)}[]`;
  return sql`array[${joinSql(
    values.map((value) => castSql(field, value)),
    ', ',
  )}]`;
}

/** The text without regard to case. */
function foldedSql(text: Sql): Sql {
  return sql`${identifier(CONTROL_SCHEMA, 'folded')}(${text})`;
}

/** True for a text that contains another, without regard to case. */
export function containsSql(text: Sql, part: string): Sql {
  return sql`${foldedSql(text)} like ${foldedSql(sql`${`%${literalText(part)}%`}::text`)}`;
}

/** A text in a pattern: `%`, `_` and `\` are escaped (D39). */
function literalText(text: unknown): string {
  return String(text).replace(/[\\%_]/g, '\\$&');
}

function keysOf(field: Field, operand: unknown): unknown {
  if (!Array.isArray(operand)) return equalityKeyOf(field, operand);
  return operand.map((item) => equalityKeyOf(field, item));
}

/** The records linked to a record: one by its own field, or many by theirs or by links. */
function linkedToSql(schema: string, { via, table, id }: LinkedTo): Sql {
  switch (via.kind) {
    case 'reference':
      return sql`t.id = (select s.${identifier(via.column)} from ${identifier(schema, table)} s
        where s.id = ${id}::uuid)`;
    case 'inverse':
      return sql`t.${identifier(via.column)} = ${id}::uuid`;
    case 'link': {
      const [own, other] = via.side === 'to' ? ['to_id', 'from_id'] : ['from_id', 'to_id'];
      return sql`t.id in (select l.${identifier(other)} from ${identifier(schema, '_links')} l
        where l.${identifier(own)} = ${id}::uuid and l.relationship = ${via.key}::text)`;
    }
  }
}

/** The inner `t` is the record that rows are linked to. */
function readableSourceSql(linked: LinkedTo | undefined): readonly Sql[] {
  const source = linked?.source;
  if (source === undefined) return [];
  const table = identifier(source.schema, source.object.table);
  return [sql`exists (select from ${table} t where ${allOf(selectionSql(source))})`];
}

/** Case-insensitive substring match. */
export function textSql({ field, value }: { readonly field: Field; readonly value: string }): Sql {
  return containsSql(column(field), value);
}

// The parts that all stages of a search share: their input, and which rows of the index the caller may
// search. Pure text.

import { ofPeople } from '../../model/text/search-lexemes.ts';
import type { SearchPlan, SearchScope } from '../../plan/search/search-plan.ts';
import {
  SEARCH_VALUES,
  type SearchValueName,
  type SearchValues,
  type SearchValueType,
} from '../../plan/search/search-question.ts';
import { identifier, joinSql, type Sql, sql } from '../sql.ts';

/**
 * The highest code point: appended to a prefix it is an upper bound of all texts with this
 * prefix.
 */
export const LAST = sql`chr(1114111)`;

const TYPES: Readonly<Record<SearchValueType, Sql>> = Object.freeze({
  text: sql`text`,
  bigint: sql`bigint`,
  'text[]': sql`text[]`,
  'boolean[]': sql`boolean[]`,
  'integer[]': sql`integer[]`,
});

/** The place of a value of one search among the parameters of a statement. */
export interface SearchSlot {
  readonly value: SearchValueName;
}

/** The parameters with the values of one search in their places. */
export function withValues(parameters: readonly unknown[], values: SearchValues): unknown[] {
  return parameters.map((one) => (isSlot(one) ? values[one.value] : one));
}

function isSlot(parameter: unknown): parameter is SearchSlot {
  return typeof parameter === 'object' && parameter !== null && 'value' in parameter;
}

const VALUES = Object.entries(SEARCH_VALUES) as [SearchValueName, SearchValueType][];

/**
 * The part `input`: one row with everything that differs between two searches of a caller, and between
 * callers with the same rights. Its values are hidden from the planner, so that PostgreSQL keeps a generic plan:
 * planning each search again took 3 ms of 4.
 */
export function inputSql({ scopes, displays }: SearchPlan): Sql {
  const asked = VALUES.map(([value, type]) => {
    return sql`${{ value } satisfies SearchSlot}::${TYPES[type]} as ${identifier(value)}`;
  });
  const columns = [
    ...asked,
    sql`${displays}::text[] as displays`,
    ...scopes.flatMap(({ sources, user_ids }, index) => [
      sql`${sources}::text[] as ${identifier(`sources_${index}`)}`,
      ...(user_ids === undefined
        ? []
        : [
            sql`${user_ids}::integer[] as ${identifier(`users_${index}`)}`,
            sql`${ofPeople(user_ids)}::text as ${identifier(`people_${index}`)}`,
          ]),
    ]),
  ];
  return sql`input as materialized (select ${joinSql(columns, ', ')})`;
}

/** A value of the part `input`. */
export function inputOf(name: string): Sql {
  return sql`(select ${identifier(name)} from input)`;
}

/** The rows of the index that a lateral subquery reads, and their order. */
export interface IndexScan {
  readonly rank: Sql;
  readonly where: Sql;
  readonly order: Sql;
  readonly limit: Sql;
}

/**
 * Rows of a scope for each row of `input`. The order makes an index deliver them one by one: to limit
 * a bitmap, it has to be complete first. The records of few people are read by person.
 */
export function scopeRowsSql(
  plan: SearchPlan,
  index: number,
  { rank, where, order, limit }: IndexScan,
): Sql {
  const { user_ids } = plan.scopes[index] as SearchScope;
  const whose =
    user_ids === undefined
      ? sql`select`
      : sql`select unnest(${inputOf(`users_${index}`)}) as user_id`;
  const mine = user_ids === undefined ? sql`` : sql` and s.reach_user_id = u.user_id`;
  return sql`(${whose}) u cross join lateral (
      select s.record_id, s.source, ${rank} as rank, s.created_at
      from ${identifier(plan.schema, '_search')} s
      where ${where}${mine} and s.source = any(${inputOf(`sources_${index}`)}::text[])
      order by ${order} limit ${limit}) s`;
}

export function unionAll(parts: readonly Sql[]): Sql {
  return parts.reduce((all, part) => sql`${all} union all ${part}`);
}

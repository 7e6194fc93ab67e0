// The parts that all stages of a search share: their input, and which rows of the index the caller may
// search. Pure text.

import { endOfWord, parseSpellings } from '../model/search-spellings.ts';
import { asWord, canBeMeant } from '../model/search-text.ts';
import type { SearchPlan, SearchScope } from '../plan/search-plan.ts';
import { identifier, joinSql, type Sql, sql } from './sql.ts';

/**
 * The highest code point: appended to a prefix it is an upper bound of all texts with this
 * prefix.
 */
export const LAST = sql`chr(1114111)`;

/**
 * The part `input`: one row with everything that differs between two searches of a caller. Its
 * values are hidden from the planner, so that PostgreSQL keeps a generic plan: planning each search anew
 * took 3 ms of 4.
 */
export function inputSql(plan: SearchPlan): Sql {
  const { phrase, phones, words } = plan.terms;
  const spellings = parseSpellings(words);
  const columns = [
    sql`${phrase}::text as phrase`,
    sql`${[...new Set([phrase, ...phones])]}::text[] as wholes`,
    sql`${[...new Set([asWord(phrase), ...phones])]}::text[] as starts`,
    sql`${words}::text[] as words`,
    sql`${words.map(endOfWord)}::text[] as ends`,
    sql`${words.map(canBeMeant)}::boolean[] as typos`,
    sql`${spellings.map(({ place }) => place)}::integer[] as spelt`,
    sql`${spellings.map(({ low }) => low)}::text[] as lows`,
    sql`${spellings.map(({ high }) => high)}::text[] as highs`,
    sql`${plan.displays}::text[] as displays`,
    ...plan.scopes.flatMap(({ sources, user_ids }, index) => [
      sql`${sources}::text[] as ${identifier(`sources_${index}`)}`,
      ...(user_ids === undefined
        ? []
        : [sql`${user_ids}::integer[] as ${identifier(`users_${index}`)}`]),
    ]),
    sql`${plan.limit}::bigint as page`,
  ];
  return sql`input as materialized (select ${joinSql(columns, ', ')})`;
}

/** A value of the part `input`. */
export function inputOf(name: string): Sql {
  return sql`(select ${identifier(name)} from input)`;
}

/** Hidden fields and records out of reach are excluded before anything is counted. */
function visibleSql({ user_ids }: SearchScope, index: number): Sql {
  // With the cast an array; without it a set of rows.
  const readable = sql`s.source = any(${inputOf(`sources_${index}`)}::text[])`;
  if (user_ids === undefined) return readable;
  return sql`${readable} and s.reach_user_id = any(${inputOf(`users_${index}`)}::integer[])`;
}

/** Which rows of the index a lateral subquery reads, and which of them first. */
export interface Reading {
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
  { rank, where, order, limit }: Reading,
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

/** Rows of the index in any of the plan's scopes. */
export function anyVisibleSql({ scopes }: SearchPlan): Sql {
  return sql`(${joinSql(scopes.map(visibleSql), ' or ')})`;
}

export function unionAll(parts: readonly Sql[]): Sql {
  return parts.reduce((all, part) => sql`${all} union all ${part}`);
}

// The stages of a search that find the records with all words of the query, in any order and in any of their
// fields: first as whole words, then also as beginnings of words (D370). Pure text.

import { SOURCE } from '../../model/text/search-lexemes.ts';
import type { SearchPlan } from '../../plan/search/search-plan.ts';
import { EMPTY, identifier, joinSql, literal, type Sql, sql } from '../sql.ts';
import { inputOf } from './search-scope-sql.ts';

/** So many records with all words are read. When there are more, the newest records are searched as well. */
const MANY = sql`2000`;
/** Newest records that are looked at when there are more. */
const NEWEST = sql`3000`;
/** The most records that a stage returns. */
const MOST = sql`90`;

/**
 * The condition on `words` of `_search` that a record of a scope has, for each `i` of these rows, what one of its `fits`
 * says; null without rows.
 */
export function allOfSql({ scopes }: SearchPlan, rows: Sql): Sql {
  const parts = scopes.map(({ user_ids }, index) => {
    const people = user_ids === undefined ? EMPTY : sql`${inputOf(`people_${index}`)} || ' & ' ||`;
    return sql`(select '(' || ${people} string_agg('(' || fits || ')', ' & ') || ')' from (
        select string_agg('(' || replace(r.fits, ${literal(SOURCE)}, s.source) || ')', ' | ') as fits
        from (${rows}) r cross join unnest(${inputOf(`sources_${index}`)}) as s(source)
        group by r.i) w)`;
  });
  return sql`nullif(concat_ws(' | ', ${joinSql(parts, ', ')}), '')::tsquery`;
}

/**
 * A condition on indexed words; `is not null` makes PostgreSQL expect few rows, so that it does not read all rows
 * instead.
 */
export function hasSql(condition: Sql): Sql {
  return sql`s.words is not null and s.words @@ ${condition}`;
}

/** Words of the name that the query does not have make a hit worse. */
export function lengthSql(alias: Sql): Sql {
  return sql`case when ${alias}.source = any(${inputOf('displays')}::text[])
      then least(length(${alias}.text) - length(replace(${alias}.text, ' ', '')), 99) / 25.0 else 0 end`;
}

interface Together {
  readonly name: 'together' | 'begun';
  readonly rank: Sql;
  /** Number of records that the stages before have found. */
  readonly found: Sql;
}

/** The parts `together` and `begun`; `found` is the number of records that the stages before them have. */
export function togetherSql(
  plan: SearchPlan,
  found: { readonly together: Sql; readonly begun: Sql },
): Sql {
  return sql`${stageSql(plan, { name: 'together', rank: sql`4`, found: found.together })},
    ${stageSql(plan, { name: 'begun', rank: sql`9`, found: found.begun })}`;
}

/**
 * Beginnings of one or two letters are those of too many words: they are looked at in the records that the other
 * words lead to.
 */
function stageSql(plan: SearchPlan, { name, rank, found }: Together): Sql {
  const [searchedName, few] = [identifier(`${name}_asked`), identifier(`few_${name}`)];
  const search = identifier(plan.schema, '_search');
  const columns = sql`record_id, source, text, created_at`;
  const fits = (where: Sql) => sql`select t.i, t.fits from
      unnest(${inputOf(name === 'begun' ? 'begins' : 'fits')}, ${inputOf('long')})
        with ordinality as t(fits, long, i)
      where cardinality(${inputOf('words')}) > 1 and ${found} < ${inputOf('page')} and ${where}`;
  const [led, all] =
    name === 'begun'
      ? [sql`t.long`, sql`not (select bool_and(l) from unnest(${inputOf('long')}) l)`]
      : [sql`true`, sql`false`];
  const has = sql`(select has from ${searchedName})`;
  const refused = sql`(s.words @@ (select refused from ${searchedName})) is not true`;
  return sql`${searchedName} as materialized (
      select ${allOfSql(plan, fits(led))} as has, !! ${allOfSql(plan, fits(all))} as refused),
    ${few} as materialized (
      select ${columns} from ${search} s
      where ${hasSql(has)} and ${refused} limit ${MANY}),
    ${identifier(name)} as materialized (
      select f.record_id, f.source, ${rank} + ${lengthSql(sql`f`)} as rank, f.created_at from (
        select * from ${few}
        union all
        (select ${columns} from (
          select ${columns}, words from ${search} where length(words) >= 0
          order by created_at desc limit ${NEWEST}) s
        where (select count(*) from ${few}) = ${MANY} and s.words @@ ${has} and ${refused}
        limit ${MOST})) f
      order by rank, created_at desc limit ${MOST})`;
}

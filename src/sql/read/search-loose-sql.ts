// The last stage of a search: words with a typo, a space too many or too few, and
// records that lack one of the words (D93, D370). Pure text.

import { NOTHING, SOURCE } from '../../model/text/search-lexemes.ts';
import type { SearchPlan } from '../../plan/search/search-plan.ts';
import { CONTROL_SCHEMA, identifier, joinSql, literal, type Sql, sql } from '../sql.ts';
import { inputOf, scopeRowsSql } from './search-scope-sql.ts';
import { allOfSql, hasSql, lengthSql } from './search-together-sql.ts';

/** The most spellings of one word; fewer of a word that occurs as it was typed. */
const SPELLINGS = { ofKnown: sql`4`, ofOthers: sql`12` };
/** The most records that are read with all words, and, for each word, of those that lack it. */
const READ = { all: sql`500`, lacking: sql`200` };
/** The most records that are scored; records with rare combinations of words come first. */
const SCORED = sql`60`;
/** The cost of a word that matches only the beginning of another. */
const BEGUN = sql`5`;
/** Characters of a word that is significant enough when another one is missing. */
const LONG = sql`3`;

/** The cost of a record that has other spellings. */
const COST = sql`select sum(w.cost) as cost from (
        select min(a.cost) as cost from alternatives a where c.words @@ a.has group by a.i) w`;

/** A record that lacks a word has one of the others as typed; of those, words without a match may have a typo. */
const OTHERS = sql`select i, fits from alternatives
        where i <> d.missing
          and (d.missing = 0 or cost = 0 or cost <> ${BEGUN} and not (select known from effort))
        union all
        select 0, case when length >= ${LONG} then fits else ${literal(NOTHING)} end
        from alternatives where d.missing > 0 and i <> d.missing and cost = 0`;

/** The part `loose`; `found` counts the records of the stages before. */
export function looseSql(plan: SearchPlan, found: Sql): Sql {
  const search = identifier(plan.schema, '_search');
  const columns = sql`s.record_id, s.source, s.text, s.created_at, s.words`;
  return sql`effort as materialized (${effortSql(plan, found)}),
    alternatives as materialized (${alternativesSql(plan)}),
    wanted as materialized (
      select d.missing, ${allOfSql(plan, OTHERS)} as has
      from (select generate_series(0, case when n_words > 1 then n_words else 0 end) as missing
        from effort where runs) d),
    near as materialized (
      select 0 as missing, ${columns} from ${search} s
      where ${hasSql(sql`(select has from wanted where missing = 0)`)} limit ${READ.all}),
    lacking as materialized (
      select w.missing, s.* from wanted w cross join lateral (
        select ${columns} from ${search} s where ${hasSql(sql`w.has`)} limit ${READ.lacking}) s
      where w.missing > 0 and not exists (select from near)),
    closest as materialized (
      select c.*, count(*) over (partition by c.missing) as alike
      from (select * from near union all select * from lacking) c
      order by alike, c.created_at desc limit ${SCORED}),
    loose as materialized (
      select c.record_id, c.source, 1000 + case c.missing when 0 then 0 else 10000 + 10 * c.alike end
        + m.cost + ${lengthSql(sql`c`)} as rank, c.created_at
      from closest c cross join lateral (${COST}) m)`;
}

/**
 * Whether the stage runs, and which words may have a typo (`suspects`): those without a match as typed. When each has
 * a match (`known`), any of them may.
 */
function effortSql(plan: SearchPlan, found: Sql): Sql {
  return sql`select n_words, runs, suspects is null as known,
        coalesce(suspects, array(select generate_series(1, n_words))::bigint[]) as suspects
      from (select n_words, runs, case when runs then (
          select array_agg(t.i) from unnest(${inputOf('words')}, ${inputOf('ends')})
            with ordinality as t(low, high, i)
          where not ${presentSql(plan)}) end as suspects
        from (select n_words, case when n_words > 1 then n = 0 else n < ${inputOf('page')} end as runs
          from (select ${found} as n, cardinality(${inputOf('words')}) as n_words offset 0) f) e) s`;
}

/** Whether a text of the caller begins with one from `t.low` up to `t.high`. */
function presentSql(plan: SearchPlan): Sql {
  const probes = plan.scopes.flatMap(({ user_ids }, index) => {
    // The index by text has two parts, the one by person has not.
    const places = user_ids === undefined ? [sql`s.place = 0`, sql`s.place > 0`] : [sql`true`];
    return places.map((place) => {
      const where = sql`${place} and s.text >= t.low and s.text < t.high`;
      const one = { rank: sql`0`, where, order: sql`s.text`, limit: sql`1` };
      return sql`exists (select from ${scopeRowsSql(plan, index, one)})`;
    });
  });
  return sql`(${joinSql(probes, ' or ')})`;
}

/** The alternatives of each word: itself, the beginning of a longer word, or another spelling. */
function alternativesSql(plan: SearchPlan): Sql {
  const suspects = sql`any((select suspects from effort)::bigint[])`;
  const source = literal(`'${SOURCE} `);
  return sql`select a.*, ${allOfSql(plan, sql`select a.i, a.fits`)} as has from (
        select t.i, t.fits, 0 as cost, length(t.word) as length
        from unnest(${inputOf('fits')}, ${inputOf('words')}) with ordinality as t(fits, word, i)
        union all
        select t.i, t.fits, ${BEGUN}, 0 from unnest(${inputOf('begins')}) with ordinality as t(fits, i)
        where t.i = ${suspects}
        union all
        select t.i, t.fits, 100, 0
        from unnest(${inputOf('spelt')}, ${inputOf('spellings')}, ${inputOf('lows')}, ${inputOf('highs')})
          as t(i, fits, low, high)
        where t.i = ${suspects} and ${presentSql(plan)}
        union all
        select q.i, ${source} || k.word || '''', 100 + k.place, 0
        from unnest(${inputOf('words')}, ${inputOf('typos')}) with ordinality as q(word, can_have_typo, i)
        cross join lateral (
          select k.word, rank() over (
            order by count(*) + max((v.variant in (k.word, q.word))::integer) desc,
              (left(k.word, 1) = left(q.word, 1)) desc) as place
          from ${identifier(CONTROL_SCHEMA, 'slips')}(q.word) as v(variant)
          join ${identifier(plan.schema, '_search_words')} k on k.variant = v.variant
          where k.word <> q.word group by k.word order by place, k.word
          limit (select case when known then ${SPELLINGS.ofKnown} else ${SPELLINGS.ofOthers} end from effort)) k
        where q.can_have_typo and q.i = ${suspects}) a
      where (select runs from effort)`;
}

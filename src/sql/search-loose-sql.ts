// The last stage of a search: the words of the query in any order, each as it stands at the start of a
// word or with a slip of the keyboard (D93). Pure text.

import type { SearchPlan } from '../plan/search-plan.ts';
import { anyVisibleSql, inputOf, LAST, scopeRowsSql, unionAll } from './search-scope-sql.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from './sql.ts';

/** Rows read for each spelling of a word, in each place. */
const ROWS = sql`60`;
/** Records looked at more closely; when nothing else is found they are worth more time. */
const RECORDS = { afterNothing: sql`50`, afterSomething: sql`15` };
/** From so many words on, one may be missing. */
const WORDS_WITH_SPARE = 3;

/** The part `loose`; `found` counts the records of the stages before. */
export function looseSql(plan: SearchPlan, found: Sql): Sql {
  const isOneWord = plan.terms.words.length <= 1;
  return sql`effort as materialized (
      select case when n >= ${inputOf('page')} then 0 when n > 0 then ${RECORDS.afterSomething}
        else ${RECORDS.afterNothing} end as records from (select ${found} as n) f),
    spellings as materialized (${spellingsSql(plan)}),
    loose_rows as materialized (${rowsSql(plan)}),
    loose as materialized (${isOneWord ? ONE_WORD : allWordsSql(plan)})`;
}

const EFFORT = sql`(select records from effort)`;

/** Which ranges of text each word of the query may mean: itself, and words one slip away. */
function spellingsSql({ schema }: SearchPlan): Sql {
  const words = inputOf('words');
  return sql`
      select q.i, q.word as low, q.word || ${LAST} as high, 0 as slips
      from unnest(${words}) with ordinality as q(word, i) where ${EFFORT} > 0
      union
      select q.i, k.word, k.word || '!', 1
      from unnest(${words}, ${inputOf('slips')}) with ordinality as q(word, can_slip, i)
      cross join lateral ${identifier(CONTROL_SCHEMA, 'slips')}(q.word) as v(variant)
      join ${identifier(schema, '_search_words')} k on k.variant = v.variant
      where q.can_slip and not starts_with(k.word, q.word) and ${EFFORT} > 0`;
}

function rowsSql(plan: SearchPlan): Sql {
  const arms = plan.scopes.flatMap(({ user_ids }, index) => {
    // The index by text has two parts, the one by person has not.
    const places = user_ids === undefined ? [sql`s.place = 0`, sql`s.place > 0`] : [sql`true`];
    return places.map((place) => {
      const rows = scopeRowsSql(plan, index, {
        rank: sql`4 + p.slips`,
        where: sql`${place} and s.text >= p.low and s.text < p.high`,
        order: sql`s.text`,
        limit: ROWS,
      });
      return sql`select s.* from ${rows}`;
    });
  });
  return sql`select p.i, s.* from spellings p cross join lateral (${unionAll(arms)}) s`;
}

const ONE_WORD = sql`select record_id, source, rank, created_at from loose_rows`;

/** Records that have the rarest word, first those known to have others; a few are looked at. */
function allWordsSql(plan: SearchPlan): Sql {
  const spare = plan.terms.words.length >= WORDS_WITH_SPARE ? sql`1` : sql`0`;
  return sql`
      select c.record_id, c.source, 4 + m.slips + 10 * (cardinality(${inputOf('words')}) - m.words)
        as rank, c.created_at
      from (
        select record_id, min(source) as source, max(created_at) as created_at
        from loose_rows cross join (
          select i as rarest from loose_rows group by i order by count(*), i limit 1) r
        group by record_id having bool_or(i = rarest)
        order by count(distinct i) desc, max(created_at) desc limit ${EFFORT}) c
      cross join lateral (
        select count(*) as words, sum(w.slips) as slips from (
          select p.i, min(p.slips) as slips from ${identifier(plan.schema, '_search')} s
          join spellings p on s.text >= p.low and s.text < p.high
          where s.record_id = c.record_id and ${anyVisibleSql(plan)} group by p.i) w) m
      where m.words >= cardinality(${inputOf('words')}) - ${spare}`;
}

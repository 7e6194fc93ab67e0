// The last stage of a search: words with a typo, a space too many or too few, and
// records that lack one of the words (D93, D175). Pure text.

import type { SearchPlan } from '../plan/search-plan.ts';
import { inputOf } from './search-scope-sql.ts';
import { COMMON, closestSql, countsSql, listsSql, PAIRS, TERMS } from './search-together-sql.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from './sql.ts';

/** Spellings of one word. */
const SPELLINGS = sql`12`;
/** Candidates that are scored; more of them when the earlier stages found nothing. */
const RECORDS = { afterNothing: sql`30`, afterSomething: sql`15` };

/** The part `loose`; `found` counts the records of the stages before. */
export function looseSql(plan: SearchPlan, found: Sql): Sql {
  return sql`effort as materialized (
      select case when n >= ${inputOf('page')} or n > 0 and n_words > 1 then 0
        when n > 0 then ${RECORDS.afterSomething} else ${RECORDS.afterNothing} end as records,
        case when n > 0 or n_words < 2 then 0 else 1 end as spare,
        coalesce((select array_agg(i) from counts where not known),
          array(select generate_series(1, n_words))) as suspects
      from (select ${found} as n, cardinality(${inputOf('words')}) as n_words offset 0) f),
    spellings as materialized (${spellingsSql(plan)}),
    texts as materialized (${TEXTS}),
    slipped as materialized (${listsSql(plan, TYPOS, [COMMON, COMMON])}),
    spelt as materialized (select * from lists union all select * from slipped),
    many as materialized (${countsSql(sql`texts`, sql`spelt`, COMMON)}),
    ${closestSql(plan, {
      name: 'loose',
      rows: sql`spelt`,
      deep: sql`${SPARE} > 0 and (select count(*) from counts where present and not whole) < 2`,
      counts: sql`many`,
      most: EFFORT,
      spare: SPARE,
    })}`;
}

const TYPOS = sql`select * from texts where typos > 0`;

/**
 * Spellings, and spellings with a typo next to a neighbouring word: these find records of common
 * words.
 */
const TEXTS = sql`
      select * from spellings
      union all
      select ${PAIRS} * b.i + 1, a.low || ' ' || b.low, a.low || ' ' || b.high,
        a.low || ' ' || b.high, 1
      from spellings a join spellings b on b.i = a.i + 1
      where a.typos = 0 and b.typos = 1
      union all
      select ${PAIRS} * a.i + 2, a.low || ' ' || b.low, a.low || ' ' || b.whole_end,
        a.low || ' ' || b.whole_end, 1
      from spellings a join spellings b on b.i = a.i + 1
      where a.typos = 1 and b.typos = 0`;
const EFFORT = sql`(select records from effort)`;
/** The words that match no row as typed; when there are none, any word may have a typo. */
const SUSPECTS = sql`(select suspects from effort)`;
const SPARE = sql`(select spare from effort)`;

/** The texts that each word of the query may stand for. */
function spellingsSql({ schema }: SearchPlan): Sql {
  return sql`
      ${TERMS} where ${EFFORT} > 0
      union all
      select q.i, k.word as low, k.word || '!' as high, k.word || '!' as whole_end, 1 as typos
      from unnest(${inputOf('words')}, ${inputOf('typos')}) with ordinality as q(word, can_have_typo, i)
      cross join lateral (
        select k.word from ${identifier(CONTROL_SCHEMA, 'slips')}(q.word) as v(variant)
        join ${identifier(schema, '_search_words')} k on k.variant = v.variant
        where q.can_have_typo and q.i = any(${SUSPECTS}::integer[]) and k.word <> q.word group by k.word
        order by count(*) desc, left(k.word, 1) = left(q.word, 1) desc limit ${SPELLINGS}) k
      where ${EFFORT} > 0
      union all
      select u.i, u.low, u.high, u.high, 1
      from unnest(${inputOf('spelt')}, ${inputOf('lows')}, ${inputOf('highs')}) as u(i, low, high)
      where ${EFFORT} > 0 and u.i = any(${SUSPECTS}::integer[])`;
}

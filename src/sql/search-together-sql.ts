// The stage of a search that finds the records with all words of the query, in any order and in any
// of their fields, each as a whole word or as the start of one (D175). Pure text.
//
// For each word a few rows of the index are read. A word with no more rows than these is known completely, so
// records outside of them are excluded; words with more rows are looked up in the remaining records.

import type { SearchPlan } from '../plan/search-plan.ts';
import { anyVisibleSql, inputOf, LAST, scopeRowsSql, unionAll } from './search-scope-sql.ts';
import { identifier, type Sql, sql } from './sql.ts';

/** A word with this many rows is a common one; so many are read of each text, in each place. */
export const COMMON = sql`40`;
/** Rows read of pairs of words, and of words when all are common. */
const DEEP = { wide: sql`120`, narrow: sql`60` };
/** Candidates that are scored. */
const RECORDS = sql`30`;
/** Bytes of a word that is significant enough when another one is missing. */
const LONG = sql`3`;
/** Numbers of pairs of words are above those of words. */
export const PAIRS = sql`100`;

/**
 * The parts `terms`, `lists`, `counts`, `deep` and `together`; `found` counts the records of the
 * stages before.
 */
export function togetherSql(plan: SearchPlan, found: Sql): Sql {
  return sql`terms as materialized (${TERMS} where cardinality(${inputOf('words')}) > 1
      and ${found} < ${inputOf('page')}),
    lists as materialized (${listsSql(plan, sql`select * from terms`, [COMMON, COMMON])}),
    counts as materialized (${countsSql(sql`terms`, sql`lists`, COMMON)}),
    deep_terms as materialized (${DEEP_TERMS}),
    deep as materialized (${listsSql(plan, sql`select * from deep_terms`, [DEEP.wide, DEEP.narrow])}),
    deep_counts as materialized (${countsSql(sql`deep_terms`, sql`deep`, DEEP.wide)}),
    ${closestSql(plan, {
      name: 'together',
      rows: sql`lists`,
      deep: sql`(select count(*) from counts where present and not whole) = 0`,
      counts: sql`counts`,
      most: RECORDS,
      spare: sql`0`,
    })}`;
}

/** The words of the query as typed. */
export const TERMS = sql`
  select q.i::integer as i, q.word as low, q.word || ${LAST} as high, q.word_end as whole_end,
    0 as typos
  from unnest(${inputOf('words')}, ${inputOf('ends')}) with ordinality as q(word, word_end, i)`;

/** Pairs of words as neighbours, and the words of short queries again, for more of their rows. */
const DEEP_TERMS = sql`
    select * from terms where cardinality(${inputOf('words')}) <= 3
    union all
    select ${PAIRS} * a.i + b.i, a.low || ' ' || b.low, a.low || ' ' || b.whole_end,
      a.low || ' ' || b.whole_end, 0
    from terms a join terms b on a.i <> b.i`;

/** The cost of a row: it has the word of the query, a longer word, or one with a typo. */
const COST = sql`100 * p.typos + case when s.text < p.whole_end then 0 else 5 end`;

/** Rows of the index for each of these texts. */
export function listsSql(plan: SearchPlan, texts: Sql, [wide, narrow]: readonly [Sql, Sql]): Sql {
  const arms = plan.scopes.flatMap(({ user_ids }, index) => {
    // The index by text has two parts, the one by person has not.
    const places = user_ids === undefined ? [sql`s.place = 0`, sql`s.place > 0`] : [sql`true`];
    return places.map((place) => {
      const rows = scopeRowsSql(plan, index, {
        rank: COST,
        where: sql`${place} and s.text >= p.low and s.text < p.high`,
        order: sql`s.text`,
        limit: user_ids === undefined ? wide : narrow,
      });
      return sql`select s.* from ${rows}`;
    });
  });
  return sql`select p.i, p.low, s.record_id, s.source, s.rank as cost, s.created_at
      from (${texts}) p cross join lateral (${unionAll(arms)}) s`;
}

/**
 * How many rows each text has: `whole` and `common` when there may be more than were read, of whole
 * words and of all, and the weight of the text, which is higher for rare ones.
 */
export function countsSql(texts: Sql, rows: Sql, most: Sql): Sql {
  return sql`
      select p.i, p.low, p.high, p.whole_end, p.typos,
        coalesce(n.wholes, 0) >= ${most} as whole, p.i < ${PAIRS} and coalesce(n.n, 0) >= ${most} as common,
        n.n > 0 as present, coalesce(n.wholes, 0) > 0 as known, case when coalesce(n.wholes, 0) >= ${most} then 1
          else ln(1 + 1000.0 / (1 + coalesce(n.wholes, 0))) end::float8 as weight
      from ${texts} p left join (
        select i, low, count(*) as n, count(*) filter (where cost % 100 = 0) as wholes
        from ${rows} l group by i, low) n on n.i = p.i and n.low = p.low`;
}

interface Closest {
  readonly name: string;
  /** As listsSql reads them; those of the part `deep` are read too when `deep` holds. */
  readonly rows: Sql;
  readonly deep: Sql;
  /** The part that countsSql makes of the texts of these rows. */
  readonly counts: Sql;
  /** So many records are scored, those with rare words first. */
  readonly most: Sql;
  /** So many words may be missing. */
  readonly spare: Sql;
}

/**
 * The part of this name: the records that have the words. Missing words cost most, rare ones more than common
 * ones; then typos; then words of the name that the query does not have.
 */
export function closestSql(plan: SearchPlan, { counts, rows, most, ...closest }: Closest): Sql {
  const { spare } = closest;
  const [known, near, name] = ['_known', '_near', ''].map((part) =>
    identifier(`${closest.name}${part}`),
  ) as [Sql, Sql, Sql];
  const search = identifier(plan.schema, '_search');
  const weights = sql`(select * from ${counts} union all select * from deep_counts where ${closest.deep}) w`;
  const total = sql`cardinality(${inputOf('words')})`;
  const rare = sql`select i from ${counts} where i < ${PAIRS} group by i having not bool_or(common)`;
  return sql`${known} as materialized (
      select l.record_id, l.i, min(l.source) as source, max(l.created_at) as created_at,
        min(l.cost) as cost,
        max(case l.cost % 100 when 0 then coalesce(n.weight, 1) else 0.5 end) as weight
      from (select * from ${rows} union all select * from deep where ${closest.deep}) l left join (
        select i, low, max(weight) as weight from ${weights} group by i, low) n
        on n.i = l.i and n.low = l.low
      group by l.record_id, l.i),
    ${near} as materialized (
      select k.record_id, min(k.source) as source, max(k.created_at) as created_at
      from ${known} k left join (${rare}) r on r.i = k.i group by k.record_id
      having count(r.i) >= (select count(*) from (${rare}) r) - ${spare}
      order by sum(k.weight) desc, max(k.created_at) desc limit ${most}),
    ${name} as materialized (
      select c.record_id, c.source, 4 + 10000 * (${total} - m.words)
        + 500 * ((select sum(weight) from ${counts} where typos = 0) - m.weight)
        + m.cost + least(m.others, 99) / 25.0 as rank, c.created_at
      from ${near} c join (
        select w.record_id, count(*) as words, sum(w.cost) as cost, sum(n.weight) as weight,
          min(w.cost) filter (where octet_length(n.low) >= ${LONG}) as least_cost, (
            select count(*) from ${search} s where s.record_id = w.record_id
              and s.source = any(${inputOf('displays')}::text[])) as others
        from (
          select record_id, i, min(cost) as cost from (
            select k.record_id, k.i, k.cost from ${near} c join ${known} k using (record_id)
            where k.i < ${PAIRS}
            union all
            select c.record_id, p.i, ${COST}
            from ${near} c join ${search} s on s.record_id = c.record_id
            join ${counts} p on p.common and s.text >= p.low and s.text < p.high
            where ${anyVisibleSql(plan)}) a group by record_id, i) w
        join ${counts} n on n.i = w.i and n.typos = 0 group by w.record_id) m
        on m.record_id = c.record_id
      where m.words = ${total} or m.words >= ${total} - ${spare} and m.least_cost = 0)`;
}

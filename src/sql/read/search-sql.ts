// The one statement of a search over all object types. It goes from good matches to poor ones, and a
// stage runs only when those before it found less than a page (D93). Pure text.
//
// No stage reads more than a bounded number of rows, however many there are: few matches are read all
// and sorted by age, of many the newest are read from an index by age. Only lists of words grow (D370).

import { PUBLIC_ID_KEY } from '../../model/definition/model.ts';
import { LONG_OF_HITS, type SearchPlan, type SearchTarget } from '../../plan/search/search-plan.ts';
import { EMPTY, identifier, joinSql, literal, type Sql, sql } from '../sql.ts';
import { measuredSql } from './measured-sql.ts';
import { looseSql } from './search-loose-sql.ts';
import { inputOf, inputSql, LAST, scopeRowsSql, unionAll } from './search-scope-sql.ts';
import { togetherSql } from './search-together-sql.ts';
import { allOf, reachSql } from './where-sql.ts';

/** The number of matches from which on they are read newest first instead of all. */
const MANY = sql`200`;
/** Matches that are read of each owner, for callers who see records of few owners. */
const MANY_OF_ONE = sql`200`;
/** Matches that a stage returns: a record may match more than once, and a page has at most 30. */
const SPARE = sql`90`;

/** The stages that look for the words as they follow each other. */
const PHRASES = ['exact', 'prefix', 'word'];

/**
 * Rows of `object_type`, `id`, `display`, `subtitle` and `public_id`, best first, with `refers_to` where references are
 * expanded: their values by key. Among its parameters are the places of the values of one search (`SearchSlot`).
 */
export function searchSql(plan: SearchPlan): Sql {
  const stages = [
    inputSql(plan),
    exactSql(plan),
    rangeSql(plan, PREFIX),
    rangeSql(plan, WORD),
    togetherSql(plan, { together: foundSql(PHRASES), begun: foundSql([...PHRASES, 'together']) }),
    looseSql(plan, foundSql([...PHRASES, 'together', 'begun'])),
    HITS,
  ];
  return sql`with ${joinSql(stages, ', ')} ${shownSql(plan)}`;
}

/** The shown columns of the hits, in their order. */
function shownSql({ targets, schema, size }: SearchPlan): Sql {
  const isExpanded = targets.some(({ expand }) => expand.length > 0);
  const found = unionAll(targets.map((target) => targetSql(schema, target, isExpanded)));
  const ranked = sql`select h.record_id as id, t.*, h.rank as _rank, h.created_at as _created_at
    from hits h cross join lateral (${found}) t`;
  const order = sql` order by t._rank, t._created_at desc, t.id desc`;
  const names = ['id', 'object_type', 'display', 'subtitle', 'public_id'];
  const all = isExpanded ? [...names, 'refers_to'] : names;
  if (size !== undefined)
    return measuredSql(ranked, { names: all, long: LONG_OF_HITS, order, size });
  const columns = all.map((name) => sql`t.${identifier(name)}`);
  return sql`select ${joinSql(columns, ', ')} from (${ranked}) t${order}`;
}

/** Each record once, by its best match. */
const HITS = sql`hits as (
      select record_id, source, rank, created_at from (
        select distinct on (record_id) * from (
          select * from exact union all select * from prefix
          union all select * from word union all select * from together
          union all select * from begun union all select * from loose) f
        order by record_id, rank, created_at desc) d
      order by rank, created_at desc, record_id desc limit ${inputOf('page')})`;

/** The whole display value first, then the whole of another searchable value. */
function exactSql(plan: SearchPlan): Sql {
  const display = {
    rank: sql`0`,
    where: sql`s.place = 0 and s.text = ${inputOf('phrase')}`,
    order: sql`s.created_at desc`,
    limit: SPARE,
  };
  const other = {
    ...display,
    rank: sql`1`,
    where: sql`s.place > 0 and s.place = 1 and s.text = w.text`,
  };
  const arms = plan.scopes.flatMap((_, index) => [
    sql`select s.* from ${scopeRowsSql(plan, index, display)}`,
    sql`select s.* from unnest(${inputOf('wholes')}) as w(text)
      cross join lateral ${scopeRowsSql(plan, index, other)}`,
  ]);
  return sql`exact as materialized (${unionAll(arms)})`;
}

interface Stage {
  readonly name: 'prefix' | 'word';
  readonly rank: Sql;
  readonly place: Sql;
  /** The prefixes of the texts. */
  readonly starts: Sql;
  /** The earlier stages. */
  readonly after: readonly string[];
}

const PREFIX: Stage = {
  name: 'prefix',
  rank: sql`2`,
  place: sql`s.place = 0`,
  starts: sql`array[${inputOf('phrase')}]`,
  after: ['exact'],
};

const WORD: Stage = {
  name: 'word',
  rank: sql`3`,
  place: sql`s.place > 0`,
  starts: inputOf('starts'),
  after: ['exact', 'prefix'],
};

/** Counts the records that these stages have found. */
function foundSql(stages: readonly string[]): Sql {
  const found = stages.map((name) => sql`select record_id from ${identifier(name)}`);
  return sql`(select count(distinct record_id) from (${unionAll(found)}) f)`;
}

/** Texts that begin with one of these: all when they are few, else the newest. */
function rangeSql(plan: SearchPlan, { name, rank, place, starts, after }: Stage): Sql {
  const few = identifier(`few_${name}`);
  const newest = sql`order by created_at desc limit ${SPARE}`;
  const begun = sql`unnest(${starts}) as w(start)`;
  const where = sql`${place} and s.text >= w.start and s.text < w.start || ${LAST}`;
  const probes = plan.scopes.map(({ user_ids }, index) => {
    const [wide, limit] = user_ids === undefined ? [sql`true`, MANY] : [sql`false`, MANY_OF_ONE];
    const rows = scopeRowsSql(plan, index, { rank, where, order: sql`s.text`, limit });
    return sql`select s.*, ${wide} as wide from ${begun} cross join lateral ${rows}`;
  });
  const byAge = {
    rank,
    where: sql`${where} and left(s.text, 2) = left(w.start, 2)`,
    order: sql`s.created_at desc`,
    limit: SPARE,
  };
  const walks = plan.scopes.flatMap(({ user_ids }, index) => {
    if (user_ids !== undefined) return [];
    const rows = scopeRowsSql(plan, index, byAge);
    return sql`select s.* from ${begun} cross join lateral ${rows}
      where (select count(*) from ${few} where wide) >= ${MANY}`;
  });
  const probed = sql`(select record_id, source, rank, created_at from ${few} ${newest})`;
  return sql`${few} as materialized (
      select * from (${unionAll(probes)}) s where ${foundSql(after)} < ${inputOf('page')}),
    ${identifier(name)} as materialized (${unionAll([probed, ...walks])})`;
}

function targetSql(
  schema: string,
  { object, reach, ...shown }: SearchTarget,
  isExpanded: boolean,
): Sql {
  const { object_type, search_name, singular_name, table } = object;
  const name = literal(singular_name);
  const subtitle =
    shown.subtitle === undefined
      ? name
      : sql`concat_ws(' · ', ${name}, t.${identifier(shown.subtitle.column)})`;
  const display =
    shown.display === undefined ? sql`null` : sql`t.${identifier(shown.display.column)}`;
  const references = shown.expand.flatMap(({ key, column }) => [
    sql`${literal(key)}`,
    sql`t.${identifier(column)}`,
  ]);
  const values = isExpanded
    ? sql`, jsonb_build_object(${joinSql(references, ', ')}) as refers_to`
    : EMPTY;
  const publicId = object.fields.has(PUBLIC_ID_KEY) ? sql`t.public_id` : sql`null::text`;
  return sql`select ${literal(object_type)} as object_type, ${display}::text as display, ${subtitle}::text as subtitle,
      ${publicId} as public_id${values}
    from ${identifier(schema, table)} t
    where split_part(h.source, '.', 1) = ${literal(search_name)} and t.id = h.record_id
      and ${allOf(reachSql(reach))}`;
}

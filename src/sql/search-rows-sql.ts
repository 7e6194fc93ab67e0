// The search rows of a write, as parts of the statement that writes the records: whoever sees the
// record finds it (D93). Pure text.

import { reachColumn } from '../model/access.ts';
import type { ObjectModel } from '../model/model.ts';
import type { SearchChange } from '../plan/search-rows.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';

/** Follows the part `changed`, which has `id` and `created_at` of the records as written. */
export function searchChangeSql(schema: string, change: SearchChange | undefined): Sql {
  if (change === undefined) return EMPTY;
  return joinSql(
    [
      ...(change.removed.length === 0 ? [] : [removedSql(schema, change)]),
      ...(change.rows.length === 0 ? [] : [sql`, ${addedSql(schema, change, sql`changed`)}`]),
    ],
    ' ',
  );
}

/** A statement of its own: rows of records that are there already. */
export function addSearchRowsSql(
  schema: string,
  table: string,
  change: Pick<SearchChange, 'rows' | 'words'>,
): Sql {
  return sql`with ${addedSql(schema, change, identifier(schema, table))} select`;
}

/** Forget words that no other record has: they are somebody's data (D54). */
function removedSql(schema: string, { removed, words }: SearchChange): Sql {
  const search = identifier(schema, '_search');
  const used = (place: Sql) => sql`not exists (
        select from ${search} s where ${place} and s.text >= g.word and s.text < g.word || '!'
          and not s.record_id = any(${removed}::uuid[]))`;
  return sql`, unindexed as (
      delete from ${search} where record_id = any(${removed}::uuid[]) returning text
    ), forgotten as (
      delete from ${identifier(schema, '_search_words')} w
      using (select distinct split_part(text, ' ', 1) as word from unindexed) g
      where w.word = g.word and not g.word = any(${words}::text[])
        and ${used(sql`s.place = 0`)} and ${used(sql`s.place > 0`)}
    )`;
}

function addedSql(
  schema: string,
  { rows, words }: Pick<SearchChange, 'rows' | 'words'>,
  records: Sql,
): Sql {
  const known = identifier(schema, '_search_words');
  return sql`indexed as (
      insert into ${identifier(schema, '_search')}
        (record_id, source, place, text, reach_user_id, created_at)
      select s.record_id, s.source, s.place, s.text, s.reach_user_id, c.created_at
      from unnest(${rows.map((row) => row.record_id)}::uuid[],
        ${rows.map((row) => row.source)}::text[], ${rows.map((row) => row.place)}::smallint[],
        ${rows.map((row) => row.text)}::text[], ${rows.map((row) => row.reach_user_id)}::integer[])
        as s(record_id, source, place, text, reach_user_id)
      join ${records} c on c.id = s.record_id
    ), learned as (
      insert into ${known} (variant, word)
      select v.variant, w.word from unnest(${words}::text[]) as w(word)
      cross join lateral ${identifier(CONTROL_SCHEMA, 'slips')}(w.word) as v(variant)
      where not exists (select from ${known} k where k.word = w.word)
    )`;
}

/** Forget the records of an object type. */
export function clearSearchSql(schema: string, { object_type }: ObjectModel): Sql {
  return sql`delete from ${identifier(schema, '_search')}
    where split_part(source, '.', 1) = ${object_type}`;
}

export interface SearchedPage {
  readonly after: string | null;
  readonly limit: number;
}

/** Records by id, with the columns that `searchRowsOf` reads. */
export function searchedRecordsSql(schema: string, object: ObjectModel, page: SearchedPage): Sql {
  const columns = new Set(['id', reachColumn(object)]);
  for (const { field } of object.searched) columns.add(field.column);
  const names = joinSql(
    [...columns].map((name) => identifier(name)),
    ', ',
  );
  const after = page.after === null ? EMPTY : sql` where id > ${page.after}::uuid`;
  return sql`select ${names} from ${identifier(schema, object.table)}${after}
    order by id limit ${page.limit}::integer`;
}

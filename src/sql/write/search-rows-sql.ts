// The statements that maintain the search index with the written records (D93). Pure text.

import type { ObjectModel } from '../../model/definition/model.ts';
import type { SearchChange } from '../../plan/search/search-rows.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';

type SearchedObject = Pick<ObjectModel, 'table' | 'search_name'>;

/** Index rows for existing records of an object. */
export function searchChangeSql(
  schema: string,
  object: SearchedObject,
  { removed, rows, words }: SearchChange,
): readonly Sql[] {
  return [
    ...(removed.length === 0 ? [] : removedSearchSql(schema, object, { removed, words })),
    ...(rows.length === 0 ? [] : addSearchRowsSql(schema, object.table, { rows, words })),
  ];
}

/** Delete rows, and words that no other record has: they are data of the deleted record (D54). */
function removedSearchSql(
  schema: string,
  object: SearchedObject,
  { removed, words }: Omit<SearchChange, 'rows'>,
): readonly Sql[] {
  const search = identifier(schema, '_search');
  const used = (place: Sql) => sql`not exists (
        select from ${search} s where ${place} and s.text >= g.word and s.text < g.word || '!'
          and not ${isOfRecordsSql(sql`s`, object, removed)})`;
  return [
    sql`delete from ${identifier(schema, '_search_words')} w
      using (select distinct split_part(text, ' ', 1) as word from ${search} o
        where ${isOfRecordsSql(sql`o`, object, removed)}) g
      where w.word = g.word and not g.word = any(${words}::text[])
        and ${used(sql`s.place = 0`)} and ${used(sql`s.place > 0`)}`,
    sql`delete from ${search} o where ${isOfRecordsSql(sql`o`, object, removed)}`,
  ];
}

/** True of the rows of records of the object. Objects may share ids (D590). */
function isOfRecordsSql(
  row: Sql,
  { search_name }: Pick<ObjectModel, 'search_name'>,
  ids: readonly string[],
): Sql {
  return sql`(${row}.record_id = any(${ids}::uuid[]) and split_part(${row}.source, '.', 1) = ${search_name}::text)`;
}

/** Insert the rows of existing records, and their words. */
export function addSearchRowsSql(
  schema: string,
  table: string,
  { rows, words }: Pick<SearchChange, 'rows' | 'words'>,
): readonly Sql[] {
  return [
    sql`insert into ${identifier(schema, '_search')}
        (record_id, source, place, text, reach_user_id, words, created_at)
      select s.record_id, s.source, s.place, s.text, s.reach_user_id, s.words::tsvector, c.created_at
      from unnest(${rows.map((row) => row.record_id)}::uuid[],
        ${rows.map((row) => row.source)}::text[], ${rows.map((row) => row.place)}::smallint[],
        ${rows.map((row) => row.text)}::text[], ${rows.map((row) => row.reach_user_id)}::integer[],
        ${rows.map((row) => row.words)}::text[])
        as s(record_id, source, place, text, reach_user_id, words)
      join ${identifier(schema, table)} c on c.id = s.record_id`,
    addSearchWordsSql(schema, words),
  ];
}

/** Insert the words that are not known. */
export function addSearchWordsSql(schema: string, words: readonly string[]): Sql {
  const known = identifier(schema, '_search_words');
  return sql`insert into ${known} (variant, word)
      select v.variant, w.word from unnest(${words}::text[]) as w(word)
      cross join lateral ${identifier(CONTROL_SCHEMA, 'slips')}(w.word) as v(variant)
      where not exists (select from ${known} k where k.word = w.word)`;
}

/** The columns of `_search`. */
export const SEARCH_COLUMNS: readonly string[] = [
  ...['record_id', 'source', 'place', 'text', 'reach_user_id', 'words', 'created_at'],
];

/** Where rows of `_search` are kept aside. */
export const STAGED_SEARCH = { schema: 'pg_temp', name: 'staged_search' } as const;

/** A table for rows of `_search`, until the transaction ends. */
export function stageSearchSql(schema: string): Sql {
  return sql`create temporary table ${identifier(STAGED_SEARCH.name)}
    (like ${identifier(schema, '_search')}) on commit drop`;
}

/** Put them into `_search`: rows that follow each other in its indexes cost a third less. */
export function placeStagedSearchSql(schema: string): Sql {
  const columns = joinSql(
    SEARCH_COLUMNS.map((column) => identifier(column)),
    ', ',
  );
  return sql`insert into ${identifier(schema, '_search')} (${columns})
    select ${columns} from ${identifier(STAGED_SEARCH.schema, STAGED_SEARCH.name)}
    order by text, created_at desc`;
}

/** Delete the rows whose `source` begins with this name: all of them, or those of these records. */
export function clearSearchSql(schema: string, name: string, ids?: readonly string[]): Sql {
  const own = ids === undefined ? EMPTY : sql` and record_id = any(${ids}::uuid[])`;
  return sql`delete from ${identifier(schema, '_search')}
    where split_part(source, '.', 1) = ${name}::text${own}`;
}

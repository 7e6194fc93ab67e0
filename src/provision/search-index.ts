// Fills the search index of records that are there already: after the migration that brought it, and
// when a definition changes what is searched. Every other row of it is written with its record.

import type { ObjectModel } from '../model/model.ts';
import { searchRowsOf } from '../plan/search-rows.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import {
  addSearchRowsSql,
  clearSearchSql,
  type SearchedPage,
  searchedRecordsSql,
} from '../sql/search-rows-sql.ts';

/** Records read and written at a time. */
const BATCH = 500;

/** Make the rows of an object anew; the caller sees to it that nobody writes meanwhile. */
export async function rebuildSearch(
  tx: Queryable,
  schema: string,
  object: ObjectModel,
): Promise<void> {
  await clearSearch(tx, schema, object);
  if (object.searched.length === 0) return;
  let after: string | null = null;
  for (;;) {
    const page: SearchedPage = { after, limit: BATCH };
    const records = await runOnce(tx, searchedRecordsSql(schema, object, page));
    const last = records[records.length - 1];
    if (last === undefined) return;
    const change = searchRowsOf(object, records);
    const statements = addSearchRowsSql(schema, object.table, change);
    if (change.rows.length > 0) for (const statement of statements) await runOnce(tx, statement);
    after = String(last.id);
  }
}

/** The records of this object are found no more. */
export async function clearSearch(
  tx: Queryable,
  schema: string,
  object: ObjectModel,
): Promise<void> {
  await runOnce(tx, clearSearchSql(schema, object));
}

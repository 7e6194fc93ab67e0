// Fills the search index of records that are there already: all at once in a restored file, and a few records at
// a time for a definition that is to come (search-builds.ts). Every other row of it is written with its record.

import type { ObjectModel } from '../../../model/definition/model.ts';
import type { Queryable, Row } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import { addSearchRowsSql, clearSearchSql } from '../../../sql/write/search-rows-sql.ts';
import { lastRecordSql, recordPageSql, recordsByIdSql } from '../../changes/build-sql.ts';
import { builtRowsOf, type SearchBuild, sameSearch } from '../../changes/search-build.ts';

/** Records read and written at a time. */
const PAGE = 500;

/** Rebuild the rows of an object; the caller prevents writes meanwhile. */
export async function rebuildSearch(
  tx: Queryable,
  schema: string,
  object: ObjectModel,
): Promise<void> {
  await runOnce(tx, clearSearchSql(schema, object.search_name));
  if (object.searched.length === 0) return;
  const build = sameSearch(object);
  const last = await loadLastRecord(tx, schema, object.table);
  if (last === null) return;
  let after: string | null | undefined = null;
  while (after !== undefined) after = await addPage(tx, schema, build, { after, last });
}

/** The highest id; null in an empty table. */
async function loadLastRecord(
  db: Queryable,
  schema: string,
  table: string,
): Promise<string | null> {
  const [row] = await runOnce(db, lastRecordSql(schema, table));
  return (row?.id ?? null) as string | null;
}

/** Add the rows of the next records; answers the last one of them, undefined when there was none. */
export async function addPage(
  tx: Queryable,
  schema: string,
  build: SearchBuild,
  place: { readonly after: string | null; readonly last: string },
): Promise<string | undefined> {
  const records = await runOnce(tx, recordPageSql(schema, build.read, { ...place, limit: PAGE }));
  await addRows(tx, schema, build, records);
  return records[records.length - 1]?.id as string | undefined;
}

/** Rebuild the rows of these records; deleted records have none. */
export async function replaceRows(
  tx: Queryable,
  schema: string,
  build: SearchBuild,
  ids: readonly string[],
): Promise<void> {
  await runOnce(tx, clearSearchSql(schema, build.object.search_name, ids));
  await addRows(tx, schema, build, await runOnce(tx, recordsByIdSql(schema, build.read, ids)));
}

async function addRows(
  tx: Queryable,
  schema: string,
  build: SearchBuild,
  records: readonly Row[],
): Promise<void> {
  const change = builtRowsOf(build, records);
  if (change.rows.length === 0) return;
  for (const statement of addSearchRowsSql(schema, build.object.table, change)) {
    await runOnce(tx, statement);
  }
}

// Deletes rows of the history of records: rows that are older than the definition says, and rows of objects
// that have no history now or had none meanwhile (docs/design/history.md). One statement for each kind of row.

import type { ObjectModel } from '../../model/definition/model.ts';
import type { FieldChange } from '../../model/definition/revision.ts';
import { historySince } from '../../plan/read/key-spans.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { historyTablesSql } from '../../sql/events/history-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../../sql/sql.ts';
import { loadFieldChanges } from '../workspace/definition-revisions.ts';
import { loadModel } from '../workspace/workspaces.ts';

interface SweptWorkspace {
  readonly id: number;
  readonly schema: string;
}

/** Delete at most so many rows of each object and kind; answers how many. */
export async function deleteOldHistory(
  db: Queryable,
  { id, schema }: SweptWorkspace,
  most: number,
): Promise<number> {
  const tables = await runOnce(db, historyTablesSql(schema));
  const model = tables.length === 0 ? undefined : await loadModel(db, id);
  if (model === undefined) return 0;
  const changes = await loadFieldChanges(db, schema, model.revision);
  const objects = new Map([...model.objects.values()].map((object) => [object.table, object]));
  let deleted = 0;
  for (const { table_name } of tables) {
    const object = objects.get(String(table_name));
    for (const where of doomedRows(schema, object, changes)) {
      const [row] = await runOnce(db, deleteSql(schema, { table_name, where, most }));
      deleted += Number(row?.gone);
    }
  }
  return deleted;
}

interface Doomed {
  readonly table_name: unknown;
  readonly where: Sql;
  readonly most: number;
}

/** The oldest rows first. Rows that other transactions lock stay for the next time. */
function deleteSql(schema: string, { table_name, where, most }: Doomed): Sql {
  const history = identifier(schema, '_history');
  return sql`with doomed as materialized (
      select t.record_id, t.revision from ${history} t where t.table_name = ${table_name}::text${where}
      order by t.at limit ${most}::integer for update of t skip locked),
    gone as (
      delete from ${history} h using doomed d where h.table_name = ${table_name}::text
        and h.record_id = d.record_id and h.revision = d.revision returning 1)
    select count(*) as gone from gone`;
}

/** Conditions on rows of an object, besides that they are its own. */
function doomedRows(
  schema: string,
  object: ObjectModel | undefined,
  changes: readonly FieldChange[],
): readonly Sql[] {
  if (object === undefined || object.history === null) return [EMPTY];
  const { days } = object.history;
  const since = historySince(object, changes);
  return [
    ...(days === null ? [] : [sql` and t.at < now() - make_interval(days => ${days}::integer)`]),
    ...(since === 0 ? [] : [before(schema, since)]),
  ];
}

/** Rows of a definition before this one; a transaction takes its time when it begins, so some are a little younger. */
function before(schema: string, revision: number): Sql {
  return sql` and t.definition < ${revision}::integer and t.at < (select d.applied_at + interval '1 day'
    from ${identifier(schema, '_definitions')} d where d.revision = ${revision}::integer)`;
}

// The locks that a change of the definition takes: at once, and before the data is looked at, so that nothing is
// written between the look and the change.

import type { Change } from '../model/change.ts';
import type { Renamed } from '../model/diff-renames.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, joinSql, type Sql, sql } from '../sql/sql.ts';

/** Tables that get another shape are closed; of those that only get other rows, nobody writes. */
export async function lockTables(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
  { tableBefore }: Pick<Renamed, 'tableBefore'>,
): Promise<void> {
  const changed = new Set(changes.flatMap(reshapedTables).map(tableBefore));
  const written = new Set(changes.flatMap(rewrittenTables).map(tableBefore));
  for (const change of changes) {
    for (const { object } of change.requirements) written.add(object.table);
  }
  const others = [...written].filter((table) => !changed.has(table));
  await lock(tx, schema, [...changed], sql`access exclusive`);
  await lock(tx, schema, others, sql`share row exclusive`);
}

async function lock(
  tx: Queryable,
  schema: string,
  tables: readonly string[],
  mode: Sql,
): Promise<void> {
  if (tables.length === 0) return;
  const names = [...tables].sort().map((table) => identifier(schema, table));
  await runOnce(tx, sql`lock table ${joinSql(names, ', ')} in ${mode} mode`);
}

/** Steps that only change what a table holds. */
const REWRITING: ReadonlySet<Change['kind']> = new Set(['index_search']);

function reshapedTables(change: Change): readonly string[] {
  if (!('object' in change) || change.kind === 'add_object' || isRewriting(change)) return [];
  return [change.object.table];
}

function rewrittenTables(change: Change): readonly string[] {
  switch (change.kind) {
    case 'rename_status':
      return change.places.map(({ object }) => object.table);
    case 'rename_relationship':
      return ['_links'];
    case 'rename_role':
      return ['_users'];
    default:
      return 'object' in change && isRewriting(change) ? [change.object.table] : [];
  }
}

function isRewriting(change: Change): boolean {
  const isInside = 'field' in change && change.field.storage === 'jsonb';
  const isKey = change.kind === 'rename_field' || change.kind === 'drop_field';
  return REWRITING.has(change.kind) || (isInside && isKey);
}

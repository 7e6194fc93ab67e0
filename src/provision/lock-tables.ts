// The locks that a change of the definition takes: at once, and before the data is looked at, so that nothing is
// written between the look and the change.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../model/change.ts';
import type { Renamed } from '../model/diff-renames.ts';
import { isDatabaseError, type Queryable } from '../postgres/db.ts';
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
  await lockPatiently(tx, [
    ...lockSql(schema, [...changed], sql`access exclusive`),
    ...lockSql(schema, others, sql`share row exclusive`),
  ]);
}

function lockSql(schema: string, tables: readonly string[], mode: Sql): readonly Sql[] {
  if (tables.length === 0) return [];
  const names = [...tables].sort().map((table) => identifier(schema, table));
  return [sql`lock table ${joinSql(names, ', ')} in ${mode} mode`];
}

/**
 * Milliseconds to wait for the locks at a time: everybody who wants the tables waits behind. In between they
 * are let through, behind whoever holds the locks up.
 */
const WAIT_MS = 400;
const PAUSE_MS = 200;
const ATTEMPTS = 10;

/** All locks or none. Errors: 55P03 when the tables are in use for too long. */
async function lockPatiently(tx: Queryable, locks: readonly Sql[]): Promise<void> {
  if (locks.length === 0) return;
  await runOnce(tx, sql`select set_config('lock_timeout', ${String(WAIT_MS)}, true)`);
  for (let attempt = 1; ; attempt += 1) {
    await runOnce(tx, sql`savepoint unlocked`);
    try {
      for (const lock of locks) await runOnce(tx, lock);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS || !isDatabaseError(error) || error.code !== '55P03') throw error;
      await runOnce(tx, sql`rollback to savepoint unlocked`);
      await sleep(PAUSE_MS);
    }
  }
  await runOnce(tx, sql`release savepoint unlocked`);
}

function reshapedTables(change: Change): readonly string[] {
  const stays = change.kind === 'add_object' || change.kind === 'index_search';
  if (!('object' in change) || stays || isWithin(change)) return [];
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
      return [];
  }
}

/** Of a field within `custom_fields` that goes or has another key, the definition alone says so. */
function isWithin(change: Change): boolean {
  const isKey = change.kind === 'rename_field' || change.kind === 'drop_field';
  return isKey && change.field.storage === 'jsonb';
}

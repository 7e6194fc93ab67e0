// Unique indexes by what values are equal by, which values of before can stand against (D267): what guarded the values
// themselves stays until they are changed, and people are told.

import type { WorkspaceModel } from '../../model/model.ts';
import { isDatabaseError, type Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import {
  createIndexSql,
  dropIndexSql,
  indexesOf,
  substitutesOf,
  type TableIndex,
} from '../../sql/index-sql.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';

/** The files, and kinds of indexes, that each schema has. */
export const APPLIED = identifier(CONTROL_SCHEMA, 'migrations');
/** Stands there of workspaces whose tables have their indexes by what values are equal by (D267). */
export const EQUAL_INDEXES = 'equal indexes';

/** Values stand against an index by what they are equal by: every start tries it again. */
export async function noteUndone(tx: Queryable, schema: string): Promise<void> {
  await runOnce(
    tx,
    sql`delete from ${APPLIED} where schema_name = ${schema} and file = ${EQUAL_INDEXES}`,
  );
}

/** False when values stand against an index that others stand for. */
export async function isBuilt(
  build: Promise<void>,
  substitutes: readonly TableIndex[],
): Promise<boolean> {
  try {
    await build;
    return true;
  } catch (error) {
    if (substitutes.length > 0 && isDatabaseError(error) && error.code === '23505') return false;
    throw error;
  }
}

/**
 * In tables that were filled with what stands for them; false when values stand against one, or its column only comes
 * with a migration.
 */
export async function replaceSubstitutes(
  tx: Queryable,
  { schema, objects }: WorkspaceModel,
  lacking: readonly { readonly table: string; readonly column: string }[],
): Promise<boolean> {
  let isDone = true;
  for (const index of [...objects.values()].flatMap(indexesOf)) {
    const substitutes = substitutesOf(index);
    if (substitutes.length === 0) continue;
    if (lacking.some(({ table, column }) => index.table === table && index.column === column)) {
      isDone = false;
      continue;
    }
    await runOnce(tx, sql`savepoint replacing`);
    const build = runOnce(tx, createIndexSql(schema, index, {})).then(() => undefined);
    if (await isBuilt(build, substitutes)) {
      for (const { name } of substitutes) await runOnce(tx, dropIndexSql(schema, name));
    } else {
      await runOnce(tx, sql`rollback to savepoint replacing`);
      isDone = false;
    }
    await runOnce(tx, sql`release savepoint replacing`);
  }
  return isDone;
}

/** What to tell of it. */
export function describeUndone({ table, column }: TableIndex): string {
  return (
    `${table}.${column} is not unique: records have values that are equal but written ` +
    'differently. Until you change them, and restart the service or apply the definition again, ' +
    'only identical values are refused.'
  );
}

// Fills a table without its indexes and builds them afterwards, which takes less of PostgreSQL than keeping them.

import type { OwnDatabase } from '../own-database.ts';

/** Those of constraints stay. */
export async function withoutIndexes(
  { rows }: OwnDatabase,
  [schema, table]: readonly [schema: string, table: string],
  fill: () => Promise<unknown>,
): Promise<void> {
  const indexes = await rows(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as text from pg_indexes
      where schemaname = $1 and tablename = $2 and not exists (select from pg_constraint
        where conindid = format('%I.%I', schemaname, indexname)::regclass)`,
    [schema, table],
  );
  for (const { name } of indexes) await rows(`drop index ${name}`);
  await fill();
  for (const { text } of indexes) await rows(String(text));
}

// The values of rollups: one statement for each reference of a page, whatever rows the page has, all at once. Rollups of
// the same reference share it.

import type { PlannedRollup, ReadPlan } from '../../../plan/read/read-plan.ts';
import type { Row } from '../../../postgres/db.ts';
import { rollupsSql } from '../../../sql/read/rollup-sql.ts';
import { toStatement } from '../../../sql/sql.ts';
import { type ReadContext, readShared } from './read-statement.ts';

/** The rows with the rollups of the plan. */
export async function readRollups(
  context: ReadContext,
  { rollups = [] }: Pick<ReadPlan, 'rollups'>,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (rollups.length === 0 || rows.length === 0) return rows;
  const ids = rows.map(({ id }) => id as string);
  const byReference = new Map<string, [PlannedRollup, ...PlannedRollup[]]>();
  for (const planned of rollups) {
    const name = JSON.stringify(planned.rollup.rollup.reference);
    byReference.set(name, [planned, ...(byReference.get(name) ?? [])]);
  }
  const parts = await Promise.all(
    [...byReference.values()].map(async (some) => {
      const statement = toStatement(rollupsSql(some, ids));
      const found = await readShared(context, statement);
      return new Map(found.map(({ id, ...values }) => [id, values]));
    }),
  );
  const counts = rollups.filter(({ value }) => value === undefined);
  const none = Object.fromEntries(counts.map(({ rollup }) => [rollup.column, 0]));
  return rows.map((row) => Object.assign({}, none, row, ...parts.map((part) => part.get(row.id))));
}

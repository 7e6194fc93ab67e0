// Values that were refused after their row was built, because of other records: the mapping may leave them out as well.

import type { ImportPlan } from '../mapping/compile-mapping.ts';
import { type BuiltRow, withoutFields } from './build-rows.ts';
import type { RowProblem } from './read-rows.ts';

/** The row without the refused values; undefined when one of the problems rejects it all the same. */
export function withoutRefused(
  plan: ImportPlan,
  built: BuiltRow,
  problems: readonly RowProblem[],
): BuiltRow | undefined {
  const given = new Set([...built.values.keys()].map(({ field }) => field.storage_key));
  const refused = problems.map(({ field }) => field).filter((field) => !built.promised.has(field));
  const isLeftOut = (field: string) => plan.leftOut.has(field) && given.has(field);
  if (refused.length === 0 || !refused.every(isLeftOut)) return undefined;
  return withoutFields(plan, built, new Set(refused));
}

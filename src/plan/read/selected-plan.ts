// The records that a query finds at one moment: what bulk changes and exports are made of. Pure.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import { planList, type ReadPlan } from './read-plan.ts';
import type { RecordQuery } from './record-query.ts';
import { isRelative, whereAt } from './where.ts';

/** The caller, and the clock of relative times: milliseconds since 1970. */
interface Selecting {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly now?: (() => number) | undefined;
}

/** A plan of their first page. Throws what `planList` does. */
export function planSelected(
  { model, caller, now }: Selecting,
  object: ObjectModel,
  query: RecordQuery,
  limit: number,
): ReadPlan {
  const request = { endpoint: 'bulk', query, limit, cursor: undefined };
  const plan = planList(model, caller, object, request);
  if (!isRelative(plan.where)) return plan;
  if (now === undefined) throw new Error('a question about now without a clock');
  return { ...plan, where: whereAt(plan.where, now() / 1000) };
}

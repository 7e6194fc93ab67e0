// Optimistic creates: they assume that the records and users they name exist, and the insert checks it, so that a create
// takes one round trip (docs/design/transactions.md, D100).

import type { ObjectModel } from '../../model/definition/model.ts';
import { writesFiles } from '../../plan/write/file-values.ts';
import { treeStrength } from '../../plan/write/work-items.ts';
import type { WritePlan } from '../../plan/write/write-operation.ts';
import { type LookupResults, NO_LOOKUP_RESULTS } from '../../plan/write/write-validation.ts';
import type { Sql } from '../../sql/sql.ts';
import { type OptimisticLookup, optimisticCheckSql } from '../../sql/write/lookup-sql.ts';
import { referencedRecords, referencedUsers, takesAnybody } from './lookups.ts';

/**
 * The references and users that creates assume to exist; the insert checks them itself. Undefined when the
 * plan has other operations or work items with a parent, which must look up first.
 */
export function optimisticLookupOf(plan: WritePlan): OptimisticLookup | undefined {
  if (plan.writes.some(({ operation }) => operation.action !== 'create')) return undefined;
  if (treeStrength(plan) !== undefined || writesFiles(plan)) return undefined;
  const [references, users] = [referencedRecords(plan), referencedUsers(plan)];
  return { references, users, anybody: takesAnybody(plan) };
}

export const NO_OPTIMISTIC_LOOKUP: OptimisticLookup = { references: [], users: [], anybody: false };

export function needsLookupCheck({
  references,
  users,
}: OptimisticLookup = NO_OPTIMISTIC_LOOKUP): boolean {
  return references.length > 0 || users.length > 0;
}

/** A condition that holds when all assumed references and users exist; undefined without any. */
export function optimisticCheckOf(
  schema: string,
  all: readonly OptimisticLookup[],
): Sql | undefined {
  const wanted = new Map<ObjectModel, OptimisticLookup['references'][number]>();
  for (const { object, ids, reaches } of all.flatMap(({ references }) => references)) {
    const known = wanted.get(object) ?? { object, ids: [], reaches: [] };
    const merged = { ids: known.ids.concat(ids), reaches: known.reaches.concat(reaches) };
    wanted.set(object, { object, ...merged });
  }
  const users = [...new Set(all.flatMap((one) => one.users))];
  const anybody = all.some((one) => one.anybody);
  const optimisticCheck = { references: [...wanted.values()], users, anybody };
  return needsLookupCheck(optimisticCheck)
    ? optimisticCheckSql(schema, optimisticCheck)
    : undefined;
}

/** The results of an optimistic write: everything it assumes exists. */
export function optimisticResults({
  references,
  users,
}: Pick<OptimisticLookup, 'references' | 'users'>): LookupResults {
  const lookedUp = references.map(({ object, ids }) => [object.object_type, new Set(ids)] as const);
  return { ...NO_LOOKUP_RESULTS, references: new Map(lookedUp), activeUsers: new Set(users) };
}

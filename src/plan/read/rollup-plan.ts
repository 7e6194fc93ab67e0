// The decision behind rollups: fields that are computed from the records that refer to those of a page. The rights of
// the caller have been compiled with the readable fields (computed-rights.ts). Pure.

import type { Problems } from '../../errors.ts';
import type { ObjectModel, Rollup, WorkspaceModel } from '../../model/definition/model.ts';
import { canReadField, type Planner } from '../../model/rights/access.ts';
import { basePlan, type PlannedRollup, planGet, type ReadPlan } from './read-plan.ts';
import type { KeyScope } from './resolve-field.ts';
import { planWhere } from './where.ts';

/** Plan the retrieval of single records with their rollups; `fields` undefined means every readable field. */
export function planRecord(
  model: WorkspaceModel,
  caller: Planner,
  object: ObjectModel,
  {
    ids,
    fields,
  }: { readonly ids: readonly string[]; readonly fields: readonly string[] | undefined },
): ReadPlan {
  const { stored, computed } = splitFields(object, fields);
  const plan = planGet(model, caller, object, { ids, fields: stored });
  const keys = fields === undefined ? [...object.rollups.keys()] : computed;
  return withRollups({ model, caller, object }, plan, keys);
}

/** The keys of fields with a column or another place of their own, and those of rollups. */
export function splitFields({ rollups }: ObjectModel, keys: readonly string[] | undefined) {
  const stored = keys?.filter((key) => !rollups.has(key));
  return { stored, computed: keys?.filter((key) => rollups.has(key)) ?? [] };
}

/** The plan with these rollups; one that the caller may not read is left out, as other fields are (D37). */
export function withRollups(scope: KeyScope, plan: ReadPlan, keys: readonly string[]): ReadPlan {
  const { caller, object } = scope;
  const rollups = [...new Set(keys)].flatMap((key) => {
    const rollup = object.rollups.get(key);
    return rollup !== undefined && canReadField(caller, object, rollup)
      ? [planRollup(scope, rollup)]
      : [];
  });
  if (rollups.length === 0) return plan;
  const bound = rollups.map(({ rollup }) => rollup.key);
  return { ...plan, rollups, binding: `${plan.binding} ${JSON.stringify(bound)}` };
}

function planRollup({ model, caller }: KeyScope, rollup: Rollup): PlannedRollup {
  const { reference, field, where = [] } = rollup.rollup;
  const other = model.objects.get(reference.object_type);
  const referring = other?.fields.get(reference.field);
  if (other === undefined || referring === undefined) throw new Error('a rollup of no reference');
  const conditions = where.map((condition) => ({
    ...{ ...condition, param: '', text: false },
    extended: { timezone: 'UTC' },
  }));
  const problems: Problems = [];
  const scope = { model, caller, object: other };
  const planned = planWhere(scope, { all: conditions }, problems);
  if (problems.length > 0) throw new Error(`a rollup of wrong conditions: ${rollup.key}`);
  return {
    rollup,
    source: { ...basePlan(model, caller, other), where: planned },
    reference: referring,
    value: field === undefined ? undefined : other.fields.get(field),
  };
}

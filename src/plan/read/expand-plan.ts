// The decision behind expanded references: whose records a page shows besides its own, within which reach and
// with which fields. Each object is judged by the caller's own rights on it. Pure.

import { errorFromProblems, type Problems, shownName } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { canReadField, canReadObject, type Planner } from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import {
  basePlan,
  type Expansion,
  type ListRequest,
  planList,
  type ReadPlan,
} from './read-plan.ts';
import type { ExpandInput } from './record-query.ts';
import { type KeyScope, unknownField } from './resolve-field.ts';
import { splitFields, withRollups } from './rollup-plan.ts';

/** Plan one page of records with the records they refer to. Throws the errors of `planList`. */
export function planExpanded(
  model: WorkspaceModel,
  caller: Planner,
  object: ObjectModel,
  request: ListRequest,
): ReadPlan {
  const scope = { model, caller, object };
  const { query } = request;
  const { stored, computed } = splitFields(object, query.fields ?? undefined);
  const asked = computed.length === 0 ? query : { ...query, fields: stored ?? null };
  const plan = planList(model, caller, object, { ...request, query: asked });
  return withExpansions(scope, withRollups(scope, plan, computed), query.expand);
}

/** The plan with these references expanded. Throws `invalid_filter`. */
function withExpansions(scope: KeyScope, plan: ReadPlan, inputs: readonly ExpandInput[]): ReadPlan {
  if (inputs.length === 0) return plan;
  const problems: Problems = [];
  const expand = inputs.flatMap((input) => planExpansion(scope, input, problems));
  if (problems.length > 0) throw errorFromProblems(problems);
  const bound = inputs.map(({ field, fields }) => [field, fields]);
  return { ...plan, expand, binding: `${plan.binding} ${JSON.stringify(bound)}` };
}

/** A reference that the caller may not read is left out, as it is under `fields` (D37). */
function planExpansion(
  scope: KeyScope,
  input: ExpandInput,
  problems: Problems,
): readonly Expansion[] {
  const { caller, object } = scope;
  const refuse = (message: Message) => {
    problems.push({ param: input.param, code: 'invalid_filter', message });
    return [];
  };
  const field = object.fields.get(input.field);
  if (field === undefined) return refuse(unknownField(input.field));
  if (!canReadField(caller, object, field)) return [];
  const kind = FIELD_TYPE_TRAITS[field.type].refersTo;
  if (kind === undefined) return refuse(say('expand_not_reference'));
  const { key, column } = field;
  if (kind === 'record')
    return [{ key, column, target: planTarget(scope, { input, field }, problems) }];
  if (input.fields !== null) return refuse(say('expand_person_fields'));
  // All routes that show people need this scope.
  return [{ key, column, target: caller.scopes.has('users:read') ? 'user' : undefined }];
}

function planTarget(
  { model, caller }: KeyScope,
  { input, field }: { readonly input: ExpandInput; readonly field: Field },
  problems: Problems,
): ReadPlan | undefined {
  const target = model.objects.get(field.reference_object_type ?? '');
  if (target === undefined || !canReadObject(caller, target)) return undefined;
  const base = basePlan(model, caller, target);
  if (input.fields === null) return base;
  const fields = [...new Set(input.fields)].flatMap((key) => {
    const targetField = target.fields.get(key);
    if (targetField === undefined) {
      const message = unknownField(`${input.field}.${key}`);
      problems.push({ param: 'fields', code: 'invalid_filter', message });
      return [];
    }
    return canReadField(caller, target, targetField) ? [targetField] : [];
  });
  return { ...base, fields };
}

/**
 * The expansions of hits of any object: for each object, the fields that it has. A key that no readable object has is
 * `invalid_filter`.
 */
export function planHitExpansions(
  model: WorkspaceModel,
  caller: Planner,
  inputs: readonly ExpandInput[],
): (object: ObjectModel) => readonly Expansion[] {
  const problems: Problems = [];
  const readable = [...model.objects.values()].filter((object) => canReadObject(caller, object));
  const isRelated = (object: ObjectModel, key: string) => {
    const field = object.fields.get(key);
    return field !== undefined && FIELD_TYPE_TRAITS[field.type].refersTo !== undefined;
  };
  for (const { param, field } of inputs) {
    if (readable.some((object) => isRelated(object, field))) continue;
    const message = say('expand_unknown', { field: JSON.stringify(shownName(field)) });
    problems.push({ param, code: 'invalid_filter', message });
  }
  if (problems.length > 0) throw errorFromProblems(problems);
  return (object) =>
    inputs
      .filter(({ field }) => isRelated(object, field))
      .flatMap((input) => planExpansion({ model, caller, object }, input, problems));
}

// The selection of records as a tree: all, any and not over conditions. A request has plain JSON with keys and
// operands; a plan has the fields the caller may read and canonical values. Pure.

import type { Problems } from '../../errors.ts';
import { placeOf, planCondition } from './condition.ts';
import type { Condition, ConditionInput } from './filter.ts';
import { isRelativeTime } from './relative-time.ts';
import { type KeyScope, resolvePath } from './resolve-field.ts';

/**
 * Records for which all, any, or not are true; all of none is every record, any of none is no record. `not` is true
 * wherever its part is not true, nulls included.
 */
type Tree<Leaf> =
  | { readonly all: readonly Tree<Leaf>[] }
  | { readonly any: readonly Tree<Leaf>[] }
  | { readonly not: Tree<Leaf> }
  | Leaf;

export type WhereInput = Tree<ConditionInput>;

export type Where = Tree<Condition>;

export const EVERYTHING = Object.freeze({ all: Object.freeze([]) });

/** A part that cannot be planned is a problem; a condition without a match takes its place. */
const NOTHING: Where = Object.freeze({ any: Object.freeze([]) });

/** Resolve the fields of a tree and give its values their types. */
export function planWhere(scope: KeyScope, input: WhereInput, problems: Problems): Where {
  if ('field' in input) {
    const { field: key, through } = input;
    const param = placeOf(input, 'field');
    const field = resolvePath(scope, { param, key, through }, problems);
    if (field === undefined) return NOTHING;
    const { caller } = scope;
    const object = field.join?.object ?? scope.object;
    return planCondition({ input, field, object, caller }, problems) ?? NOTHING;
  }
  const planned = (part: WhereInput) => planWhere(scope, part, problems);
  if ('all' in input) return { all: input.all.map(planned) };
  if ('any' in input) return { any: input.any.map(planned) };
  return { not: planned(input.not) };
}

/** True when it has no condition. */
export function isEverything(where: Where): boolean {
  return 'all' in where && where.all.every(isEverything);
}

/** The conditions of a tree, in its order. */
export function conditionsOf<Leaf extends Condition | ConditionInput>(
  where: Tree<Leaf>,
): readonly Leaf[] {
  if ('field' in where) return [where];
  if ('not' in where) return conditionsOf(where.not);
  return ('all' in where ? where.all : where.any).flatMap(conditionsOf);
}

/** True when it means something else at another moment. */
export function isRelative(where: Where): boolean {
  return conditionsOf(where).some(({ value }) => [value].flat().some(isRelativeTime));
}

/** The tree as seen from a moment, in seconds since 1970. */
export function whereAt(where: Where, moment: number): Where {
  if ('all' in where) return { all: where.all.map((part) => whereAt(part, moment)) };
  if ('any' in where) return { any: where.any.map((part) => whereAt(part, moment)) };
  if ('not' in where) return { not: whereAt(where.not, moment) };
  const { value } = where;
  const seen = (one: unknown) => (isRelativeTime(one) ? { ...one, moment } : one);
  return { ...where, value: Array.isArray(value) ? value.map(seen) : seen(value) };
}

/** The parts of which all must be true. */
export function partsOf(where: Where): readonly Where[] {
  return 'all' in where ? where.all : [where];
}

/** The binding of cursors: a list of the parts. */
export function boundWhere(where: Where): readonly unknown[] {
  return partsOf(where).map(bound);
}

function bound(where: Where): unknown {
  if ('field' in where) return [where.field.key, where.op, where.said ?? where.value];
  if ('not' in where) return { not: bound(where.not) };
  return 'all' in where ? { all: where.all.map(bound) } : { any: where.any.map(bound) };
}

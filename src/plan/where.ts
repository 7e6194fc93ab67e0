// Which records, as a tree: all, any and not over conditions. A request has plain JSON
// with keys and operands; a plan has the fields the caller may read and canonical values. Pure.

import { placeOf, planCondition } from './condition.ts';
import type { Condition, ConditionInput, Problems } from './filter.ts';
import { type KeyScope, resolvePath } from './resolve-field.ts';

/**
 * Records for which all, any, or not are true; all of none is every record, any of none is no
 * record.
 */
export type WhereInput =
  | { readonly all: readonly WhereInput[] }
  | { readonly any: readonly WhereInput[] }
  | { readonly not: WhereInput }
  | ConditionInput;

/** `not` is true wherever its part is not true, nulls included. */
export type Where =
  | { readonly all: readonly Where[] }
  | { readonly any: readonly Where[] }
  | { readonly not: Where }
  | Condition;

export const EVERYTHING = Object.freeze({ all: Object.freeze([]) });

/**
 * A part that cannot be planned is a problem; its place is taken by a part that matches nothing.
 */
const NOTHING: Where = Object.freeze({ any: Object.freeze([]) });

/** Resolve the fields of a tree and give its values their types. */
export function planWhere(scope: KeyScope, input: WhereInput, problems: Problems): Where {
  if ('field' in input) {
    const { field: key, through } = input;
    const param = placeOf(input, 'field');
    const field = resolvePath(scope, { param, key, through }, problems);
    const { caller } = scope;
    return (field && planCondition({ input, field, caller }, problems)) ?? NOTHING;
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

/** The parts of which all must be true. */
export function partsOf(where: Where): readonly Where[] {
  return 'all' in where ? where.all : [where];
}

/** The binding of cursors: a list of the parts. */
export function boundWhere(where: Where): readonly unknown[] {
  return partsOf(where).map(bound);
}

function bound(where: Where): unknown {
  if ('field' in where) return [where.field.key, where.op, where.value];
  if ('not' in where) return { not: bound(where.not) };
  return 'all' in where ? { all: where.all.map(bound) } : { any: where.any.map(bound) };
}

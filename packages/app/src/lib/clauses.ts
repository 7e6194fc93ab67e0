// The clauses that people build from conditions: one, any of some, or the negation of these. Trees of other forms are
// kept as they are. Pure.

import type { Where } from '@workspace-records/client';
import { type Condition, isCondition } from './where.ts';

/** Conditions of which at least one is true, or none when negated. */
export interface Clause {
  readonly conditions: readonly Condition[];
  readonly isNegated: boolean;
}

/** Undefined: of another form. */
export function clauseOf(part: Where): Clause | undefined {
  if ('field' in part) return { conditions: [part], isNegated: false };
  if ('not' in part) {
    const inner = clauseOf(part.not);
    return inner === undefined || inner.isNegated ? undefined : { ...inner, isNegated: true };
  }
  if ('all' in part || part.any.length === 0 || !part.any.every(isCondition)) return undefined;
  return { conditions: part.any, isNegated: false };
}

export function partOf({ conditions, isNegated }: Clause): Where {
  const [first] = conditions;
  const part: Where =
    conditions.length === 1 && first !== undefined ? first : { any: [...conditions] };
  return isNegated ? { not: part } : part;
}

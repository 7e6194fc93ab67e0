// The plan cache: the same person asks the same questions again and again. A caller is made anew whenever
// their rights or the definition change (authenticate.ts), and with them all of this. It holds plans, which
// are inert, and nothing that is under way.

import { LRUCache } from 'lru-cache';
import type { Caller } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';

/** Some 8 kB each. */
const CACHED_PLANS = 1000;
/** Longer questions are rarely asked twice, and would fill the memory. */
const LONGEST_QUESTION = 2000;

interface CachedPlan {
  readonly model: WorkspaceModel;
  readonly plan: unknown;
}

const plans = new LRUCache<string, CachedPlan>({ max: CACHED_PLANS });
const numbers = new WeakMap<Caller, number>();
let lastNumber = 0;

/** What `make` made when this caller asked the same `question` before; failures are not kept. */
export function cachedPlan<Plan>(
  { model, caller }: { readonly model: WorkspaceModel; readonly caller: Caller },
  question: string,
  make: () => Plan,
): Plan {
  if (question.length > LONGEST_QUESTION) return make();
  const key = `${numberOf(caller)} ${question}`;
  const cached = plans.get(key);
  if (cached?.model === model) return cached.plan as Plan;
  const plan = make();
  plans.set(key, { model, plan });
  return plan;
}

function numberOf(caller: Caller): number {
  const known = numbers.get(caller);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(caller, lastNumber);
  return lastNumber;
}

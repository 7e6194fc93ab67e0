// The plan cache: callers repeat the same requests, and planning them again would give the same plan. The key
// has the caller, who is a new object whenever their rights or the definition change (authenticate.ts), so
// entries never have to be invalidated. It holds inert plans only.

import { LRUCache } from 'lru-cache';
import type { Caller } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';

/** Plans in the cache, some 8 kB each. */
const CACHED_PLANS = 1000;
/** Longer keys are rarely repeated, and would fill the memory. */
const LONGEST_QUESTION = 2000;

interface CachedPlan {
  readonly model: WorkspaceModel;
  readonly plan: unknown;
}

const plans = new LRUCache<string, CachedPlan>({ max: CACHED_PLANS });
const numbers = new WeakMap<Caller, number>();
let lastNumber = 0;

/** The plan that `make` made for the same caller and `question` before; failures are not cached. */
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

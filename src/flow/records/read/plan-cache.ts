// The plan cache: equal questions are frequent, and planning them again would give the same plan. The key has the
// rights of the caller, and their identity only where the plan depends on it. It holds inert plans only.

import { LRUCache } from 'lru-cache';
import type { WorkspaceModel } from '../../../model/definition/model.ts';
import type { Access, Caller, Planner } from '../../../model/rights/access.ts';

/** Plans in the cache, some 8 kB each. */
const CACHED_PLANS = 1000;
/** The length of the longest key: longer ones are rarely repeated, and would fill the memory. */
const LONGEST_QUESTION = 2000;

interface CachedPlan {
  readonly model: WorkspaceModel;
  /** `PERSONAL`: the plan is stored under the key of the person. */
  readonly plan: unknown;
}

const PERSONAL = Symbol('personal');

const plans = new LRUCache<string, CachedPlan>({ max: CACHED_PLANS });

/**
 * The cached plan of `make` for the same `question`, the same rights and, where it read more of the caller than their
 * rights, the same person. `make` must use the caller that it gets as its argument. Failures are not cached.
 */
export function cachedPlan<Plan>(
  { model, caller }: { readonly model: WorkspaceModel; readonly caller: Caller },
  question: string,
  make: (caller: Planner) => Plan,
): Plan {
  if (question.length > LONGEST_QUESTION) return make(caller);
  const { rights, person } = keysOf(caller);
  const general = `${rights} ${question}`;
  const known = plans.get(general);
  const isKnown = known?.model === model;
  if (isKnown && known.plan !== PERSONAL) return known.plan as Plan;
  const personal = `${rights} ${person} ${question}`;
  const own = isKnown ? plans.get(personal) : undefined;
  if (own?.model === model) return own.plan as Plan;
  const { planner, isPersonal } = watched(caller);
  const plan = make(planner);
  if (isPersonal()) plans.set(personal, { model, plan });
  plans.set(general, { model, plan: isPersonal() ? PERSONAL : plan });
  return plan;
}

/** The caller as plans see them, and whether the plan read their identity. */
function watched({ access, scopes, user, colleague_ids }: Caller) {
  let isAsked = false;
  const planner: Planner = {
    access,
    scopes,
    get user() {
      isAsked = true;
      return user;
    },
    get colleague_ids() {
      isAsked = true;
      return colleague_ids;
    },
  };
  return { planner, isPersonal: () => isAsked };
}

interface Keys {
  readonly rights: string;
  readonly person: string;
}

const keys = new WeakMap<Caller, Keys>();

/** A caller never changes: other rights or teams make another one. */
function keysOf(caller: Caller): Keys {
  const known = keys.get(caller);
  if (known !== undefined) return known;
  const { access, scopes, user, colleague_ids } = caller;
  const callerKeys = {
    rights: `${numberOf(access)} ${[...scopes].sort()}`,
    person: `${user.id} ${colleague_ids}`,
  };
  keys.set(caller, callerKeys);
  return callerKeys;
}

/** The rights of a set of roles are one object for each model, so that the number identifies the definition as well. */
const numbers = new WeakMap<Access, number>();
let lastNumber = 0;

function numberOf(access: Access): number {
  const known = numbers.get(access);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(access, lastNumber);
  return lastNumber;
}

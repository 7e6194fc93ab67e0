// Single writes of one kind that a caller sends at the same time share a transaction (docs/decisions.md,
// D138, D140). Here is who waits for whom, and what becomes of those that cannot be together; what they
// write is the business of those who ask.

import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { isDatabaseError } from '../store/db.ts';
import { gather, SHARED } from '../store/gather.ts';
import { keepPlan } from './kept-plans.ts';

/** What became of one of several writes; undefined when it has to go on its own. */
export type Outcome<Result> = PromiseSettledResult<Result> | undefined;

/** How writes of one kind go. Both ways know of a write only what is in its item. */
export interface Ways<Item, Result> {
  /** Two or more in one transaction, the outcomes in their order. */
  together(items: readonly Item[]): Promise<readonly Outcome<Result>[]>;
  alone(item: Item): Promise<Result>;
  /** Of writes with the same name one goes at a time. */
  readonly named?: (item: Item) => string;
}

/** Whoever waits for one waits for all of them. */
const MOST = 20;

/** Write the item together with others that have the same caller and `kind`. */
export async function writeTogether<Item, Result>(
  whose: { readonly model: WorkspaceModel; readonly caller: Caller },
  kind: string,
  ways: Ways<Item, Result>,
  item: Item,
): Promise<Result> {
  const { named } = ways;
  const options = { ...SHARED, most: MOST, ...(named && { named }) };
  const write = keepPlan(whose, `write ${kind}`, () =>
    gather((items: readonly Item[]) => writeAll(ways, items), options),
  );
  const outcome = await write(item);
  if (outcome === undefined) return ways.alone(item);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** When anything is wrong with one, each goes on its own: nobody fails for another. */
async function writeAll<Item, Result>(
  ways: Ways<Item, Result>,
  items: readonly Item[],
): Promise<readonly Outcome<Result>[]> {
  if (items.length === 1) return Promise.allSettled(items.map((item) => ways.alone(item)));
  try {
    return await ways.together(items);
  } catch (error) {
    // Nothing was written. Of other failures nobody knows, and they say nothing about any of them.
    const isRefusal = error instanceof ApiError ? error.status < 500 : isDatabaseError(error);
    if (isRefusal) return items.map(() => undefined);
    throw error;
  }
}

/** The outcome of what succeeded. */
export function fulfilled<Result>(value: Result): PromiseFulfilledResult<Result> {
  return { status: 'fulfilled', value };
}

/** The outcome of `work`, whatever it is. */
export function settle<Result>(work: () => Result): PromiseSettledResult<Result> {
  try {
    return fulfilled(work());
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

// Steps that take milliseconds each, one in a turn of the event loop: of many that are ready at once, others would wait
// for the sum.

import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of its own, in the order of the calls. */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

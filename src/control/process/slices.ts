// Runs long work of this process in slices: one slice of a few milliseconds in a turn of the event loop, for all
// callers together. Everything else is answered between them (D390).

import type { Steps } from '../../model/steps.ts';

/** Milliseconds of one slice; a step may end a little later. */
const SLICE_MS = 8;

/** Called one by one, each in a turn of its own. */
const waiting: (() => void)[] = [];

interface SliceOptions {
  /** True for what requests wait for: it goes before plans, however many there are. */
  readonly isUrgent?: boolean;
}

/** The result of the steps. Errors: theirs. */
export async function inSlices<Result>(
  steps: Steps<Result>,
  { isUrgent = false }: SliceOptions = {},
): Promise<Result> {
  for (;;) {
    await ownTurn(isUrgent);
    const end = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
  }
}

function ownTurn(isUrgent: boolean): Promise<void> {
  return new Promise((resolve) => {
    const count = isUrgent ? waiting.unshift(resolve) : waiting.push(resolve);
    if (count === 1) setImmediate(beginNext);
  });
}

/** An immediate of an immediate comes in the next turn, after everything that has arrived. */
function beginNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(beginNext);
}

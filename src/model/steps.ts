// Long work in steps, so that a process can answer others between them: a generator that yields after each step.
// control/process/slices.ts runs it a slice at a time; where no request waits, it is run at once.

/** Yields after each step, a few milliseconds at most; returns the result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

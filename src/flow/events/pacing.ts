// Pacing of background work: a timed wait that a signal ends early, and a limit of concurrency.

export interface WakeUpSignal {
  /** Ends the current wait, or else the next one, once its least time is over. */
  notify(): void;
  /** Wait for the signal, at least and at most so many milliseconds. One wait at a time. */
  wait(least: number, most: number): Promise<void>;
}

export function openWakeUpSignal(): WakeUpSignal {
  let isSignalled = false;
  let onSignal: (() => void) | undefined;
  return {
    notify() {
      isSignalled = true;
      onSignal?.();
    },
    wait(least, most) {
      const started = performance.now();
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          isSignalled = false;
          onSignal = undefined;
          resolve();
        };
        let timer = setTimeout(done, isSignalled ? least : most).unref();
        onSignal = () => {
          const left = least - (performance.now() - started);
          clearTimeout(timer);
          if (left <= 0) done();
          else timer = setTimeout(done, left).unref();
        };
      });
    },
  };
}

/** Runs a task once there is room for it; tasks wait in the order they came. */
export type ConcurrencyLimit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** At most so many tasks run at the same time. */
export function limitConcurrency(limit: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The slot passes directly to the next task.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

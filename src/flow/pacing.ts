// Waiting: for a bell or for the time to be over, and for one of a few places.

export interface Bell {
  /** Ends the wait under way, or else the next one, when its least time is over. */
  ring(): void;
  /** Wait for the bell, at least and at most so many milliseconds. One wait at a time. */
  wait(least: number, most: number): Promise<void>;
}

export function openBell(): Bell {
  let rung = false;
  let onRing: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      onRing?.();
    },
    wait(least, most) {
      const started = performance.now();
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          rung = false;
          onRing = undefined;
          resolve();
        };
        let timer = setTimeout(done, rung ? least : most).unref();
        onRing = () => {
          const left = least - (performance.now() - started);
          clearTimeout(timer);
          if (left <= 0) done();
          else timer = setTimeout(done, left).unref();
        };
      });
    },
  };
}

/** Runs tasks, at most so many at once; the others wait in their order. */
export function limitTo(places: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes straight to the next one.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

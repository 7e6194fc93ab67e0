// Pacing of background work: a timed wait that a signal ends early.

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

// Signals to running work that its result is no longer needed. An `AbortSignal` is one; reads of requests get a
// cheaper one.

export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(event: 'abort', listener: () => void): void;
  removeEventListener(event: 'abort', listener: () => void): void;
}

/** The signal of work that several wait for: it is aborted with the last of theirs. */
export function lastOf(signals: readonly CancelSignal[]): CancelSignal {
  const relays = new Map<() => void, () => void>();
  const isAborted = () => signals.every(({ aborted }) => aborted);
  return {
    get aborted() {
      return isAborted();
    },
    get reason() {
      return signals.at(-1)?.reason;
    },
    addEventListener(event, listener) {
      const relay = () => {
        if (isAborted()) listener();
      };
      relays.set(listener, relay);
      for (const signal of signals) signal.addEventListener(event, relay);
    },
    removeEventListener(event, listener) {
      const relay = relays.get(listener);
      if (relay === undefined) return;
      relays.delete(listener);
      for (const signal of signals) signal.removeEventListener(event, relay);
    },
  };
}

// Requests come before webhooks in a process that answers requests as well: while many are in flight, few webhooks are
// sent, and the others wait in the audit (docs/decisions.md, D471).

export interface SendingPace {
  isBusy(): boolean;
  /** Milliseconds until the next request to a receiver may begin. */
  delay(): number;
  /** A request to a receiver begins. */
  note(): void;
}

export interface PaceOptions {
  /** Requests that this process has not answered yet. */
  readonly requestsInFlight: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

/** With so many requests in flight the process is busy. */
const BUSY = 8;
/** Milliseconds between two looks at them, and how much of the average each look is. */
const LOOK_EVERY = 20;
const SHARE = 0.2;
/** Webhooks that a busy process sends in a second. */
const LEAST_RATE = 50;

export function openSendingPace({
  requestsInFlight,
  clock = () => performance.now(),
}: PaceOptions): SendingPace {
  let average = 0;
  let lookedAt = clock();
  let freeAt = 0;

  function isBusy(): boolean {
    const now = clock();
    // After a pause the average of before says nothing.
    const looks = Math.min(50, Math.floor((now - lookedAt) / LOOK_EVERY));
    if (looks > 0) {
      const weight = 1 - (1 - SHARE) ** looks;
      average += (requestsInFlight() - average) * weight;
      lookedAt = now;
    }
    return average >= BUSY;
  }

  return {
    isBusy,
    delay: () => (isBusy() ? Math.max(0, freeAt - clock()) : 0),
    note() {
      freeAt = clock() + 1000 / LEAST_RATE;
    },
  };
}

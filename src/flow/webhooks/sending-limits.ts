// How much a process sends: requests whose outcome is not stored yet, because a crash repeats those; bytes a second for a
// workspace; and few requests while clients keep the process busy (docs/design/webhooks.md, D467, D471).

/** Requests whose outcome is not stored, in a process. */
export const UNSTORED = 64;
/** Of these, requests to receivers that are slow or fail, so that others always find room. */
const OF_SLOW = 32;

export interface SendingRoom {
  /** Requests for which there is room. */
  left(isSlow: boolean): number;
  /** Take room for one request; undefined when there is none. What it returns gives the room back, once. */
  take(isSlow: boolean): (() => void) | undefined;
  /** Call `handler` once, when some room is given back. */
  onRoom(handler: () => void): void;
}

export function openSendingRoom(): SendingRoom {
  let taken = 0;
  let slow = 0;
  const waiting = new Set<() => void>();
  const left = (isSlow: boolean) =>
    isSlow ? Math.min(UNSTORED - taken, OF_SLOW - slow) : UNSTORED - taken;
  return {
    left,
    take(isSlow) {
      if (left(isSlow) <= 0) return undefined;
      taken += 1;
      if (isSlow) slow += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        taken -= 1;
        if (isSlow) slow -= 1;
        // In the order in which they came; a workspace that finds no room waits behind the others.
        const handlers = [...waiting];
        waiting.clear();
        for (const handler of handlers) handler();
      };
    },
    onRoom: (handler) => waiting.add(handler),
  };
}

/** Bytes that may be sent in a second, and how many of them at once. */
const BYTES_PER_SECOND = 1024 * 1024;

export interface ByteRate {
  /** Note bytes that are sent. */
  note(bytes: number): void;
  /** Milliseconds until more may be sent. */
  delay(): number;
}

/** A second's worth of bytes may be sent at once. */
export function openByteRate(clock: () => number = () => performance.now()): ByteRate {
  let freeAt = 0;
  return {
    note(bytes) {
      freeAt = Math.max(freeAt, clock() - 1000) + (bytes / BYTES_PER_SECOND) * 1000;
    },
    delay: () => Math.max(0, freeAt - clock()),
  };
}

export interface SendingPace {
  /** True while clients keep the process busy. */
  isBusy(): boolean;
  /** Milliseconds until the next request to a receiver may begin. */
  delay(): number;
  /** A request to a receiver begins. */
  note(): void;
}

/** With so many requests in flight the process is busy. */
const BUSY = 8;
/** Milliseconds between two samples of them, and the weight of a sample in the average. */
const SAMPLE_EVERY = 20;
const WEIGHT = 0.2;
/** Webhooks that a busy process sends in a second. */
const LEAST_RATE = 50;

/** `requestsInFlight`: of clients. */
export function openSendingPace(
  requestsInFlight: () => number,
  clock: () => number = () => performance.now(),
): SendingPace {
  let average = 0;
  let sampledAt = clock();
  let freeAt = 0;

  function isBusy(): boolean {
    // After a pause the average of before says nothing.
    const samples = Math.min(50, Math.floor((clock() - sampledAt) / SAMPLE_EVERY));
    if (samples > 0) {
      average += (requestsInFlight() - average) * (1 - (1 - WEIGHT) ** samples);
      sampledAt = clock();
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

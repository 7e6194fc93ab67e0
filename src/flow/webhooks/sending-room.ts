// How much a process sends at once: so many requests whose outcome is not stored yet, because those are what a crash
// repeats; and so many bytes a second for a workspace. Slow receivers share a part of the room, so that they never fill
// it.

/** Requests whose outcome is not stored, in a process. */
export const UNSTORED = 64;
/** Of these, those of receivers that are slow or fail. */
const OF_SLOW = 32;

export interface SendingRoom {
  /** Take room for one request; undefined when there is none. What it returns gives the room back, once. */
  take(isSlow: boolean): (() => void) | undefined;
  /** Call `handler` once, when some room is given back. */
  onRoom(handler: () => void): void;
}

export function openSendingRoom(): SendingRoom {
  let taken = 0;
  let slow = 0;
  const waiting = new Set<() => void>();
  return {
    take(isSlow) {
      if (taken >= UNSTORED || (isSlow && slow >= OF_SLOW)) return undefined;
      taken += 1;
      if (isSlow) slow += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        taken -= 1;
        if (isSlow) slow -= 1;
        // In the order in which they came; a webhook that finds no room waits behind the others.
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

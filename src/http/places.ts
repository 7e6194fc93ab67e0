// How many requests may be in flight. As long as answers come in good time there is room for many; when
// most of them come late, room is left for what was answered lately, and those who already have their
// share are refused at once: one clear word is better than answers that come too late for everybody.

import { LIMITS } from '../limits.ts';

export interface Places {
  /** Undefined: too many requests are here, whoever asks. */
  enter(): Place | undefined;
  /** Requests without an answer yet; answers that stay open do not count. */
  inFlight(): number;
  /** How many may be in flight at present. */
  most(): number;
}

/** The place of one request. */
export interface Place {
  /** Say whose request it is. False: it is to be refused. */
  claim(holder: string): boolean;
  /** Its answer is ready; `done`: it is what was asked for, or says honestly why not. */
  answer(done: boolean): void;
  /** The answer has gone, or stays open; more than once does no harm. */
  leave(): void;
}

/** Milliseconds after which an answer is late. */
const LATE = 400;
/** Milliseconds between two looks at how many are late; longer while there are no answers at all. */
const LOOK_EVERY = 200;
const SILENCE = 1000;
/** So many may be in flight however late their answers are: slow questions are no overload. */
const FEW = 100;

interface Seen {
  readonly since: number;
  answered: number;
  late: number;
  done: number;
}

/** `now`: milliseconds of a clock that never goes back. */
export function openPlaces(now: () => number = () => performance.now()): Places {
  const limit = LIMITS.requestsInFlight;
  const shares = new Map<string, number>();
  let inFlight = 0;
  let most: number = limit;
  let seen: Seen = { since: now(), answered: 0, late: 0, done: 0 };

  function look(): void {
    const { since, answered, late, done } = seen;
    const passed = now() - since;
    if (passed < (answered === 0 && inFlight >= FEW ? SILENCE : LOOK_EVERY)) return;
    const isLate = inFlight >= FEW && late * 2 >= answered;
    most = isLate ? Math.max(FEW, (done / passed) * LATE) : Math.min(limit, most * 2);
    seen = { since: since + passed, answered: 0, late: 0, done: 0 };
  }

  function open(): Place {
    const arrived = now();
    let holder: string | undefined;
    let here = true;
    inFlight += 1;
    return {
      claim(name) {
        look();
        const share = shares.get(name) ?? 0;
        if (inFlight > most && share >= Math.max(1, most / shares.size)) return false;
        holder = name;
        shares.set(name, share + 1);
        return true;
      },
      answer(done) {
        if (holder === undefined) return;
        seen.answered += 1;
        if (now() - arrived > LATE) seen.late += 1;
        if (done) seen.done += 1;
      },
      leave() {
        if (!here) return;
        here = false;
        inFlight -= 1;
        if (holder === undefined) return;
        const share = shares.get(holder) ?? 1;
        if (share === 1) shares.delete(holder);
        else shares.set(holder, share - 1);
      },
    };
  }

  return {
    enter: () => (inFlight >= limit ? undefined : open()),
    inFlight: () => inFlight,
    most: () => Math.floor(most),
  };
}

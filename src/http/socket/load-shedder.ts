// Load shedding: how many requests may be in flight. While answers are in time the limit is high; when most of
// them are late it falls to the recent throughput, and clients that have used their share are refused at once:
// without refusals every answer would be late.

import { unavailable } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { openCounts } from './counts.ts';

export interface LoadShedder {
  /** Undefined: too many requests are in flight in all. */
  admit(): AdmissionTicket | undefined;
  /** Requests without an answer yet; answers that stay open do not count. */
  inFlight(): number;
  /** The present limit of requests in flight. */
  limit(): number;
}

/** Permission for one request to be in flight. */
export interface AdmissionTicket {
  /** Count it as this client's. False: it is to be refused. */
  assign(client: string): boolean;
  /** Count it as a request of another client, once the client is known. */
  move(client: string): void;
  /** Called when the answer is ready; `succeeded`: it is not a failure of the service. */
  complete(succeeded: boolean): void;
  /** The answer has gone, or stays open. May be called more than once. */
  release(): void;
}

/** Milliseconds after which an answer is late. */
const LATE_MS = 400;
/** Milliseconds between two adjustments of the limit; longer while there are no answers. */
const ADJUST_INTERVAL_MS = 200;
const SILENCE_MS = 1000;
/** The limit never falls below this, however late the answers are: slow statements are not overload. */
const MIN_LIMIT = 100;
/** Made once: it must cost little. */
export const OVERLOADED = unavailable(new Error('too many requests wait for their answers'));

/** The answers since the last adjustment. */
interface Window {
  readonly since: number;
  answered: number;
  late: number;
  succeeded: number;
}

/** `now`: milliseconds of a clock that never goes back. */
export function openLoadShedder(now: () => number = () => performance.now()): LoadShedder {
  const max = LIMITS.requestsInFlight;
  const shares = openCounts();
  let inFlight = 0;
  let limit: number = max;
  let window: Window = { since: now(), answered: 0, late: 0, succeeded: 0 };

  function adjust(): void {
    const { since, answered, late, succeeded } = window;
    const passed = now() - since;
    const isSilent = answered === 0 && inFlight >= MIN_LIMIT;
    if (passed < (isSilent ? SILENCE_MS : ADJUST_INTERVAL_MS)) return;
    const isLate = inFlight >= MIN_LIMIT && late * 2 >= answered;
    limit = isLate ? Math.max(MIN_LIMIT, (succeeded / passed) * LATE_MS) : Math.min(max, limit * 2);
    window = { since: since + passed, answered: 0, late: 0, succeeded: 0 };
  }

  function openTicket(): AdmissionTicket {
    const arrived = now();
    let owner: string | undefined;
    let isHeld = true;
    inFlight += 1;
    return {
      assign(client) {
        adjust();
        const most = Math.max(1, limit / shares.owners());
        if (inFlight > limit && shares.of(client) >= most) return false;
        owner = client;
        shares.add(client, 1);
        return true;
      },
      move(client) {
        if (!isHeld || owner === undefined) return;
        shares.add(owner, -1);
        owner = client;
        shares.add(client, 1);
      },
      complete(succeeded) {
        if (owner === undefined) return;
        window.answered += 1;
        if (now() - arrived > LATE_MS) window.late += 1;
        if (succeeded) window.succeeded += 1;
      },
      release() {
        if (!isHeld) return;
        isHeld = false;
        inFlight -= 1;
        if (owner !== undefined) shares.add(owner, -1);
      },
    };
  }

  return {
    admit: () => (inFlight >= max ? undefined : openTicket()),
    inFlight: () => inFlight,
    limit: () => Math.floor(limit),
  };
}

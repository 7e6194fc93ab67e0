// When a delivery is sent again. Pure; times are milliseconds since 1970 of a clock that may jump.

import type { SendResult } from './send.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Between an attempt and the next one: ten attempts in about 75 hours. */
export const RETRY_DELAYS: readonly number[] = Object.freeze([
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]);
/** The part by which a delay is longer or shorter. */
const JITTER = 0.1;
export const LONGEST_DELAY = Math.max(...RETRY_DELAYS) * (1 + JITTER);

export type NextAttempt =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: number }
  /** 410: the receiver wants nothing more. */
  | { readonly kind: 'gone' }
  /** That was the last attempt. */
  | { readonly kind: 'exhausted' };

interface Attempted {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly result: SendResult;
  readonly now: number;
  /** From 0 to 1, such as Math.random. */
  readonly random: () => number;
}

/** A receiver that names a time is not sent to before it; a shorter one than ours does not use up the attempts. */
export function nextAttempt({ attempt, result, now, random }: Attempted): NextAttempt {
  if (isDelivered(result)) return { kind: 'delivered' };
  if (isGone(result)) return { kind: 'gone' };
  const delay = RETRY_DELAYS[attempt - 1];
  if (delay === undefined) return { kind: 'exhausted' };
  const own = delay * (1 - JITTER + 2 * JITTER * random());
  const asked = result.kind === 'answered' ? (result.retry_after_ms ?? 0) : 0;
  // Deliveries that wait for the same time do not all come at once then.
  const spread = asked * JITTER * random();
  return {
    kind: 'retry',
    at: now + Math.round(Math.max(own, Math.min(asked + spread, LONGEST_DELAY))),
  };
}

export function isDelivered(result: SendResult): boolean {
  return result.kind === 'answered' && result.status >= 200 && result.status <= 299;
}

export function isGone(result: SendResult): boolean {
  return result.kind === 'answered' && result.status === 410;
}

/** A time further away than any delay was set before the clock jumped back; infinity is never. */
export function isDue(at: number, now: number): boolean {
  return at <= now || (at !== Number.POSITIVE_INFINITY && at - now > LONGEST_DELAY);
}

// When a delivery is sent again, and which deliveries of a webhook may be sent now. Pure; times are milliseconds
// since 1970 of a clock that may jump.

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
const LONGEST = Math.max(...RETRY_DELAYS) * (1 + JITTER);
/** Failed attempts after which later events of the record are sent as well. */
const KEEPS_ORDER = 3;

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
  return { kind: 'retry', at: now + Math.round(Math.max(own, Math.min(asked + spread, LONGEST))) };
}

export function isDelivered(result: SendResult): boolean {
  return result.kind === 'answered' && result.status >= 200 && result.status <= 299;
}

export function isGone(result: SendResult): boolean {
  return result.kind === 'answered' && result.status === 410;
}

/** A time further away than any delay was set before the clock jumped back. */
export function isDue(at: number, now: number): boolean {
  return at <= now || at - now > LONGEST;
}

/** A delivery that has not ended. */
export interface WaitingDelivery {
  /** The record of its event; null: its order does not matter. */
  readonly record: string | null;
  readonly failed_attempts: number;
  readonly next_attempt_at: number;
  readonly is_being_sent: boolean;
}

/**
 * Those of one webhook, in the order of their events, that may be sent now. The events of a record are sent one after
 * the other; after three failed attempts of one, the later ones do not wait for it.
 */
export function chooseSendable<Delivery extends WaitingDelivery>(
  deliveries: readonly Delivery[],
  now: number,
): readonly Delivery[] {
  const blocked = new Set<string>();
  return deliveries.filter((delivery) => {
    const { record, failed_attempts, next_attempt_at, is_being_sent } = delivery;
    if (record !== null && blocked.has(record)) return false;
    if (record !== null && failed_attempts < KEEPS_ORDER) blocked.add(record);
    return !is_being_sent && isDue(next_attempt_at, now);
  });
}

// How a receiver fares: its rate, and since when it has only failed. Pure; times are milliseconds since 1970 of a
// clock that may jump back.

import { LIMITS } from '../limits.ts';
import { isDelivered, isGone } from './schedule.ts';
import type { SendResult } from './send.ts';

/** Plain JSON, stored with the webhook. */
export interface ReceiverHealth {
  /** The first failure without a success since. */
  readonly failing_since: number | null;
  /** True: the owner knows about it. */
  readonly is_told: boolean;
  /** Deliveries in a second. */
  readonly rate: number;
  /** When the rate was last halved. */
  readonly halved_at: number | null;
}

export interface HealthVerdict {
  readonly health: ReceiverHealth;
  /** The webhook is disabled now. */
  readonly disable?: 'gone' | 'failing';
  /** Tell its owner. */
  readonly tell?: 'failing_for_a_day' | 'disabled';
}

const DAY = 86_400_000;
const FULL_RATE = 1000;
/** One in ten seconds. */
const LOWEST_RATE = 0.1;
/** Each success adds so much. */
const RECOVERY = 10;
/** Deliveries that fail together halve the rate once: milliseconds between two halvings. */
const HALVING_PAUSE = 1000;

export const HEALTHY: ReceiverHealth = Object.freeze({
  failing_since: null,
  is_told: false,
  rate: FULL_RATE,
  halved_at: null,
});

/** The health after an attempt. A cancelled attempt says nothing about the receiver. */
export function noteResult(health: ReceiverHealth, result: SendResult, now: number): HealthVerdict {
  if (result.kind === 'failed' && result.reason === 'cancelled') return { health };
  if (isDelivered(result)) {
    const rate = Math.min(health.rate + RECOVERY, FULL_RATE);
    return { health: { ...HEALTHY, rate, halved_at: health.halved_at } };
  }
  const failing = { ...slowed(health, now), failing_since: health.failing_since ?? now };
  if (isGone(result)) return { health: failing, disable: 'gone', tell: 'disabled' };
  return judgeHealth(failing, now);
}

/** Also without an attempt: a webhook without events is disabled in time as well. */
export function judgeHealth(health: ReceiverHealth, now: number): HealthVerdict {
  if (health.failing_since === null) return { health };
  // A start that is still to come was noted before the clock jumped back.
  const failing_since = Math.min(health.failing_since, now);
  const failing = { ...health, failing_since };
  if (now - failing_since >= LIMITS.webhookDisabledDays * DAY) {
    return { health: failing, disable: 'failing', tell: 'disabled' };
  }
  if (health.is_told || now - failing_since < DAY) return { health: failing };
  return { health: { ...failing, is_told: true }, tell: 'failing_for_a_day' };
}

/** True for a receiver whose rate has fallen: it gets one request at a time. */
export function isLimited({ rate }: ReceiverHealth): boolean {
  return rate < FULL_RATE;
}

/** When the next delivery may be sent: at the full rate, as soon as the receiver has answered others. */
export function nextSendAt(
  { rate }: ReceiverHealth,
  lastSentAt: number | undefined,
  now: number,
): number {
  if (lastSentAt === undefined || rate >= FULL_RATE) return now;
  return Math.max(now, Math.min(lastSentAt, now) + 1000 / rate);
}

function slowed(health: ReceiverHealth, now: number): ReceiverHealth {
  const { halved_at } = health;
  const isEarly = halved_at !== null && now >= halved_at && now - halved_at < HALVING_PAUSE;
  if (isEarly) return health;
  return { ...health, rate: Math.max(health.rate / 2, LOWEST_RATE), halved_at: now };
}

// How a receiver fares while this process sends to it: how many requests it gets at once, and since when it fails. The
// condition of its webhook is stored from it.

import { CLAIMED_AT_ONCE } from '../../control/events/webhook-outbox.ts';
import type { WebhookCondition } from '../../control/events/webhook-rows.ts';
import { LIMITS } from '../../limits.ts';
import {
  HEALTHY,
  type HealthVerdict,
  isLimited,
  judgeHealth,
  nextSendAt,
  noteResult,
  type ReceiverHealth,
} from '../../webhooks/receiver-health.ts';
import { isDelivered } from '../../webhooks/schedule.ts';
import type { SendResult } from '../../webhooks/send.ts';
import { stoppedCondition } from './webhook-condition.ts';

/** A request takes at least so many milliseconds with a receiver that counts as slow. */
const SLOW_MS = 1000;
/** Requests at once: usually, and to a receiver that is slow or has not answered yet. */
const AT_ONCE = { usual: LIMITS.webhookConnections, slow: 4 } as const;

export interface ReceiverState {
  /** Requests that may begin now. */
  free(now: number): number;
  /** Deliveries that may be claimed for it, sent or not. */
  batch(now: number): number;
  isSlow(): boolean;
  /** Milliseconds until the next request. */
  delay(now: number): number;
  /** A request begins; what it returns notes its result. */
  begin(now: number): (result: SendResult, now: number) => void;
  /** Judge its condition after a time without requests. */
  judge(now: number): void;
  condition(): WebhookCondition;
  /** The receiver has answered a ping. */
  verify(now: number): void;
  /** The webhook is stopped for a reason of its own. */
  stop(condition: WebhookCondition): void;
}

export function openReceiverState(before: WebhookCondition): ReceiverState {
  const { failing_since, told_at } = before;
  const since = failing_since === null ? null : Date.parse(failing_since);
  let condition = before;
  let health: ReceiverHealth = { ...HEALTHY, failing_since: since, is_told: told_at !== null };
  let hasFailed = false;
  let wasSlow = true;
  let lastSentAt: number | undefined;
  /** Times at which the requests in flight began. */
  const begun = new Set<{ readonly at: number }>();

  const isSlow = () =>
    hasFailed || wasSlow || [...begun].some(({ at }) => performance.now() - at >= SLOW_MS);
  const conclude = (verdict: HealthVerdict, now: number) => {
    health = verdict.health;
    condition = conditionAfter(condition, verdict, now);
  };
  const delay = (now: number) => {
    // The clock has jumped back.
    if (lastSentAt !== undefined && lastSentAt > now) lastSentAt = now;
    return Math.max(0, nextSendAt(health, lastSentAt, now) - now);
  };
  const most = () => {
    if (hasFailed || isLimited(health)) return 1;
    return isSlow() ? AT_ONCE.slow : AT_ONCE.usual;
  };
  return {
    free: (now) => (delay(now) > 0 ? 0 : Math.max(0, most() - begun.size)),
    batch(now) {
      if (delay(now) > 0) return 0;
      return most() === AT_ONCE.usual ? CLAIMED_AT_ONCE : most();
    },
    isSlow,
    delay,
    begin(startedAt) {
      const request = { at: performance.now() };
      begun.add(request);
      lastSentAt = startedAt;
      return (result, now) => {
        begun.delete(request);
        if (result.kind === 'failed' && result.reason === 'cancelled') return;
        wasSlow = result.duration_ms >= SLOW_MS;
        hasFailed = !isDelivered(result);
        conclude(noteResult(health, result, now), now);
      };
    },
    judge: (now) => conclude(judgeHealth(health, now), now),
    condition: () => condition,
    verify(now) {
      condition = { ...condition, verified_at: new Date(now).toISOString() };
    },
    stop(stopped) {
      condition = stopped;
    },
  };
}

/** A webhook that does not send keeps its state: only tests are sent for it. */
function conditionAfter(
  before: WebhookCondition,
  { health, disable, tell }: HealthVerdict,
  now: number,
): WebhookCondition {
  if (before.stopped_at !== null) return before;
  const at = new Date(now).toISOString();
  const { failing_since } = health;
  const told_at = tell === undefined ? before.told_at : at;
  const after: WebhookCondition = {
    ...before,
    state: failing_since === null ? 'active' : 'failing',
    failing_since: failing_since === null ? null : new Date(failing_since).toISOString(),
    told_at: failing_since === null ? null : told_at,
  };
  if (disable === undefined) return after;
  const reason = disable === 'gone' ? 'receiver_gone' : 'failing';
  return stoppedCondition(after, 'disabled', reason, { at });
}

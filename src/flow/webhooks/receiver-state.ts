// How a receiver fares while this process sends to it: how many requests it gets at once, whether it only fails, since
// when. What of that is stored is the condition of its webhook.

import type { WebhookCondition } from '../../control/webhook-rows.ts';
import { LIMITS } from '../../limits.ts';
import {
  HEALTHY,
  type HealthVerdict,
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
/** Requests at once: to a receiver that is slow, or was not heard of yet, and to one that only fails. */
const AT_ONCE = { usual: LIMITS.webhookConnections, slow: 4, failing: 1 } as const;
/** Failures in a row after which new events wait, but for one now and then. */
const FAILS = 5;
/** Milliseconds between two of these: at first, and at most. */
const PROBES = { first: 30_000, most: 300_000 } as const;

export interface ReceiverState {
  /** How many requests more it may get now. */
  free(now: number): number;
  isSlow(): boolean;
  /** Milliseconds until it may get one. */
  delay(now: number): number;
  /** True: new events wait behind those that have failed, and it is not time to try one. */
  isHeld(now: number): boolean;
  /** A new event is tried although others have failed. */
  noteProbe(now: number): void;
  /** A request begins; what it returns is called with its result. */
  begin(now: number): (result: SendResult, now: number) => WebhookCondition;
  /** Its condition after a time without requests. */
  judge(now: number): WebhookCondition;
  condition(): WebhookCondition;
  /** The receiver has answered a ping. */
  verify(now: number): WebhookCondition;
}

export function openReceiverState(before: WebhookCondition): ReceiverState {
  const one: Observed = {
    condition: before,
    health: { ...HEALTHY, ...storedHealth(before) },
    ...{ inFlight: 0, late: 0, isSlow: true, failures: 0, lastSentAt: undefined, probeAt: 0 },
  };
  return {
    free(now) {
      const isFailing = one.failures >= FAILS;
      const most = isFailing ? AT_ONCE.failing : one.isSlow ? AT_ONCE.slow : AT_ONCE.usual;
      const isEarly = nextSendAt(one.health, one.lastSentAt, now) > now;
      return isEarly ? 0 : Math.max(0, most - one.inFlight);
    },
    isSlow: () => one.isSlow || one.failures > 0,
    delay: (now) => Math.max(0, nextSendAt(one.health, one.lastSentAt, now) - now),
    isHeld: (now) => one.failures >= FAILS && isAhead(one.probeAt, now),
    noteProbe(now) {
      if (one.failures < FAILS) return;
      const failingFor = now - (one.health.failing_since ?? now);
      one.probeAt = now + Math.min(PROBES.most, Math.max(PROBES.first, failingFor / 20));
    },
    begin: (now) => begin(one, now),
    judge: (now) => conclude(one, judgeHealth(one.health, now), now),
    condition: () => one.condition,
    verify(now) {
      one.condition = { ...one.condition, verified_at: new Date(now).toISOString() };
      return one.condition;
    },
  };
}

/** A time further away was set before the clock jumped back. */
function isAhead(probeAt: number, now: number): boolean {
  return now < probeAt && probeAt - now <= PROBES.most;
}

interface Observed {
  condition: WebhookCondition;
  health: ReceiverHealth;
  inFlight: number;
  /** Requests in flight for longer than usual. */
  late: number;
  isSlow: boolean;
  /** In a row. */
  failures: number;
  lastSentAt: number | undefined;
  probeAt: number;
}

function begin(one: Observed, startedAt: number): ReturnType<ReceiverState['begin']> {
  one.inFlight += 1;
  one.lastSentAt = startedAt;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    one.late += 1;
    one.isSlow = true;
  }, SLOW_MS).unref();
  return (result, now) => {
    clearTimeout(timer);
    if (isLate) one.late -= 1;
    noteEnd(one, result);
    return conclude(one, noteResult(one.health, result, now), now);
  };
}

function noteEnd(one: Observed, result: SendResult): void {
  one.inFlight -= 1;
  if (result.kind === 'failed' && result.reason === 'cancelled') return;
  one.isSlow = one.late > 0 || result.duration_ms >= SLOW_MS;
  one.failures = isDelivered(result) ? 0 : one.failures + 1;
}

function conclude(one: Observed, verdict: HealthVerdict, now: number): WebhookCondition {
  one.health = verdict.health;
  one.condition = conditionAfter(one.condition, verdict, now);
  return one.condition;
}

function storedHealth({ failing_since, told_at }: WebhookCondition) {
  return {
    failing_since: failing_since === null ? null : Date.parse(failing_since),
    is_told: told_at !== null,
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
  const fares: WebhookCondition = {
    ...before,
    state: failing_since === null ? 'active' : 'failing',
    failing_since: failing_since === null ? null : new Date(failing_since).toISOString(),
    told_at: failing_since === null ? null : told_at,
  };
  if (disable === undefined) return fares;
  return stoppedCondition(fares, 'disabled', disable === 'gone' ? 'receiver_gone' : 'failing', {
    at,
  });
}

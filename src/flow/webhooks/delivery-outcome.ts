// From the result of an attempt to the row of its delivery. Pure but for the clock and random numbers that are given.

import { uuidv7 } from 'uuidv7';
import type { DeliveryOutcome, PendingDelivery } from '../../control/webhook-runs.ts';
import type { ShownEvent } from '../../plan/event-plan.ts';
import { nextAttempt } from '../../webhooks/schedule.ts';
import type { SendResult } from '../../webhooks/send.ts';

/** A delivery before its next attempt. */
export type OpenDelivery = Omit<PendingDelivery, 'created_at'>;

const UNTRIED = Object.freeze({
  state: 'pending',
  attempts: 0,
  failures: 0,
  next_attempt_at: null,
  attempted_at: null,
  last_status: null,
  error: null,
  answer: null,
  request_id: null,
  duration_ms: null,
} as const);

/** The delivery of an event that was not tried yet. */
export function newDelivery(webhookId: string, event: ShownEvent, eventId: string): OpenDelivery {
  const place = 'row' in event ? event.row : undefined;
  return {
    ...UNTRIED,
    id: uuidv7(),
    webhook_id: webhookId,
    event_id: eventId,
    type: event.type,
    transaction: place?.transaction ?? null,
    audit_id: place?.id ?? null,
    rights: 'row' in event ? null : event.key,
    object_type: place?.object_type ?? null,
    record_id: place?.record_id ?? null,
  };
}

/** It waits for an earlier delivery of its record. */
export function waitingOutcome(delivery: OpenDelivery, now: number): DeliveryOutcome {
  return { ...delivery, next_attempt_at: new Date(now).toISOString() };
}

/** Its owner may no longer read it, or nothing is left to send. */
export function droppedOutcome(delivery: OpenDelivery): DeliveryOutcome {
  return { ...delivery, state: 'dropped', next_attempt_at: null };
}

export interface Attempted {
  readonly result: SendResult;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: () => number;
  /** True: a failure is not repeated. */
  readonly once: boolean;
}

export function attemptOutcome(delivery: OpenDelivery, attempted: Attempted): DeliveryOutcome {
  const { result, now, random, once } = attempted;
  const next = nextAttempt({ attempt: delivery.failures + 1, result, now, random });
  const isDone = next.kind === 'delivered';
  const retryAt = next.kind === 'retry' && !once ? new Date(next.at).toISOString() : null;
  return {
    ...delivery,
    state: isDone ? 'delivered' : retryAt === null ? 'failed' : 'pending',
    attempts: delivery.attempts + 1,
    failures: isDone ? 0 : delivery.failures + 1,
    next_attempt_at: retryAt,
    attempted_at: new Date(now).toISOString(),
    ...told(result),
  };
}

function told(result: SendResult) {
  const { duration_ms } = result;
  if (result.kind === 'answered') {
    const { status, answer, request_id } = result;
    return { last_status: status, error: null, answer, request_id, duration_ms };
  }
  return { ...UNTRIED_ANSWER, error: result.reason, duration_ms };
}

const UNTRIED_ANSWER = Object.freeze({ last_status: null, answer: null, request_id: null });

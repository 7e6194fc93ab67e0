// The states of a webhook, and what leads from one to another. Pure; what is done about it is written where it is done.

import type { WebhookCondition, WebhookRow } from '../../control/events/webhook-rows.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { REASONS, type Reason } from '../../plan/events/webhook-reasons.ts';

/** A request to pause or activate a webhook. */
export interface Activation {
  readonly active?: boolean | undefined;
  /** Where it continues when it is active again. */
  readonly resume?: 'position' | 'now' | undefined;
}

export const NEW_CONDITION: WebhookCondition = Object.freeze({
  state: 'active',
  reason: null,
  reason_message: null,
  failing_since: null,
  told_at: null,
  verified_at: null,
  stopped_at: null,
});

/** A webhook that has come to its end, until somebody activates it. */
export function stoppedCondition(
  before: WebhookCondition,
  state: 'paused' | 'disabled' | 'broken',
  reason: Reason,
  { at, message = REASONS[reason].text }: { readonly at: string; readonly message?: string },
): WebhookCondition {
  const stopped_at = before.stopped_at ?? at;
  return { ...before, state, reason, reason_message: message, stopped_at };
}

/** Errors: `validation_failed`, `conflict` when it cannot be continued. */
export function changedCondition(
  before: WebhookRow,
  { active, resume }: Activation,
  now: number,
): WebhookCondition {
  if (resume !== undefined && active !== true) {
    const message = say('webhook_resume_alone');
    throw new ApiError('validation_failed', { param: 'resume', message });
  }
  const sends = before.stopped_at === null;
  if (active === undefined || active === sends) return conditionOf(before);
  const at = new Date(now).toISOString();
  if (!active) return stoppedCondition(conditionOf(before), 'paused', 'paused', { at });
  requireContinuable(before, resume ?? 'position', now);
  // A receiver that had failed for good must answer a ping before it gets an event.
  const verified_at = before.state === 'paused' ? before.verified_at : null;
  return { ...NEW_CONDITION, verified_at };
}

function requireContinuable(
  { secret, stopped_at, reason }: WebhookRow,
  resume: 'position' | 'now',
  now: number,
): void {
  if (secret === null) {
    const message = say('webhook_without_secret');
    throw new ApiError('conflict', { param: 'active', message });
  }
  const isOld = now - Date.parse(stopped_at ?? '') > LIMITS.webhookKeptDays * DAY_MS;
  if (resume === 'now' || !(isOld || LOST.has(reason ?? ''))) return;
  throw new ApiError('conflict', { param: 'resume', message: say('webhook_position_gone') });
}

const DAY_MS = 86_400_000;
/** Reasons that leave no position to continue from. */
const LOST: ReadonlySet<string> = new Set(['restored', 'database_restored', 'position_expired']);

export function conditionOf(webhook: WebhookCondition): WebhookCondition {
  const { state, reason, reason_message, failing_since, told_at, verified_at, stopped_at } =
    webhook;
  return { state, reason, reason_message, failing_since, told_at, verified_at, stopped_at };
}

// A webhook in the loop of its workspace: judges whether its present rights let it send, and stores the changes of
// state that the service makes.

import { uuidv7 } from 'uuidv7';
import type { OutboxWebhook } from '../../control/events/webhook-outbox.ts';
import { putWebhookCondition, type WebhookCondition } from '../../control/events/webhook-rows.ts';
import { administer } from '../../control/workspace/administer.ts';
import { SERVICE } from '../../control/workspace/administrative-audit.ts';
import { ApiError, isOperatorError } from '../../errors.ts';
import { parsePosition } from '../../plan/events/event-position.ts';
import { requireReadable, type WebhookScope } from '../../plan/events/webhook-plan.ts';
import { REASONS, type Reason } from '../../plan/events/webhook-reasons.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { notifyOfSubjectSql } from '../../sql/events/notify-sql.ts';
import type { Outbox, Sending } from './outbox-state.ts';
import { openReceiverState, type ReceiverState } from './receiver-state.ts';
import { type Authority, isForAnother } from './webhook-authority.ts';
import { conditionOf, stoppedCondition } from './webhook-condition.ts';
import { eventOf } from './webhook-flow.ts';
import { openSecrets } from './webhook-secrets.ts';

/** The sending of a stored webhook; `before`: its sending until somebody changed the webhook. */
export function openSending(
  outbox: Outbox,
  webhook: OutboxWebhook,
  before: Sending | undefined,
): Sending {
  const { parts } = outbox;
  const verified_at = webhook.verified_at ?? answeredPing(webhook, before);
  const receiver = openReceiverState({ ...conditionOf(webhook), verified_at });
  const change = storing(outbox, webhook, receiver);
  const stopWith = (reason: Reason, message?: string) =>
    change(stopped(outbox, webhook, { reason, ...(message && { message }) }));
  const stored = webhook.position === null ? undefined : parsePosition(webhook.position);
  const keptPosition = webhook.is_taken ? undefined : before?.position;
  if (verified_at !== webhook.verified_at) change(receiver.condition());
  return {
    ...{ webhook, receiver, change, stopWith, waiting: webhook.waiting },
    secrets: openSecrets(parts.keys, outbox.workspace.id, webhook),
    claimed: before?.claimed ?? new Map(),
    prepared: [],
    isPaced: false,
    ending: new AbortController(),
    position: keptPosition ?? stored,
    storedAt: performance.now(),
    dueAt: 0,
    scope: judging(outbox, webhook, stopWith),
  };
}

/** When a ping was answered that could not be stored, because somebody has changed the webhook but for its address. */
function answeredPing(webhook: OutboxWebhook, before: Sending | undefined): string | null {
  if (before === undefined || webhook.stopped_at !== null) return null;
  const { url, verified_at, stopped_at } = before.webhook;
  const isAsked = url === webhook.url && verified_at === null && stopped_at === null;
  return isAsked ? before.receiver.condition().verified_at : null;
}

interface StopProblem {
  readonly reason: Reason;
  readonly message?: string;
}

/** Judges the rights of a webhook, again whenever they have changed. */
function judging(
  { parts, workspace }: Outbox,
  webhook: OutboxWebhook,
  stopWith: (reason: Reason, message?: string) => void,
): Sending['scope'] {
  let judged: { readonly authority: Authority; readonly problem: StopProblem | undefined };
  return async () => {
    const authority = await parts.authorities.of(workspace.id, webhook);
    if (judged?.authority !== authority) {
      judged = { authority, problem: problemOf(authority, webhook) };
    }
    const { problem } = judged;
    if (problem === undefined) return authority as WebhookScope;
    stopWith(problem.reason, problem.message);
    return undefined;
  };
}

/** The reason why the webhook may no longer send; undefined when it may. */
function problemOf(authority: Authority, webhook: OutboxWebhook): StopProblem | undefined {
  if ('refusal' in authority) return { reason: authority.refusal };
  try {
    requireReadable(authority, webhook);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const place = error.param === undefined ? '' : `${error.param}: `;
    return {
      reason: 'not_readable',
      message: `${REASONS.not_readable.text} ${place}${error.message}`,
    };
  }
}

const PAUSES: ReadonlySet<Reason> = new Set(['database_restored', 'position_expired']);

function stopped(
  { parts }: Outbox,
  webhook: OutboxWebhook,
  { reason, message = REASONS[reason].text }: StopProblem,
): WebhookCondition {
  const at = new Date(parts.now()).toISOString();
  const state = PAUSES.has(reason) ? 'paused' : isDisabled(webhook, reason) ? 'disabled' : 'broken';
  return stoppedCondition(conditionOf(webhook), state, reason, { at, message });
}

/** The maker of a webhook for another person has lost the right to it. */
function isDisabled(webhook: OutboxWebhook, reason: Reason): boolean {
  return reason === 'maker_not_administrator' || (reason === 'key_ended' && isForAnother(webhook));
}

const STOPS: Readonly<Record<string, string>> = {
  paused: 'pause',
  disabled: 'disable',
  broken: 'break',
};

/** Stores conditions one after the other; results of requests to a webhook that was stopped are not stored. */
function storing(outbox: Outbox, webhook: OutboxWebhook, receiver: ReceiverState) {
  let changing = Promise.resolve();
  let isStopped = false;
  return (condition: WebhookCondition, isReported = false) => {
    if (isStopped || (webhook.stopped_at !== null && condition.stopped_at === null)) return;
    // A ping to a webhook that was stopped before does not stop it.
    isStopped = condition.stopped_at !== null && webhook.stopped_at === null;
    if (isStopped) receiver.stop(condition);
    const action = isStopped ? STOPS[condition.state] : isReported ? 'fail' : undefined;
    changing = changing
      .then(() => store(outbox, webhook, condition, action))
      .catch((error: unknown) => outbox.parts.onError(error));
  };
}

/** Stores a condition, unless somebody has changed the webhook meanwhile. */
async function store(
  { parts, workspace }: Outbox,
  { id, version, owner_user_id }: OutboxWebhook,
  condition: WebhookCondition,
  action: string | undefined,
): Promise<void> {
  await administer({ db: parts.db, workspace, actor: SERVICE }, async (tx) => {
    const row = { id, version };
    const isStored = await putWebhookCondition(tx, workspace.schema, row, condition);
    if (!isStored || action === undefined) return { result: undefined, events: [] };
    const notice = { id: uuidv7(), user_id: owner_user_id, subject_id: id } as const;
    await runOnce(tx, notifyOfSubjectSql(workspace.schema, { kind: 'webhook_failed', ...notice }));
    return { result: undefined, events: [eventOf(id, action)] };
  });
}

/** Store that the secrets of a webhook cannot be decrypted. Throws errors that are not operator errors. */
export function breakUnreadable(outbox: Outbox, webhook: OutboxWebhook, error: unknown): void {
  if (!isOperatorError(error)) throw error;
  outbox.parts.onError(error);
  if (webhook.stopped_at !== null) return;
  const condition = stopped(outbox, webhook, { reason: 'secret_unreadable' });
  storing(outbox, webhook, openReceiverState(condition))(condition);
}

// The parts and the state of sending for one webhook, and how it notes outcomes.

import type { WebhookCondition, WebhookRow } from '../../control/webhook-rows.ts';
import type { DeliveryOutcome } from '../../control/webhook-runs.ts';
import type { SecretKeys } from '../../model/sealed-secret.ts';
import type { WebhookScope } from '../../plan/webhook-plan.ts';
import type { Reason } from '../../plan/webhook-reasons.ts';
import type { Shareable } from '../../postgres/db.ts';
import type { WebhookSender } from '../../webhooks/send.ts';
import type { EventFeeds } from '../events/event-feed.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { OpenDelivery } from './delivery-outcome.ts';
import type { EventQueue, QueuedEvent } from './event-queue.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { SendingPace } from './sending-pace.ts';
import type { ByteRate, SendingRoom } from './sending-room.ts';
import type { WebhookPresenter } from './webhook-body.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Parts that all webhooks of a process share. */
export interface SendingParts {
  readonly db: Shareable;
  readonly feeds: EventFeeds;
  readonly sender: WebhookSender;
  readonly keys: SecretKeys;
  readonly present: WebhookPresenter;
  readonly room: SendingRoom;
  readonly pace: SendingPace;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  onError(error: unknown): void;
}

/** Parts of one webhook. */
export interface SendingContext extends SendingParts {
  readonly schema: string;
  readonly workspaceId: number;
  readonly webhook: WebhookRow;
  readonly secrets: WebhookSecrets;
  readonly rate: ByteRate;
  readonly checkpoints: Checkpoints;
  /** The rights of the webhook; undefined when it has none: then it is stopped. */
  scope(): Promise<WebhookScope | undefined>;
  /** Store its condition; `isTold`: that it fails is noted in the audit, as every stop is. */
  change(condition: WebhookCondition, isTold?: boolean): void;
  /** It must not send any longer. */
  stopWith(reason: Reason): void;
  /** Its outcomes are not stored any longer: it is gone, or another process sends for it. */
  lose(): void;
}

/** The state of a webhook that sends. */
export interface SendingState {
  readonly queue: EventQueue;
  readonly receiver: ReceiverState;
  /** Ids of deliveries that are being sent. */
  readonly sending: Set<string>;
  /** Aborted: no new request begins. */
  readonly closing: AbortSignal;
  /** Aborted: requests end. */
  readonly ending: AbortSignal;
  /** Deliveries that wait to be sent again, and when the first of them is due. */
  waiting: number;
  dueAt: number;
  /** The number of the first event in the queue that may have been sent before the start. */
  checked: number;
  wake(): void;
}

/** One that is being sent, or is next. */
export interface Candidate {
  readonly delivery: OpenDelivery;
  /** Undefined: it is sent again. */
  readonly queued: QueuedEvent | undefined;
  /** Gives its room back. */
  readonly leave: () => void;
}

/** Only pings are sent for others. */
export function sends({ receiver }: Pick<SendingState, 'receiver'>): boolean {
  return receiver.condition().stopped_at === null;
}

export function isVerified({ receiver }: Pick<SendingState, 'receiver'>): boolean {
  return receiver.condition().verified_at !== null;
}

/** Store the condition of now when a step has changed it: a later step may have been stored already. */
export function noteCondition(
  { change }: Pick<SendingContext, 'change'>,
  { receiver }: Pick<SendingState, 'receiver'>,
  { before, after }: { readonly before: WebhookCondition; readonly after: WebhookCondition },
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  change(receiver.condition(), after.told_at !== null && before.told_at === null);
}

/** Resolves when it is stored. */
export async function noteOutcome(
  { checkpoints, lose }: SendingContext,
  state: SendingState,
  outcome: DeliveryOutcome,
): Promise<void> {
  const isStored = await checkpoints.note(outcome);
  if (!isStored) return lose();
  if (outcome.state !== 'pending') return;
  state.waiting += 1;
  state.dueAt = Math.min(state.dueAt, Date.parse(outcome.next_attempt_at ?? ''));
}

export function notePosition(
  { checkpoints, webhook }: SendingContext,
  { queue }: SendingState,
): void {
  const position = queue.movedTo();
  if (position !== undefined) checkpoints.move(webhook.id, position);
}

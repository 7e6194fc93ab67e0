// The state of sending for a workspace: its webhooks as this process knows them, and what waits for the next step of the
// loop (outbox-loop.ts).

import type { DeliveryOutcome, DueDelivery } from '../../control/events/webhook-outbox.ts';
import type { WebhookCondition, WebhookRow } from '../../control/events/webhook-rows.ts';
import type { SecretKeys } from '../../model/rights/sealed-secret.ts';
import type { ReaderPosition } from '../../plan/events/event-position.ts';
import type { WebhookScope } from '../../plan/events/webhook-plan.ts';
import type { Reason } from '../../plan/events/webhook-reasons.ts';
import type { Database } from '../../postgres/db.ts';
import type { WebhookSender } from '../../webhooks/send.ts';
import type { EventFeeds } from '../events/event-feed.ts';
import type { Turns } from '../events/event-moves.ts';
import type { WakeUpSignal } from '../events/pacing.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { ByteRate, SendingPace, SendingRoom } from './sending-limits.ts';
import type { Authorities } from './webhook-authority.ts';
import type { WebhookPresenter } from './webhook-body.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Parts that all webhooks of a process share. */
export interface SendingParts {
  readonly db: Database;
  readonly feeds: EventFeeds;
  readonly sender: WebhookSender;
  readonly keys: SecretKeys;
  readonly present: WebhookPresenter;
  readonly authorities: Authorities;
  readonly room: SendingRoom;
  readonly pace: SendingPace;
  /** Names this process in the rows that only it may write. */
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  onError(error: unknown): void;
}

/** A delivery with its body, until the receiver can get it. */
export interface Prepared {
  readonly delivery: DueDelivery;
  readonly body: string;
  /** By `performance.now()`, and the version of the changes by which its rights are. */
  readonly judgedAt: number;
  readonly version: number;
}

/** A webhook that sends, or whose tests are sent. */
export interface Sending {
  readonly webhook: WebhookRow;
  readonly secrets: WebhookSecrets;
  readonly receiver: ReceiverState;
  /** Deliveries that were claimed and whose outcomes are not stored, with what gives their room back. */
  readonly claimed: Map<string, () => void>;
  readonly prepared: Prepared[];
  /** True while prepared deliveries wait for requests of clients. */
  isPaced: boolean;
  /** Aborted: its requests end. */
  readonly ending: AbortController;
  /** Undefined: it begins now. */
  position: ReaderPosition | undefined;
  /** By `performance.now()`: when the position was last stored. */
  storedAt: number;
  /** Deliveries that wait, about. */
  waiting: number;
  /** Milliseconds since 1970 at which the next delivery may be due; 0: now. */
  dueAt: number;
  /** The rights of the webhook; undefined when it has none: then it is stopped. */
  scope(): Promise<WebhookScope | undefined>;
  /** Store its condition; `isReported`: an audit row and a notification report the failure, as they report a stop. */
  change(condition: WebhookCondition, isReported?: boolean): void;
  stopWith(reason: Reason): void;
}

/** An attempt that has ended. */
interface Ended {
  readonly sending: Sending;
  readonly outcome: DeliveryOutcome;
}

export interface Outbox {
  readonly parts: SendingParts;
  readonly workspace: { readonly id: number; readonly schema: string; readonly slug: string };
  readonly rate: ByteRate;
  readonly turns: Turns;
  readonly woken: WakeUpSignal;
  readonly sendings: Map<string, Sending>;
  /** Attempts whose outcomes are not stored yet. */
  readonly ended: Ended[];
  /** The definition by which events and webhooks are judged. */
  revision: number;
  /** True when webhooks or the definition may be others than those that are known. */
  isOutdated: boolean;
  /** By `performance.now()`: when changes were last read. */
  readAt: number;
  /** True when everything was read; false also when something was written since. */
  isLevel: boolean;
}

/** Only pings are sent for others. */
export function sends({ receiver }: Pick<Sending, 'receiver'>): boolean {
  const { stopped_at, verified_at } = receiver.condition();
  return stopped_at === null && verified_at !== null;
}

/** A delivery of the webhook may be due then, also when the webhook has changed meanwhile. */
export function expectDue({ sendings, woken }: Outbox, webhookId: string, at = 0): void {
  const sending = sendings.get(webhookId);
  if (sending !== undefined) sending.dueAt = Math.min(sending.dueAt, at);
  woken.notify();
}

/** A claim that came to nothing: the delivery stays as it is. */
export function release(outbox: Outbox, { claimed, webhook }: Sending, id: string, at = 0): void {
  claimed.get(id)?.();
  claimed.delete(id);
  expectDue(outbox, webhook.id, at);
}

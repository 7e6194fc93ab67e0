// Follows the changes of a workspace for one webhook, from its position on: what it asks for goes into its queue. It
// reads as its owner as they are now, and no further than the receiver keeps up.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookRow } from '../../control/webhook-rows.ts';
import { ApiError } from '../../errors.ts';
import { parsePosition, positionText, type ReaderPosition } from '../../plan/event-position.ts';
import { isChosen } from '../../plan/webhook-events.ts';
import type { WebhookScope } from '../../plan/webhook-plan.ts';
import type { ChangePage, ChangeQuestion, Expired } from '../events/change-reader.ts';
import { positionOf } from '../events/change-reader.ts';
import type { EventFeeds } from '../events/event-feed.ts';
import { openWakeUpSignal, type WakeUpSignal } from '../events/pacing.ts';

export interface ReaderOptions {
  readonly feeds: EventFeeds;
  readonly webhook: WebhookRow;
  /** As it is stored; null: from now on. */
  readonly position: string | null;
  readonly signal: AbortSignal;
  /** The rights of the webhook; undefined when it has none, and is stopped. */
  scope(): Promise<WebhookScope | undefined>;
  /** False while the receiver does not keep up. */
  hasRoom(): boolean;
  take(page: Pick<ChangePage, 'events'>, scope: WebhookScope, next: string): void;
  /** The position is no longer valid; nothing more is read. */
  expire(reason: Expired['expired']): void;
  onError(error: unknown): void;
}

export interface WebhookReader {
  /** There may be room again. */
  wake(): void;
  /** Resolves when it reads no more. */
  readonly ended: Promise<void>;
}

/** Events of one page. */
const PAGE = 64;
const WAIT_MS = 25_000;
const PAUSE_MS = 1000;

export function openWebhookReader(options: ReaderOptions): WebhookReader {
  const room = openWakeUpSignal();
  options.signal.addEventListener('abort', () => room.notify());
  return { wake: () => room.notify(), ended: follow(options, room) };
}

async function follow(options: ReaderOptions, room: WakeUpSignal): Promise<void> {
  const { signal } = options;
  let from = options.position === null ? undefined : parsePosition(options.position);
  let isFailing = false;
  while (!signal.aborted) {
    try {
      if (!options.hasRoom()) {
        await room.wait(0, PAUSE_MS);
        continue;
      }
      const scope = await options.scope();
      if (scope === undefined) return;
      if (from === undefined) {
        from = await presentOf(options, scope);
        options.take({ events: [] }, scope, positionText(from));
      }
      const page = await nextPage(options, scope, from);
      if ('expired' in page) return options.expire(page.expired);
      from = page.next;
      options.take(page, scope, positionText(page.next));
      isFailing = false;
    } catch (error) {
      if (!isFailing) options.onError(error);
      isFailing = true;
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
}

async function presentOf({ feeds }: ReaderOptions, scope: WebhookScope): Promise<ReaderPosition> {
  const present = await positionOf(feeds.outbox, scope, 'now');
  if ('expired' in present) throw new Error('the present has expired');
  return present;
}

/** The next events, or none after a wait. */
async function nextPage(
  { feeds, webhook, signal, scope: readScope }: ReaderOptions,
  scope: WebhookScope,
  from: ReaderPosition,
): Promise<ChangePage | Expired> {
  const question: ChangeQuestion = {
    reading: scope,
    from,
    limit: PAGE,
    isWanted: (event) => isChosen(webhook, event),
  };
  const page = feeds.isLevel(question) ? undefined : await feeds.read(question);
  if (page !== undefined && ('expired' in page || !isEmpty(page))) return page;
  const wait = { ...question, from: page?.next ?? from, milliseconds: WAIT_MS, signals: [signal] };
  return feeds.wait(wait, async () => {
    const now = await readScope();
    if (now === undefined) throw new ApiError('permission_denied');
    return now;
  });
}

function isEmpty({ events, isLevel }: ChangePage): boolean {
  return events.length === 0 && isLevel;
}

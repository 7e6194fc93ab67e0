// Follows the changes of a workspace for one webhook, from its position on: the events that it asks for go into its queue.
// It reads as its owner as they are now, and no further than the receiver keeps up. What is behind is read in pages, what
// is new comes from the feed that all readers of the workspace share.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookRow } from '../../control/webhook-rows.ts';
import { ApiError } from '../../errors.ts';
import { parsePosition, positionText, type ReaderPosition } from '../../plan/event-position.ts';
import { isChosen } from '../../plan/webhook-events.ts';
import type { WebhookScope } from '../../plan/webhook-plan.ts';
import { type ChangeEvent, type Expired, positionOf } from '../events/change-reader.ts';
import type { EventFeeds } from '../events/event-feed.ts';
import { openWakeUpSignal, type WakeUpSignal } from '../events/pacing.ts';
import { openWebhookSink } from './webhook-sink.ts';

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
  /** Events that the webhook asks for, and the position behind them. */
  take(events: readonly ChangeEvent[], scope: WebhookScope, next: string): void;
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
const PAGE = 200;
const PAUSE_MS = 1000;

export function openWebhookReader(options: ReaderOptions): WebhookReader {
  const room = openWakeUpSignal();
  options.signal.addEventListener('abort', () => room.notify());
  return { wake: () => room.notify(), ended: readAll(options, room) };
}

async function readAll(options: ReaderOptions, room: WakeUpSignal): Promise<void> {
  const { signal, position } = options;
  let from = position === null ? undefined : parsePosition(position);
  let isFailing = false;
  while (!signal.aborted) {
    try {
      if (!options.hasRoom()) {
        await room.wait(0, PAUSE_MS);
        continue;
      }
      const scope = await options.scope();
      if (scope === undefined) return;
      from ??= await beginNow(options, scope);
      const next = await readOrFollow({ options, scope, from });
      if ('expired' in next) return options.expire(next.expired);
      from = next;
      isFailing = false;
    } catch (error) {
      if (!isFailing) options.onError(error);
      isFailing = true;
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
}

/** The position is stored at once: what is written from here on is sent. */
async function beginNow(options: ReaderOptions, scope: WebhookScope): Promise<ReaderPosition> {
  const present = await positionOf(options.feeds.outbox, scope, 'now');
  if ('expired' in present) throw new Error('the present has expired');
  options.take([], scope, positionText(present));
  return present;
}

interface Reading {
  readonly options: ReaderOptions;
  readonly scope: WebhookScope;
  readonly from: ReaderPosition;
}

/** A page of what is behind, or everything that comes until the feed ends for this reader. */
async function readOrFollow(reading: Reading): Promise<ReaderPosition | Expired> {
  const { options, scope, from } = reading;
  const { feeds, webhook } = options;
  const isWanted = (event: ChangeEvent) => isChosen(webhook, event);
  const question = { reading: scope, from, limit: PAGE, isWanted };
  if (feeds.isLevel(question)) return follow(reading, from);
  const page = await feeds.read(question);
  if ('expired' in page) return page;
  const { events, next, isLevel } = page;
  options.take(events, scope, positionText(next));
  return isLevel ? follow(reading, next) : next;
}

async function follow({ options, scope }: Reading, from: ReaderPosition): Promise<ReaderPosition> {
  const { feeds, webhook, signal, hasRoom, take } = options;
  const sink = openWebhookSink({
    ...{ from, hasRoom },
    take(events, reading, next) {
      const chosen = events.filter((event) => isChosen(webhook, event));
      take(chosen, reading, positionText(next));
    },
  });
  const readAgain = async () => {
    const now = await options.scope();
    if (now === undefined) throw new ApiError('permission_denied');
    return now;
  };
  signal.addEventListener('abort', sink.end);
  try {
    if (signal.aborted) sink.end();
    await feeds.follow({ reading: scope, readAgain, sink }, from);
    return await sink.closed;
  } finally {
    signal.removeEventListener('abort', sink.end);
  }
}

// A feed of changes while it has readers: its position, its readers, and the readers that are behind, which read pages of
// their own until they are level (event-feed.ts).

import { setTimeout as sleep } from 'node:timers/promises';
import type { ConcurrencyLimit } from '../../control/process/limit-concurrency.ts';
import type { Changes } from '../../control/workspace/changes.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { EventPosition } from '../../plan/events/event-position.ts';
import { beyond, endFor, type Turns } from './event-moves.ts';
import { loadPage, type Outbox } from './event-pages.ts';
import { deliveryOf, type Subscriber } from './event-subscriber.ts';
import { refreshOutdated } from './fresh-rights.ts';
import type { WakeUpSignal } from './pacing.ts';

export interface Feed {
  readonly wakeUp: WakeUpSignal;
  readonly subscribers: Set<Subscriber>;
  /** The subscribers that have been sent exactly what `position` says; all others are catching up. */
  readonly current: Set<Subscriber>;
  position: EventPosition;
  /** The turns of the workspace since the feed began. */
  readonly turns: Turns;
  /** The newest model among the readers. */
  model: WorkspaceModel;
  /** Called with the moment of the next poll, or with nothing when there is none. */
  readonly waiting: ((moment: string | undefined) => void)[];
  /** True from a failure until a poll succeeds. */
  isFailing: boolean;
  /** The time by `performance.now()`: everything written before has been sent. */
  polledAt: number;
}

export interface State {
  /** Called when polling begins to fail. */
  onError(error: unknown): void;
  readonly outbox: Outbox;
  readonly changes: Changes;
  /** The feeds with readers by workspace. */
  readonly feeds: Map<number, Feed>;
  readonly limitCatchUp: ConcurrencyLimit;
}

/** Milliseconds between two polls, at most. */
export const POLL_INTERVAL_MS = 500;
/** Rows of one page. */
export const PAGE = 200;
/** Smallest page of a reader that is behind and takes little at once. */
const MIN_PORTION = 10;
/** Milliseconds until a reader at the end of a page that is being sent checks again. */
const RECHECK_MS = 20;

export function reportFailure({ onError }: State, feed: Feed, error: unknown): void {
  if (!feed.isFailing) onError(error);
  feed.isFailing = true;
}

/**
 * Bring a reader to where the feed is, as fast as its client reads. Nothing is buffered
 * meanwhile.
 */
export async function catchUp(state: State, feed: Feed, subscriber: Subscriber): Promise<void> {
  const { sink } = subscriber;
  const failed = (error: unknown) => {
    reportFailure(state, feed, error);
    return sleep(POLL_INTERVAL_MS);
  };
  while (sink.isOpen()) {
    const present = endOf(feed.position);
    const end = endFor(feed.turns, subscriber.position.delivered, present);
    const isLevel =
      subscriber.position.within === undefined && subscriber.position.delivered === end;
    if (!sink.hasRoom()) await sink.drained();
    else if (end === undefined) {
      sink.reset(subscriber.reading, 'database_recovered', present);
      subscriber.position = { delivered: present };
    } else if (!isLevel) {
      await state.limitCatchUp(() => advance(state, subscriber, end)).catch(failed);
    } else if (end !== present) {
      subscriber.position = { delivered: beyond(feed.turns, end) };
    } else if (feed.position.within !== undefined) await sleep(RECHECK_MS);
    else {
      feed.current.add(subscriber);
      return;
    }
  }
}

/** Read and give the next page to one reader. */
async function advance(state: State, subscriber: Subscriber, end: string): Promise<void> {
  if (!subscriber.sink.isOpen()) return;
  const { position, portion, sink } = subscriber;
  const { model } = subscriber.reading;
  const page = await loadPage(state.outbox, model, { position, end, limit: portion });
  await refreshOutdated(state, [subscriber]);
  const { reading } = subscriber;
  // The page has the keys of another definition, or nobody to be read by: it is read again.
  if (!sink.isOpen() || reading.model.revision !== model.revision) return;
  const delivery = deliveryOf(reading, page, position);
  const { isWhole, last } = sink.take(delivery);
  if (isWhole) subscriber.position = page.next;
  else if (last !== undefined) subscriber.position = delivery.at(last);
  // Few long comments fit: a smaller page saves reading the rest of them again each time.
  const taken = isWhole ? portion : page.rows.findIndex(({ place }) => place === last);
  subscriber.portion = Math.min(PAGE, 2 * Math.max(0, taken) + MIN_PORTION);
}

/** The moment up to which everything will have been sent when the current poll is over. */
function endOf({ delivered, within }: EventPosition): string {
  return within?.to ?? delivered;
}

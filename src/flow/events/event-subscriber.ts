// One reader of a feed of changes (event-feed.ts): the present rights, the position in the order of events, and the sink
// that takes them: a stream of Server-Sent Events (event-stream.ts) or a request that waits (change-wait.ts).

import { ApiError } from '../../errors.ts';
import {
  type EventRow,
  planEvents,
  type RightsEvent,
  type RowEvent,
} from '../../plan/events/event-plan.ts';
import {
  type EventPlace,
  type EventPosition,
  positionAt,
} from '../../plan/events/event-position.ts';
import { type ReaderRights, rightsMarkOf } from '../../plan/people/reader-rights.ts';
import type { Page } from './event-pages.ts';

/** Why a reader cannot continue from its position. */
export type ResetReason = 'too_far_behind' | 'database_recovered';

/** The rows of a page, and what of them a reader may know. */
export interface Delivery {
  readonly reading: ReaderRights;
  readonly rows: readonly EventRow[];
  readonly events: readonly RowEvent[];
  /** The position after the rows. */
  readonly next: EventPosition;
  /** The position after one of them. */
  at(place: EventPlace): EventPosition;
}

/** The part of a delivery that a sink took. */
export interface Taken {
  readonly isWhole: boolean;
  /** The place of the last row that it took; undefined: of none. */
  readonly last: EventPlace | undefined;
}

/** A sink gets each call with the rights of its reader at that time. */
export interface EventSink {
  isOpen(): boolean;
  /** False while it takes nothing. */
  hasRoom(): boolean;
  /** Resolves when it has room, or is closed. */
  drained(): Promise<void>;
  end(): void;
  onClose(handler: () => void): void;
  take(delivery: Delivery): Taken;
  /** Events before this moment are lost to the reader. */
  reset(reading: ReaderRights, reason: ResetReason, present: string): void;
  /** The definition or the rights have changed. */
  tell(reading: ReaderRights, events: readonly RightsEvent[]): void;
  /** Called also when there are no events; `moment`: everything before it has been sent. */
  rest(reading: ReaderRights, moment: string | undefined): void;
}

/** Loads the present rights of a reader. Errors: as for a request. */
export type ReadAgain = () => ReaderRights | Promise<ReaderRights>;

export interface Subscriber {
  reading: ReaderRights;
  readonly readAgain: ReadAgain;
  readonly sink: EventSink;
  position: EventPosition;
  /** Size of the next page when it has to catch up. */
  portion: number;
  /** The time by `performance.now()`. */
  readAgainAt: number;
  /** The version of `Changes` that `reading` was read at, or after; undefined: of the request. */
  version: number | undefined;
  /** A check of the rights that is under way. */
  checking: Promise<void> | undefined;
}

/** Milliseconds until rights are checked again: with what authentication caches, about a second (D14). */
const RIGHTS_HOLD = 400;
/** Size of the first page of a subscriber that has to catch up. */
const PORTION = 50;

export function openSubscriber(
  reader: Pick<Subscriber, 'reading' | 'readAgain' | 'sink'>,
  position: EventPosition,
): Subscriber {
  const readAgainAt = performance.now() + RIGHTS_HOLD;
  const unchecked = { version: undefined, checking: undefined };
  return { ...reader, ...unchecked, position, portion: PORTION, readAgainAt };
}

/** The part of a page, read from a position on, that a reader gets. */
export function deliveryOf(
  reading: ReaderRights,
  { rows, next, to }: Page,
  position: EventPosition,
): Delivery {
  const events = rows.flatMap((row) => planEvents(reading, row));
  return { reading, rows, events, next, at: (place) => positionAt(position, to, place) };
}

/** The outcomes of a check of rights. */
export interface RightsCheck {
  /** The version of the changes that it begins at. */
  readonly version: number;
  /** The events of changed rights. */
  eventsOf(reading: ReaderRights, before: string): Promise<readonly RightsEvent[]>;
  /** The check itself failed. */
  onFailure(error: unknown): void;
}

/** True when something has changed since the rights were read: nothing may be sent by them. */
export function isOutdated(subscriber: Subscriber, version: number): boolean {
  return subscriber.version !== version;
}

/** True when the rights may have ended by themselves. */
export function isDue({ readAgainAt }: Subscriber): boolean {
  return performance.now() >= readAgainAt;
}

/** Check the rights again, one check at a time, and tell of changes; ends the reader who has lost them. */
export function checkRights(subscriber: Subscriber, check: RightsCheck): Promise<void> | undefined {
  const { checking } = subscriber;
  if (checking !== undefined) {
    return checking.then(() =>
      isOutdated(subscriber, check.version) ? checkRights(subscriber, check) : undefined,
    );
  }
  const checked = checkOnce(subscriber, check);
  if (checked === undefined) return undefined;
  subscriber.checking = checked.finally(() => {
    subscriber.checking = undefined;
  });
  return subscriber.checking;
}

function checkOnce(subscriber: Subscriber, check: RightsCheck): Promise<void> | undefined {
  const now = performance.now();
  const { sink } = subscriber;
  const keep = (reading: ReaderRights) => {
    subscriber.readAgainAt = now + RIGHTS_HOLD;
    subscriber.version = check.version;
    const before = rightsMarkOf(subscriber.reading);
    if (before !== rightsMarkOf(reading)) return change(reading, before);
    subscriber.reading = reading;
    return undefined;
  };
  // The events come first: an id with the new rights says that the reader knows of them.
  const change = async (reading: ReaderRights, before: string) => {
    const events = await check.eventsOf(reading, before);
    subscriber.reading = reading;
    sink.tell(reading, events);
  };
  const give = (error: unknown) => {
    if (error instanceof ApiError && error.status < 500) sink.end();
    else check.onFailure(error);
  };
  try {
    const found = subscriber.readAgain();
    const kept = found instanceof Promise ? found.then(keep) : keep(found);
    return kept?.catch(give);
  } catch (error) {
    give(error);
    return undefined;
  }
}

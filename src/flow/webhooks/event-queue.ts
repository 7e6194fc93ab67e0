// The events of a webhook between the feed and its receiver: pages in their order, of which the position is known when
// all events of it and of the pages before are dealt with. Events of one record go one after the other.

import type { ShownEvent } from '../../plan/event-plan.ts';
import type { WebhookScope } from '../../plan/webhook-plan.ts';

/** A page of the feed of which events are not dealt with yet. */
interface OpenPage {
  left: number;
  /** The position behind it. */
  readonly next: string;
}

/** An event that was not sent yet. */
export interface QueuedEvent {
  readonly event: ShownEvent;
  /** The rights that it was judged by. */
  readonly scope: WebhookScope;
  /** `webhook-id`. */
  readonly id: string;
  /** Its record; null: its order does not matter. */
  readonly record: string | null;
  /** When its reader was found to have the right to it, by `performance.now()`. */
  readonly judgedAt: number;
  readonly page: OpenPage;
  /** Its place in the queue. */
  readonly number: number;
}

/** An event of a page. */
export type NewEvent = Pick<QueuedEvent, 'event' | 'scope' | 'id' | 'record'>;

export interface EventQueue {
  /** Events that wait or are being sent. */
  size(): number;
  /** Events that wait. */
  waiting(): number;
  add(events: readonly NewEvent[], next: string): void;
  /** Take at most so many from the front, at most one of a record. */
  take(most: number): readonly QueuedEvent[];
  /** Those that wait and came after the number `from`. */
  newer(from: number): readonly QueuedEvent[];
  /** These that wait are dealt with. */
  drop(queued: ReadonlySet<QueuedEvent>): void;
  /** Put one back in its place. */
  untake(queued: QueuedEvent): void;
  /** The event is dealt with; the next one of its record may be taken. */
  settle(queued: QueuedEvent): void;
  /** The position behind all that is dealt with, when it is another one than at the last call. */
  movedTo(): string | undefined;
}

export function openEventQueue(): EventQueue {
  const state: QueueState = {
    ...{ waiting: [], pages: [], busy: new Set(), taken: 0, added: 0, moved: undefined },
  };
  return {
    size: () => state.waiting.length + state.taken,
    waiting: () => state.waiting.length,
    add: (events, next) => addPage(state, events, next),
    take: (most) => takeFirst(state, most),
    newer: (from) => state.waiting.filter(({ number }) => number >= from),
    drop(dealt) {
      const left = state.waiting.filter((queued) => !dealt.has(queued));
      for (const { page } of dealt) page.left -= 1;
      state.waiting.splice(0, state.waiting.length, ...left);
      closePages(state);
    },
    untake(queued) {
      release(state, queued);
      const behind = state.waiting.findIndex(({ number }) => number > queued.number);
      state.waiting.splice(behind === -1 ? state.waiting.length : behind, 0, queued);
    },
    settle(queued) {
      release(state, queued);
      queued.page.left -= 1;
      closePages(state);
    },
    movedTo() {
      const { moved } = state;
      state.moved = undefined;
      return moved;
    },
  };
}

interface QueueState {
  readonly waiting: QueuedEvent[];
  readonly pages: OpenPage[];
  /** Records of events that were taken. */
  readonly busy: Set<string>;
  taken: number;
  added: number;
  moved: string | undefined;
}

function addPage(state: QueueState, events: readonly NewEvent[], next: string): void {
  const page = { left: events.length, next };
  const judgedAt = performance.now();
  state.pages.push(page);
  for (const event of events) {
    state.waiting.push({ ...event, judgedAt, page, number: state.added });
    state.added += 1;
  }
  closePages(state);
}

function takeFirst(state: QueueState, most: number): readonly QueuedEvent[] {
  const { waiting, busy } = state;
  const chosen: QueuedEvent[] = [];
  const passed = new Set<string>();
  for (const queued of waiting) {
    if (chosen.length >= most) break;
    const { record } = queued;
    const isFree = record === null || !(busy.has(record) || passed.has(record));
    if (record !== null) passed.add(record);
    if (isFree) chosen.push(queued);
  }
  for (const queued of chosen) {
    waiting.splice(waiting.indexOf(queued), 1);
    if (queued.record !== null) busy.add(queued.record);
  }
  state.taken += chosen.length;
  return chosen;
}

function release(state: QueueState, { record }: QueuedEvent): void {
  if (record !== null) state.busy.delete(record);
  state.taken -= 1;
}

function closePages(state: QueueState): void {
  while (state.pages[0]?.left === 0) state.moved = state.pages.shift()?.next;
}

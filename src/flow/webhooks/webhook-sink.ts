// The sink of a webhook at the feed of its workspace: it takes events as long as its queue has room, and is closed when it
// has none, so that nothing is read for a receiver that does not keep up.

import type { EventPosition, ReaderPosition } from '../../plan/event-position.ts';
import { type ReaderRights, rightsMarkOf } from '../../plan/reader-rights.ts';
import { type ChangeEvent, changesOf } from '../events/change-reader.ts';
import type { EventSink, Taken } from '../events/event-subscriber.ts';

export interface SinkOptions {
  readonly from: ReaderPosition;
  hasRoom(): boolean;
  /** All events behind a position; some may not be asked for. */
  take(events: readonly ChangeEvent[], reading: ReaderRights, next: ReaderPosition): void;
}

export interface WebhookSink extends EventSink {
  /** Resolves with the position when the sink is closed. */
  readonly closed: Promise<ReaderPosition>;
}

const WHOLE: Taken = Object.freeze({ isWhole: true, last: undefined });
const NONE: Taken = Object.freeze({ isWhole: false, last: undefined });

export function openWebhookSink({ from, hasRoom, take }: SinkOptions): WebhookSink {
  let last = from;
  let isOpen = true;
  const handlers: (() => void)[] = [];
  let close: (position: ReaderPosition) => void = () => undefined;
  const closed = new Promise<ReaderPosition>((resolve) => {
    close = resolve;
  });
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    for (const handler of handlers) handler();
    close(last);
  };
  const note = (reading: ReaderRights, position: EventPosition, events: readonly ChangeEvent[]) => {
    last = { position, rights: rightsMarkOf(reading), at: Date.now() };
    take(events, reading, last);
  };
  return {
    closed,
    isOpen: () => isOpen,
    hasRoom,
    async drained() {
      end();
    },
    end,
    onClose: (handler) => handlers.push(handler),
    take({ reading, events, next }) {
      if (!hasRoom()) {
        end();
        return NONE;
      }
      note(reading, next, changesOf(events));
      return WHOLE;
    },
    // Read again from the position: that says whether it is still valid.
    reset: end,
    tell: (reading, events) => note(reading, last.position, events),
    rest(reading, moment) {
      if (moment !== undefined && moment !== last.position.delivered) {
        note(reading, { delivered: moment }, []);
      }
    },
  };
}

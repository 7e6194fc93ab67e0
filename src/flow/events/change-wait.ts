// A request that waits for changes: a sink that takes the first events its reader wants, and ends
// (docs/design/changes.md).

import type { CancelSignal } from '../../model/cancel-signal.ts';
import type { EventPosition, ReaderPosition } from '../../plan/events/event-position.ts';
import { type ReaderRights, rightsMarkOf } from '../../plan/people/reader-rights.ts';
import {
  type ChangeEvent,
  type ChangePage,
  type ChangeQuestion,
  changesOf,
  type Expired,
} from './change-reader.ts';
import type { Delivery, EventSink, Taken } from './event-subscriber.ts';

export interface ChangeWait extends ChangeQuestion {
  readonly milliseconds: number;
  /** Each of them ends the wait. */
  readonly signals: readonly CancelSignal[];
}

export interface WaitingSink {
  readonly sink: EventSink;
  /** Resolves with the first events, or without any when the time is over. */
  readonly ended: Promise<ChangePage | Expired>;
}

const WHOLE: Taken = Object.freeze({ isWhole: true, last: undefined });

export function openWait(wait: ChangeWait): WaitingSink {
  const { limit, isWanted, from } = wait;
  let position: EventPosition = from.position;
  let isOpen = true;
  const handlers: (() => void)[] = [];
  let resolve: (answer: ChangePage | Expired) => void = () => undefined;
  const ended = new Promise<ChangePage | Expired>((done) => {
    resolve = done;
  });
  const end = (answer: ChangePage | Expired) => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    for (const signal of wait.signals) signal.removeEventListener('abort', endEmpty);
    for (const handler of handlers) handler();
    resolve(answer);
  };
  const endWith = (rights: string, events: readonly ChangeEvent[]) => {
    const next: ReaderPosition = { position, rights, at: Date.now() };
    end({ events, next, isLevel: position.within === undefined });
  };
  const endEmpty = () => endWith(from.rights, []);
  const timer = setTimeout(endEmpty, wait.milliseconds);
  for (const signal of wait.signals) signal.addEventListener('abort', endEmpty);
  if (wait.signals.some(({ aborted }) => aborted)) endEmpty();
  const sink: EventSink = {
    isOpen: () => isOpen,
    hasRoom: () => true,
    drained: () => Promise.resolve(),
    end: endEmpty,
    onClose: (handler) => handlers.push(handler),
    take(delivery) {
      const { events, next } = firstWanted(delivery, { limit, isWanted });
      position = next;
      if (events.length > 0) endWith(rightsMarkOf(delivery.reading), events);
      return WHOLE;
    },
    reset: () => end({ expired: 'restored' }),
    tell(reading: ReaderRights, events) {
      endWith(rightsMarkOf(reading), events.filter(isWanted));
    },
    rest(_, moment) {
      if (moment !== undefined) position = { delivered: moment };
    },
  };
  return { sink, ended };
}

/** The wanted events of a delivery up to a limit, and the position behind them. */
function firstWanted(
  { events, next, at }: Delivery,
  { limit, isWanted }: Pick<ChangeQuestion, 'limit' | 'isWanted'>,
): { readonly events: readonly ChangeEvent[]; readonly next: EventPosition } {
  const wanted = changesOf(events).filter(isWanted);
  if (wanted.length <= limit) return { events: wanted, next };
  const shown = wanted.slice(0, limit);
  const last = shown.at(-1);
  return { events: shown, next: last !== undefined && 'row' in last ? at(last.row.place) : next };
}

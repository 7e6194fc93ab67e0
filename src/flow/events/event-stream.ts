// The sink of live events: a stream of Server-Sent Events, written as fast as its client reads.

import { say } from '../../messages/message.ts';
import { eventIdAt } from '../../plan/events/event-id.ts';
import type { RightsEvent, RowEvent, ShownEvent } from '../../plan/events/event-plan.ts';
import type { EventPlace } from '../../plan/events/event-position.ts';
import type { ReaderRights } from '../../plan/people/reader-rights.ts';
import type { Delivery, EventSink, ResetReason, Taken } from './event-subscriber.ts';
import type { Start } from './stream-start.ts';

/** A connection of Server-Sent Events to a client. */
export interface SseConnection {
  isOpen(): boolean;
  /** False while the buffer of the client is full. */
  hasRoom(): boolean;
  write(text: string): void;
  /** Resolves when the client has read the buffered text or has disconnected. */
  drained(): Promise<void>;
  end(): void;
  onClose(handler: () => void): void;
}

/** An event in its wire form. */
export type PresentEvent = (reading: ReaderRights, event: ShownEvent) => unknown;

/** The start of a stream. */
export interface StreamStart extends Pick<Start, 'position' | 'at' | 'reset' | 'rights'> {
  readonly reading: ReaderRights;
}

/** Milliseconds between two heartbeats. */
const HEARTBEAT = 15_000;
/** Characters that are written before the buffer of the client is checked again. */
const PIECE = 16_384;

const MESSAGES = Object.freeze({
  too_far_behind: say('stream_too_far_behind').text,
  database_recovered: say('stream_database_restored').text,
} as const satisfies Record<ResetReason, string>);

/** Send the reconnection time, the position at which the stream begins, and how the rights have changed. */
export function openStream(
  connection: SseConnection,
  present: PresentEvent,
  start: StreamStart,
): EventSink {
  let writtenAt = performance.now();
  const write = (text: string) => {
    connection.write(text);
    writtenAt = performance.now();
  };
  const tell = (reading: ReaderRights, events: readonly RightsEvent[]) => {
    if (events.length > 0) write(events.map((event) => textOf(reading, event, present)).join(''));
  };
  const { reading, position, at, reset, rights } = start;
  const id = idLineOf(reading, position.delivered, at);
  write(`retry: 1000\n${reset === undefined ? `${id}\n` : `\n${id}${resetText(reset)}`}`);
  tell(reading, rights);
  return {
    isOpen: () => connection.isOpen(),
    hasRoom: () => connection.hasRoom(),
    drained: () => connection.drained(),
    end: () => connection.end(),
    onClose: (handler) => connection.onClose(handler),
    take: (delivery) => writePieces(connection, write, piecesOf(delivery, present)),
    reset: (now, reason, moment) => write(`${idLineOf(now, moment)}${resetText(reason)}`),
    tell,
    // Heartbeats carry the position, so that a client that reconnects does not get all events again.
    rest(now, moment) {
      if (performance.now() - writtenAt < HEARTBEAT || !connection.hasRoom()) return;
      write(`: heartbeat\n${moment === undefined ? '' : idLineOf(now, moment)}\n`);
    },
  };
}

/** Write as long as there is room. */
function writePieces(
  connection: SseConnection,
  write: (text: string) => void,
  pieces: readonly Piece[],
): Taken {
  let last: EventPlace | undefined;
  for (const piece of pieces) {
    if (!connection.hasRoom()) return { isWhole: false, last };
    write(piece.text);
    last = piece.last;
  }
  return { isWhole: true, last };
}

/** Text to write, with the place of the last row that it contains. */
interface Piece {
  readonly text: string;
  readonly last: EventPlace;
}

/** Streams of one caller get the same text. */
const written = new WeakMap<Delivery, readonly Piece[]>();

function piecesOf(delivery: Delivery, present: PresentEvent): readonly Piece[] {
  const pieces = written.get(delivery) ?? writtenPieces(delivery, present);
  written.set(delivery, pieces);
  return pieces;
}

/**
 * When the events complete a poll, the last one carries the `id` of its moment: a client that is disconnected before it
 * gets these events again.
 */
function writtenPieces(
  { reading, events, next }: Delivery,
  present: PresentEvent,
): readonly Piece[] {
  const complete = next.within === undefined ? next.delivered : undefined;
  const end = events.length - 1;
  const pieces: Piece[] = [];
  let text = '';
  events.forEach((event: RowEvent, index) => {
    if (index === end && complete !== undefined) text += idLineOf(reading, complete);
    text += textOf(reading, event, present);
    const isRowEnd = events[index + 1]?.row !== event.row;
    if (index < end && (text.length < PIECE || !isRowEnd)) return;
    pieces.push({ text, last: event.row.place });
    text = '';
  });
  return pieces;
}

function textOf(reading: ReaderRights, event: ShownEvent, present: PresentEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(present(reading, event))}\n\n`;
}

function resetText(reason: ResetReason): string {
  return `event: reset\ndata: ${JSON.stringify({ reason, message: MESSAGES[reason] })}\n\n`;
}

/** The `id` line of the position: everything that the moment sees has been sent. */
function idLineOf(reading: ReaderRights, moment: string, at?: number): string {
  return `id: ${eventIdAt(reading, moment, at)}\n`;
}

// One reader of live events: what they may read by now, how far they have been told, and the way to them.
// What there is to tell, a feed brings (event-feed.ts).

import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { sealEventId } from '../plan/event-id.ts';
import {
  type EventPosition,
  type EventRow,
  planEvents,
  type ShownEvent,
} from '../plan/event-plan.ts';
import type { ResetReason } from './event-pages.ts';

/** A connection of Server-Sent Events to a client. */
export interface SseConnection {
  isOpen(): boolean;
  /** False while as much waits to be read by the client as may be kept for it. */
  hasRoom(): boolean;
  write(text: string): void;
  /** When the client has read what waited for it, or is gone. */
  drained(): Promise<void>;
  end(): void;
  onClose(handler: () => void): void;
}

/** Who reads, by their present rights. */
export interface Reading {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

/** Someone who asks for events. */
export interface EventReader {
  readonly reading: Reading;
  /** What they may read by now. Errors: as for a request. */
  readAgain(): Reading | Promise<Reading>;
  /** An event as clients see it. */
  present(event: ShownEvent): unknown;
}

export interface EventStream extends EventReader {
  reading: Reading;
  readonly connection: SseConnection;
  position: EventPosition;
  /** Rows to read at once when it is behind. */
  portion: number;
  /** By `performance.now()`. */
  readAgainAt: number;
  writtenAt: number;
}

/** Milliseconds until rights are checked again: with what authentication caches, about a second (D14). */
const RIGHTS_HOLD = 400;
/** Milliseconds after which a stream shows that it is alive. */
const HEARTBEAT = 15_000;
/** Rows that one who is behind is read at first. */
const PORTION = 50;
/** Characters that are written at once before the client is looked at again. */
const PIECE = 16_384;

/** Where a stream begins. */
export interface Start {
  readonly position: EventPosition;
  /** Set when the client cannot be told all that came after what it knows. */
  readonly reset: ResetReason | undefined;
  /** The present moment. */
  readonly present: string;
}

/** Open the stream: what the client does when it breaks, and where it begins. */
export function openStream(
  { reading, readAgain, present }: EventReader,
  connection: SseConnection,
  { position, reset }: Start,
): EventStream {
  const now = performance.now();
  const stream = { reading, readAgain, present, connection, position };
  const id = idLineOf(reading.model, position.delivered);
  const first = reset === undefined ? `${id}\n` : `\n${id}${resetOf(reset)}`;
  connection.write(`retry: 1000\n${first}`);
  return { ...stream, portion: PORTION, readAgainAt: now + RIGHTS_HOLD, writtenAt: now };
}

const MESSAGES = Object.freeze({
  too_far_behind: 'There were too many changes to send. Read again what you need.',
  database_recovered: 'The database had to recover. Read again what you need.',
} as const satisfies Record<ResetReason, string>);

function resetOf(reason: ResetReason): string {
  return `event: reset\ndata: ${JSON.stringify({ reason, message: MESSAGES[reason] })}\n\n`;
}

/** Tell the client to read again, and go on from a moment of the present. */
export function resetStream(stream: EventStream, reason: ResetReason, present: string): void {
  stream.connection.write(`${idLineOf(stream.reading.model, present)}${resetOf(reason)}`);
  stream.writtenAt = performance.now();
  stream.position = { delivered: present };
}

/**
 * Look at the rights again when it is time to; ends the stream of who may not read any more. `onFailure`
 * is told when it cannot be known.
 */
export function refreshStream(
  stream: EventStream,
  onFailure: (error: unknown) => void,
): Promise<void> | undefined {
  const now = performance.now();
  if (now < stream.readAgainAt) return undefined;
  const keep = (reading: Reading) => {
    stream.reading = reading;
    stream.readAgainAt = now + RIGHTS_HOLD;
  };
  const give = (error: unknown) => {
    if (error instanceof ApiError && error.status < 500) stream.connection.end();
    else onFailure(error);
  };
  try {
    const found = stream.readAgain();
    if (found instanceof Promise) return found.then(keep).catch(give);
    keep(found);
  } catch (error) {
    give(error);
  }
  return undefined;
}

/** Texts to write, each with the last row it tells of. */
export interface Piece {
  readonly text: string;
  readonly last: EventRow;
}

/**
 * What a reader is told of these rows. The last event carries `id`, when with them a look is complete:
 * of what is cut off before it the client is told again.
 */
export function piecesOf(
  { reading, present }: EventReader,
  rows: readonly EventRow[],
  id: string | undefined,
): readonly Piece[] {
  const { model, caller } = reading;
  const events = rows.flatMap((row) => planEvents(model, caller, row));
  const end = events.length - 1;
  const pieces: Piece[] = [];
  let text = '';
  events.forEach((event, index) => {
    if (index === end && id !== undefined) text += id;
    text += `event: ${event.name}\ndata: ${JSON.stringify(present(event))}\n\n`;
    const isRowEnd = events[index + 1]?.row !== event.row;
    if (index < end && (text.length < PIECE || !isRowEnd)) return;
    pieces.push({ text, last: event.row });
    text = '';
  });
  return pieces;
}

/** Write as long as there is room; answers the last row that was written when not all were. */
export function writePieces(
  stream: EventStream,
  pieces: readonly Piece[],
): { readonly isWhole: boolean; readonly last: EventRow | undefined } {
  let last: EventRow | undefined;
  for (const piece of pieces) {
    if (!stream.connection.hasRoom()) return { isWhole: false, last };
    stream.connection.write(piece.text);
    stream.writtenAt = performance.now();
    last = piece.last;
  }
  return { isWhole: true, last };
}

/** A quiet stream still says how far it is, so that who comes back need not be told of all again. */
export function writeHeartbeat(stream: EventStream, id = ''): void {
  const now = performance.now();
  if (now - stream.writtenAt < HEARTBEAT || !stream.connection.hasRoom()) return;
  stream.connection.write(`: heartbeat\n${id}\n`);
  stream.writtenAt = now;
}

/** The line that tells a client how far it is: all that the moment sees. */
export function idLineOf(model: WorkspaceModel, moment: string): string {
  return `id: ${sealEventId(model.cursor_secret, moment)}\n`;
}

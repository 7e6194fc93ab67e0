// One stream of live events: the present rights of its reader, its position in the order of events, and its
// connection. The events themselves come from a feed (event-feed.ts).

import { ApiError } from '../../errors.ts';
import { sealEventId } from '../../plan/event-id.ts';
import {
  type EventPosition,
  type EventRow,
  planEvents,
  type ShownEvent,
} from '../../plan/event-plan.ts';
import type { ResetReason } from './event-pages.ts';
import { type ReaderRights, rightsMarkOf, whatDiffers } from './event-rights.ts';

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

/** A request for events. */
export interface EventReader {
  readonly reading: ReaderRights;
  /** Load the present rights of the reader. Errors: as for a request. */
  readAgain(): ReaderRights | Promise<ReaderRights>;
  /** An event in its wire form. */
  present(event: ShownEvent): unknown;
}

export interface EventStream extends EventReader {
  reading: ReaderRights;
  readonly connection: SseConnection;
  position: EventPosition;
  /** Size of the next page when the stream has to catch up. */
  portion: number;
  /** By `performance.now()`. */
  readAgainAt: number;
  writtenAt: number;
}

/**
 * Milliseconds until rights are checked again: with what authentication caches, about a second
 * (D14).
 */
const RIGHTS_HOLD = 400;
/** Milliseconds between two heartbeats. */
const HEARTBEAT = 15_000;
/** Size of the first page of a stream that has to catch up. */
const PORTION = 50;
/** Characters that are written before the buffer of the client is checked again. */
const PIECE = 16_384;

/** Where a stream begins. */
export interface Start {
  readonly position: EventPosition;
  /** What the reader might read then. */
  readonly rights: string;
  /** Set when events after the client's position can no longer be sent. */
  readonly reset: ResetReason | undefined;
  /** The present moment. */
  readonly present: string;
}

/**
 * Open the stream: send the reconnection time, the position at which it begins, and what is not as it was.
 */
export function openStream(
  { reading, readAgain, present }: EventReader,
  connection: SseConnection,
  { position, rights, reset }: Start,
): EventStream {
  const now = performance.now();
  const stream = { reading, readAgain, present, connection, position };
  const id = idLineOf(reading, position.delivered);
  const first = reset === undefined ? `${id}\n` : `\n${id}${resetOf(reset)}`;
  connection.write(`retry: 1000\n${first}`);
  const changed = whatDiffers(rights, rightsMarkOf(reading));
  if (changed !== undefined) connection.write(changeOf(changed));
  return { ...stream, portion: PORTION, readAgainAt: now + RIGHTS_HOLD, writtenAt: now };
}

const MESSAGES = Object.freeze({
  too_far_behind: 'There were too many changes to send. Reload your data.',
  database_recovered: 'The database recovered from a crash. Reload your data.',
} as const satisfies Record<ResetReason, string>);

function resetOf(reason: ResetReason): string {
  return `event: reset\ndata: ${JSON.stringify({ reason, message: MESSAGES[reason] })}\n\n`;
}

/**
 * Send `reset`, which tells the client to load its data again, and continue from the present
 * moment.
 */
export function resetStream(stream: EventStream, reason: ResetReason, present: string): void {
  stream.connection.write(`${idLineOf(stream.reading, present)}${resetOf(reason)}`);
  stream.writtenAt = performance.now();
  stream.position = { delivered: present };
}

/**
 * Check the rights again when they are due; ends the stream of a reader who has lost them. `onFailure`
 * is called when the check itself fails.
 */
export function refreshStream(
  stream: EventStream,
  onFailure: (error: unknown) => void,
): Promise<void> | undefined {
  const now = performance.now();
  if (now < stream.readAgainAt) return undefined;
  const keep = (reading: ReaderRights) => {
    const reason = whatDiffers(rightsMarkOf(stream.reading), rightsMarkOf(reading));
    stream.reading = reading;
    if (reason !== undefined) stream.connection.write(changeOf(reason));
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

function changeOf(reason: 'definition' | 'rights'): string {
  const message = 'Your permissions have changed. Reload your data.';
  return `event: workspace.changed\ndata: ${JSON.stringify({ reason, message })}\n\n`;
}

/** Texts to write, each with the last row that it contains. */
export interface Piece {
  readonly text: string;
  readonly last: EventRow;
}

/**
 * The events of these rows for a reader. When they complete a poll, up to that moment, the last event carries its
 * `id`: a client that is disconnected before it gets these events again.
 */
export function piecesOf(
  { reading, present }: EventReader,
  rows: readonly EventRow[],
  complete: string | undefined,
): readonly Piece[] {
  const { model, caller } = reading;
  const events = rows.flatMap((row) => planEvents(model, caller, row));
  const end = events.length - 1;
  const pieces: Piece[] = [];
  let text = '';
  events.forEach((event, index) => {
    if (index === end && complete !== undefined) text += idLineOf(reading, complete);
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

/**
 * Heartbeats carry the position, so that a client that reconnects does not get all events again.
 */
export function writeHeartbeat(stream: EventStream, moment: string | undefined): void {
  const now = performance.now();
  if (now - stream.writtenAt < HEARTBEAT || !stream.connection.hasRoom()) return;
  const id = moment === undefined ? '' : idLineOf(stream.reading, moment);
  stream.connection.write(`: heartbeat\n${id}\n`);
  stream.writtenAt = now;
}

/** The `id` line of the position: everything that the moment sees has been sent. */
function idLineOf(reading: ReaderRights, moment: string): string {
  return `id: ${eventIdAt(reading, moment)}\n`;
}

/** To continue from a moment: the `id` of everything before it. */
export function eventIdAt(reading: ReaderRights, moment: string): string {
  return sealEventId(reading.model.cursor_secret, { moment, rights: rightsMarkOf(reading) });
}

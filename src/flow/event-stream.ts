// One stream of live events: the present rights of its reader, its position in the order of events, and its
// connection. The events themselves come from a feed (event-feed.ts).

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
  /** False while the buffer of the client is full. */
  hasRoom(): boolean;
  write(text: string): void;
  /** Resolves when the client has read the buffered text or has disconnected. */
  drained(): Promise<void>;
  end(): void;
  onClose(handler: () => void): void;
}

/** The reader with their present rights. */
export interface Reading {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

/** A request for events. */
export interface EventReader {
  readonly reading: Reading;
  /** Load the present rights of the reader. Errors: as for a request. */
  readAgain(): Reading | Promise<Reading>;
  /** An event in its wire form. */
  present(event: ShownEvent): unknown;
}

export interface EventStream extends EventReader {
  reading: Reading;
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
  /** Set when events after the client's position can no longer be sent. */
  readonly reset: ResetReason | undefined;
  /** The present moment. */
  readonly present: string;
}

/** Open the stream: send the reconnection time and the position at which it begins. */
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

/**
 * Send `reset`, which tells the client to load its data again, and continue from the present
 * moment.
 */
export function resetStream(stream: EventStream, reason: ResetReason, present: string): void {
  stream.connection.write(`${idLineOf(stream.reading.model, present)}${resetOf(reason)}`);
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
  const keep = (reading: Reading) => {
    const reason = whatDiffers(stream.reading, reading);
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

/** Why what the reader was sent before may be read otherwise now; undefined when it may not (D320). */
function whatDiffers(before: Reading, after: Reading): 'definition' | 'rights' | undefined {
  if (before.caller === after.caller) return undefined;
  if (before.model.revision !== after.model.revision) return 'definition';
  return rightsOf(before) === rightsOf(after) ? undefined : 'rights';
}

/** With one definition, roles and teams decide all of them. */
function rightsOf({ caller: { access, team_ids, colleague_ids } }: Reading): string {
  const sorted = [[...access.roles], [...team_ids], [...colleague_ids]].map((part) => part.sort());
  return JSON.stringify(sorted);
}

function changeOf(reason: 'definition' | 'rights'): string {
  const message = 'What you may read has changed. Read again what you need.';
  return `event: workspace.changed\ndata: ${JSON.stringify({ reason, message })}\n\n`;
}

/** Texts to write, each with the last row that it contains. */
export interface Piece {
  readonly text: string;
  readonly last: EventRow;
}

/**
 * The events of these rows for a reader. The last event carries `id` when the rows complete a poll: a client
 * that is disconnected before it gets these events again.
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

/**
 * Heartbeats carry the position, so that a client that reconnects does not get all events again.
 */
export function writeHeartbeat(stream: EventStream, id = ''): void {
  const now = performance.now();
  if (now - stream.writtenAt < HEARTBEAT || !stream.connection.hasRoom()) return;
  stream.connection.write(`: heartbeat\n${id}\n`);
  stream.writtenAt = now;
}

/** The `id` line of the position: everything that the moment sees has been sent. */
export function idLineOf(model: WorkspaceModel, moment: string): string {
  return `id: ${sealEventId(model.cursor_secret, moment)}\n`;
}

// The feeds of live events: each workspace with readers polls its outbox once for all of them, at once
// after a write of this process and at the latest after half a second; a reader that is behind catches up
// with pages of its own (D58, docs/design/live-events.md).

import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ConcurrencyLimit, limitConcurrency } from '../../control/limit-concurrency.ts';
import { loadMomentOf } from '../../control/moments.ts';
import type { Caller } from '../../model/access.ts';
import type { WorkspaceModel } from '../../model/model.ts';
import type { EventPosition } from '../../plan/event-plan.ts';
import { epochOf } from '../../plan/snapshot-moment.ts';
import type { Shareable } from '../../postgres/db.ts';
import { beyond, endFor, type Moves, noteMove } from './event-moves.ts';
import { loadPage, loadPresent, type Page, positionAt, requireEventId } from './event-pages.ts';
import { type ReaderRights, rightsMarkOf } from './event-rights.ts';
import {
  type EventReader,
  type EventStream,
  openStream,
  type Piece,
  piecesOf,
  refreshStream,
  resetStream,
  type SseConnection,
  type Start,
  writeHeartbeat,
  writePieces,
} from './event-stream.ts';
import { openWakeUpSignal, type WakeUpSignal } from './pacing.ts';

export interface EventFeeds {
  /**
   * Admit a reader: from the event that the id names, else from now on. What it returns starts the
   * stream on a connection. Errors: `validation_failed` for the id.
   */
  enter(
    reader: EventReader,
    lastEventId: string | undefined,
  ): Promise<(connection: SseConnection) => void>;
  /** Called after a write to the workspace. */
  wake(workspaceId: number): void;
  /** Milliseconds since the last poll of the feed that is furthest behind; 0 without readers. */
  lag(): number;
}

export interface EventFeedOptions {
  readonly db: Shareable;
  /** Called when polling begins to fail; it is repeated until it succeeds. */
  onError(error: unknown): void;
}

interface Feed {
  readonly wakeUp: WakeUpSignal;
  readonly streams: Set<EventStream>;
  /** The streams that have been sent exactly what `position` says; all others are catching up. */
  readonly current: Set<EventStream>;
  position: EventPosition;
  /** Those of the workspace since the feed began. */
  readonly moves: Moves;
  /** The newest model among the readers. */
  model: WorkspaceModel;
  /** Called with the moment of the next poll, or with nothing when there is none. */
  readonly waiting: ((moment: string | undefined) => void)[];
  /** True from a failure until a poll succeeds. */
  isFailing: boolean;
  /** By `performance.now()`: what was written before has been sent. */
  polledAt: number;
}

interface State extends EventFeedOptions {
  /** By workspace; only those with readers. */
  readonly feeds: Map<number, Feed>;
  readonly limitCatchUp: ConcurrencyLimit;
}

/** Milliseconds between two polls: at most, and at least however much is written. */
const POLL_INTERVAL_MS = 500;
const MIN_GAP_MS = 15;
/** Polling may take this part of the time: one in so many. */
const SHARE = 2;
/** Rows of one page. */
const PAGE = 200;
/** Smallest page of a reader that is behind and takes little at once. */
const MIN_PORTION = 10;
/** Readers that are brought up to date at the same time. */
const MAX_CATCH_UPS = 4;
/** Readers whose rights are checked before the event loop may do other work. */
const REFRESHED_AT_ONCE = 200;
/** Milliseconds until a reader at the end of a page that is being sent checks again. */
const RECHECK_MS = 20;

export function openEventFeeds(options: EventFeedOptions): EventFeeds {
  const feeds = new Map<number, Feed>();
  const state: State = { ...options, feeds, limitCatchUp: limitConcurrency(MAX_CATCH_UPS) };
  return {
    async enter(reader, lastEventId) {
      const start = await startOf(state, reader, lastEventId);
      return (connection) => attach(state, openStream(reader, connection, start), start);
    },
    wake(workspaceId) {
      feeds.get(workspaceId)?.wakeUp.notify();
    },
    lag() {
      const now = performance.now();
      return Math.max(0, ...[...feeds.values()].map(({ polledAt }) => now - polledAt));
    },
  };
}

/** Where a stream begins. Errors: `validation_failed` for the id. */
async function startOf(
  state: State,
  { reading }: EventReader,
  lastEventId: string | undefined,
): Promise<Start> {
  const { model } = reading;
  if (lastEventId === undefined) return startNow(state, reading);
  const { moment: delivered, rights } = requireEventId(model, lastEventId);
  const moves = state.feeds.get(model.workspace.id)?.moves;
  const isPassed = moves?.has(epochOf(delivered)) === true;
  const { moment, reset } = await loadPresent(state.db, model, { delivered, isPassed });
  if (reset !== undefined) return { ...(await startNow(state, reading)), rights, reset };
  return { position: { delivered }, present: moment, rights, reset };
}

async function startNow(state: State, reading: ReaderRights): Promise<Start> {
  const present = await loadNow(state, reading.model);
  const rights = rightsMarkOf(reading);
  return { position: { delivered: present }, present, rights, reset: undefined };
}

/**
 * The present moment; with a feed, that of its next poll, so that feed and stream begin together.
 */
async function loadNow({ db, feeds }: State, model: WorkspaceModel): Promise<string> {
  const feed = feeds.get(model.workspace.id);
  const next =
    feed &&
    (await new Promise<string | undefined>((resolve) => {
      feed.waiting.push(resolve);
      feed.wakeUp.notify();
    }));
  return next ?? loadMomentOf(db, model.schema);
}

/** Add a stream to the feed of its workspace; the first one starts the feed. */
function attach(state: State, stream: EventStream, { present }: Start): void {
  const { model } = stream.reading;
  const { id } = model.workspace;
  const known = state.feeds.get(id);
  const feed = known ?? openFeed(model, present);
  feed.streams.add(stream);
  stream.connection.onClose(() => {
    feed.streams.delete(stream);
    feed.current.delete(stream);
  });
  void catchUp(state, feed, stream);
  if (known !== undefined) return;
  state.feeds.set(id, feed);
  void run(state, id, feed);
}

function openFeed(model: WorkspaceModel, present: string): Feed {
  return {
    model,
    wakeUp: openWakeUpSignal(),
    streams: new Set(),
    current: new Set(),
    position: { delivered: present },
    moves: new Map(),
    waiting: [],
    isFailing: false,
    polledAt: performance.now(),
  };
}

/** Poll until the feed has no readers. */
async function run(state: State, workspaceId: number, feed: Feed): Promise<void> {
  let gap = MIN_GAP_MS;
  for (;;) {
    await feed.wakeUp.wait(gap, POLL_INTERVAL_MS);
    if (feed.streams.size === 0) break;
    const started = performance.now();
    const waiting = feed.waiting.splice(0);
    try {
      // Rights are refreshed after the events, so as not to delay them; after a failure, before them.
      if (feed.isFailing) await refresh(feed);
      await poll(state, feed);
      await refresh(feed);
      feed.isFailing = false;
      feed.polledAt = started;
    } catch (error) {
      reportFailure(state, feed, error);
    }
    for (const resolve of waiting) resolve(feed.isFailing ? undefined : feed.position.delivered);
    sendHeartbeats(feed);
    gap = feed.isFailing ? POLL_INTERVAL_MS : gapAfter(performance.now() - started);
  }
  state.feeds.delete(workspaceId);
  for (const resolve of feed.waiting) resolve(undefined);
}

function reportFailure({ onError }: EventFeedOptions, feed: Feed, error: unknown): void {
  if (!feed.isFailing) onError(error);
  feed.isFailing = true;
}

/** Send what is new to the current streams. What was sent stays sent when a later page fails. */
async function poll(state: State, feed: Feed): Promise<void> {
  for (;;) {
    const model = newestModel(feed);
    const { delivered, within } = feed.position;
    const present = within?.to ?? (await look(state, feed, model));
    const end = endFor(feed.moves, delivered, present);
    if (end === undefined) return restart(state, feed, present);
    const page = await loadPage(state.db, model, { position: feed.position, end, limit: PAGE });
    deliver(state, feed, page);
    feed.position = page.next;
    if (page.next.within !== undefined) continue;
    const next = beyond(feed.moves, end);
    if (next === end) return;
    feed.position = { delivered: next };
  }
}

/** The present moment; when the workspace was moved since the last poll, that is noted. */
async function look({ db }: State, feed: Feed, { schema }: WorkspaceModel): Promise<string> {
  const { delivered } = feed.position;
  const present = await loadMomentOf(db, schema, delivered);
  const elapsed = performance.now() - feed.polledAt;
  await noteMove(db, schema, feed.moves, { before: delivered, now: present, elapsed });
  return present;
}

/** Start from the present after a crash of PostgreSQL; streams are reset as they catch up. */
function restart(state: State, feed: Feed, present: string): void {
  const { current, position } = feed;
  feed.position = { delivered: present };
  for (const stream of [...current]) {
    current.delete(stream);
    stream.position = position;
    void catchUp(state, feed, stream);
  }
}

/** Write a page to all current streams; one without room for it has to catch up. */
function deliver(state: State, feed: Feed, page: Page): void {
  const { rows, next, to } = page;
  if (rows.length === 0) return;
  const complete = next.within === undefined ? next.delivered : undefined;
  const shown = new Map<Caller, readonly Piece[]>();
  for (const stream of feed.current) {
    const { caller } = stream.reading;
    const pieces = shown.get(caller) ?? piecesOf(stream, rows, complete);
    shown.set(caller, pieces);
    const { isWhole, last } = writePieces(stream, pieces);
    if (isWhole) continue;
    feed.current.delete(stream);
    stream.position = positionAt(feed.position, to, last);
    void catchUp(state, feed, stream);
  }
}

/**
 * Bring a stream to where the feed is, as fast as its client reads. Nothing is buffered
 * meanwhile.
 */
async function catchUp(state: State, feed: Feed, stream: EventStream): Promise<void> {
  const { connection } = stream;
  const failed = (error: unknown) => {
    reportFailure(state, feed, error);
    return sleep(POLL_INTERVAL_MS);
  };
  while (connection.isOpen()) {
    const present = endOf(feed.position);
    const end = endFor(feed.moves, stream.position.delivered, present);
    const isLevel = stream.position.within === undefined && stream.position.delivered === end;
    if (!connection.hasRoom()) await connection.drained();
    else if (end === undefined) resetStream(stream, 'database_recovered', present);
    else if (!isLevel) {
      await state.limitCatchUp(() => advance(state, stream, end)).catch(failed);
    } else if (end !== present) stream.position = { delivered: beyond(feed.moves, end) };
    else if (feed.position.within !== undefined) await sleep(RECHECK_MS);
    else {
      feed.current.add(stream);
      return;
    }
  }
}

/** Read and write the next page of one stream. */
async function advance({ db }: State, stream: EventStream, end: string): Promise<void> {
  if (!stream.connection.isOpen()) return;
  const { reading, position, portion } = stream;
  const request = { position, end, limit: portion };
  const { rows, next, to } = await loadPage(db, reading.model, request);
  const complete = next.within === undefined ? next.delivered : undefined;
  const { isWhole, last } = writePieces(stream, piecesOf(stream, rows, complete));
  stream.position = isWhole ? next : positionAt(position, to, last);
  // Few long comments fit: a smaller page saves reading the rest of them again each time.
  const written = isWhole ? portion : rows.findIndex(({ id }) => id === last?.id);
  stream.portion = Math.min(PAGE, 2 * written + MIN_PORTION);
}

/** The moment up to which everything will have been sent when the current poll is over. */
function endOf({ delivered, within }: EventPosition): string {
  return within?.to ?? delivered;
}

/** All streams of a feed are of one workspace; some may have a newer definition than others. */
function newestModel(feed: Feed): WorkspaceModel {
  // Only those of open streams: a database that recovered may have lost a definition.
  const models = [...feed.streams].map(({ reading }) => reading.model);
  if (models.length > 0) {
    feed.model = models.reduce((newest, one) => (one.revision > newest.revision ? one : newest));
  }
  return feed.model;
}

function sendHeartbeats({ streams, current, position }: Feed): void {
  for (const one of streams) {
    writeHeartbeat(one, current.has(one) ? position.delivered : undefined);
  }
}

/** Check the rights of all readers again, in portions. */
async function refresh({ streams }: Feed): Promise<void> {
  const failures: unknown[] = [];
  const pending: (Promise<void> | undefined)[] = [];
  let count = 0;
  for (const stream of streams) {
    pending.push(refreshStream(stream, (error) => failures.push(error)));
    count += 1;
    if (count % REFRESHED_AT_ONCE === 0) await yieldToEventLoop();
  }
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
}

/**
 * The pause after a poll, in proportion to its duration, so that polling takes a bounded share of
 * the time.
 */
function gapAfter(elapsed: number): number {
  return Math.min(POLL_INTERVAL_MS, Math.max(MIN_GAP_MS, (SHARE - 1) * elapsed));
}

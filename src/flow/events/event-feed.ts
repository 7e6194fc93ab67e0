// The feeds of changes: each workspace with readers polls its outbox once for all of them, at once
// after a write of this process and at the latest after half a second; a reader that is behind catches up
// with pages of its own (D58, docs/design/live-events.md, docs/design/changes.md).

import { limitConcurrency } from '../../control/process/limit-concurrency.ts';
import { loadChangesMoment } from '../../control/process/moments.ts';
import { type Changes, openChanges } from '../../control/workspace/changes.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import type { ReaderPosition } from '../../plan/events/event-position.ts';
import { type ReaderRights, rightsMarkOf } from '../../plan/people/reader-rights.ts';
import {
  type ChangePage,
  type ChangeQuestion,
  type Expired,
  outboxOf,
  readChanges,
} from './change-reader.ts';
import { type ChangeWait, openWait } from './change-wait.ts';
import { beyond, endFor, noteTurn } from './event-moves.ts';
import { loadPage, type Outbox, type Page } from './event-pages.ts';
import { openStream, type PresentEvent, type SseConnection } from './event-stream.ts';
import {
  type Delivery,
  deliveryOf,
  openSubscriber,
  type ReadAgain,
  type Subscriber,
} from './event-subscriber.ts';
import {
  catchUp,
  type Feed,
  PAGE,
  POLL_INTERVAL_MS,
  reportFailure,
  type State,
} from './feed-state.ts';
import { refreshDue, refreshOutdated } from './fresh-rights.ts';
import { openWakeUpSignal } from './pacing.ts';
import { type Start, startAfter } from './stream-start.ts';

export interface StreamReader {
  readonly reading: ReaderRights;
  readonly readAgain: ReadAgain;
  readonly present: PresentEvent;
}

export interface EventFeeds {
  /**
   * Admit a reader: from the event that the id names, else from now on. What it returns starts the
   * stream on a connection. Errors: `validation_failed` for the id.
   */
  enter(
    reader: StreamReader,
    lastEventId: string | undefined,
  ): Promise<(connection: SseConnection) => void>;
  /** The rule for the age of the rights of all readers. */
  readonly changes: Changes;
  /** The outbox that positions are of. */
  readonly outbox: Outbox;
  /** The next changes behind a position, as they are now; with the database of a tenant, on its account. */
  read(question: ChangeQuestion, db?: Outbox['db']): Promise<ChangePage | Expired>;
  /** True when nothing can be behind the position but what a wait will bring. */
  isLevel(question: ChangeQuestion): boolean;
  /** Wait at a position that is level. */
  wait(wait: ChangeWait, readAgain: ReadAgain): Promise<ChangePage | Expired>;
  /** Called after a write to the workspace. */
  wake(workspaceId: number): void;
  /** Call a handler after each write of this process, until the process ends. */
  onWrite(handler: (workspaceId: number) => void): void;
  /** Milliseconds since the last poll of the feed that is furthest behind; 0 without readers. */
  lag(): number;
}

export interface EventFeedOptions extends Pick<Outbox, 'db'> {
  /** Days that changes are kept for. */
  readonly keptDays: number;
  /** The changes of the process; undefined where nothing else uses them. */
  readonly changes?: Changes;
  /** Called when polling begins to fail; it is repeated until it succeeds. */
  onError(error: unknown): void;
}

/** The least milliseconds between two polls, however much is written. */
const MIN_GAP_MS = 15;
/** Polling may take this part of the time: one in so many. */
const SHARE = 2;
/** Readers that are brought up to date at the same time. */
const MAX_CATCH_UPS = 4;

export function openEventFeeds(options: EventFeedOptions): EventFeeds {
  const { db, keptDays, onError, changes = openChanges(db) } = options;
  const feeds = new Map<number, Feed>();
  const outbox = outboxOf(db, keptDays);
  const limitCatchUp = limitConcurrency(MAX_CATCH_UPS);
  const handlers: ((workspaceId: number) => void)[] = [];
  const state: State = { outbox, changes, onError, feeds, limitCatchUp };
  const turnsOf = ({ model }: ReaderRights) =>
    feeds.get(model.workspace.id)?.turns ?? new Map<string, never>();
  return {
    async enter({ reading, readAgain, present }, lastEventId) {
      const start = await startOf(state, reading, lastEventId);
      return (connection) => {
        const sink = openStream(connection, present, { reading, ...start });
        attach(state, openSubscriber({ reading, readAgain, sink }, start.position), start.present);
      };
    },
    changes,
    outbox,
    read: (question, tenant = db) =>
      readChanges({ ...outbox, db: tenant }, turnsOf(question.reading), question),
    isLevel({ reading, from }) {
      const feed = feeds.get(reading.model.workspace.id);
      const isSame = from.rights === rightsMarkOf(reading) && from.position.within === undefined;
      return isSame && feed?.isFailing === false && isAt(feed, from.position.delivered);
    },
    async wait(wait, readAgain) {
      const { reading, from } = wait;
      await levelWith(state, reading, from);
      const { sink, ended } = openWait(wait);
      const subscriber = openSubscriber({ reading, readAgain, sink }, from.position);
      attach(state, subscriber, from.position.delivered);
      return ended;
    },
    wake(workspaceId) {
      feeds.get(workspaceId)?.wakeUp.notify();
      for (const handler of handlers) handler(workspaceId);
    },
    onWrite: (handler) => handlers.push(handler),
    lag() {
      const now = performance.now();
      return Math.max(0, ...[...feeds.values()].map(({ polledAt }) => now - polledAt));
    },
  };
}

/** Waits until the feed has reached the position, as `startOf` does for a stream. */
async function levelWith(
  state: State,
  { model }: ReaderRights,
  { position }: ReaderPosition,
): Promise<void> {
  const feed = state.feeds.get(model.workspace.id);
  if (feed !== undefined && !isAt(feed, position.delivered)) await nextPoll(state, model);
}

function isAt({ position }: Feed, delivered: string): boolean {
  return position.within === undefined && position.delivered === delivered;
}

/** The start of a stream. Errors: `validation_failed` for the id. */
async function startOf(
  state: State,
  reading: ReaderRights,
  lastEventId: string | undefined,
): Promise<Start> {
  const { model } = reading;
  if (lastEventId !== undefined) {
    const turns = state.feeds.get(model.workspace.id)?.turns ?? new Map<string, never>();
    const start = await startAfter(state.outbox, turns, { reading, lastEventId });
    // A feed that is behind the position would send again what the reader knows.
    await nextPoll(state, model);
    return start;
  }
  const present = await loadNow(state, model);
  return {
    position: { delivered: present },
    at: Date.now(),
    rights: [],
    reset: undefined,
    present,
  };
}

/** The present moment; with a feed, that of its next poll, so that feed and stream begin together. */
async function loadNow(state: State, model: WorkspaceModel): Promise<string> {
  return (await nextPoll(state, model)) ?? loadChangesMoment(state.outbox.db, model.schema);
}

/**
 * The moment of the next poll; undefined when it fails, or there is no feed. The feed is looked up here, because one that
 * was found before a pause may have ended with its last reader, and polls no more.
 */
async function nextPoll({ feeds }: State, model: WorkspaceModel): Promise<string | undefined> {
  const feed = feeds.get(model.workspace.id);
  if (feed === undefined) return undefined;
  return new Promise((resolve) => {
    feed.waiting.push(resolve);
    feed.wakeUp.notify();
  });
}

/** Add a subscriber to the feed of its workspace; the first one starts the feed. */
function attach(state: State, subscriber: Subscriber, present: string): void {
  if (!subscriber.sink.isOpen()) return;
  const { model } = subscriber.reading;
  const { id } = model.workspace;
  const openedFeed = state.feeds.get(id);
  const feed = openedFeed ?? openFeed(model, present);
  feed.subscribers.add(subscriber);
  subscriber.sink.onClose(() => {
    feed.subscribers.delete(subscriber);
    feed.current.delete(subscriber);
  });
  void catchUp(state, feed, subscriber);
  if (openedFeed !== undefined) return;
  state.feeds.set(id, feed);
  void run(state, id, feed);
}

function openFeed(model: WorkspaceModel, present: string): Feed {
  return {
    model,
    wakeUp: openWakeUpSignal(),
    subscribers: new Set(),
    current: new Set(),
    position: { delivered: present },
    turns: new Map(),
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
    if (feed.subscribers.size === 0) break;
    const started = performance.now();
    const waiting = feed.waiting.splice(0);
    try {
      // Rights that are due are checked after the events, so as not to delay them; after a failure, before them.
      if (feed.isFailing) await refreshDue(state, feed.subscribers);
      await poll(state, feed);
      await refreshDue(state, feed.subscribers);
      feed.isFailing = false;
      feed.polledAt = started;
    } catch (error) {
      reportFailure(state, feed, error);
    }
    for (const resolve of waiting) resolve(feed.isFailing ? undefined : feed.position.delivered);
    rest(feed);
    gap = feed.isFailing ? POLL_INTERVAL_MS : gapAfter(performance.now() - started);
  }
  state.feeds.delete(workspaceId);
  for (const resolve of feed.waiting) resolve(undefined);
}

/** Send what is new to the current readers. What was sent stays sent when a later page fails. */
async function poll(state: State, feed: Feed): Promise<void> {
  for (;;) {
    const model = newestModel(feed);
    const { delivered, within } = feed.position;
    const present = within?.to ?? (await look(state, feed, model));
    // A quiet workspace keeps its moment, because it is trimmed to the last row (D455).
    if (within === undefined && present === delivered) return;
    const end = endFor(feed.turns, delivered, present);
    if (end === undefined) return restart(state, feed, present);
    const page = await loadPage(state.outbox, model, { position: feed.position, end, limit: PAGE });
    if (page.rows.length > 0) {
      await refreshOutdated(state, feed.subscribers);
      // Its keys are those of the definition that it was read by.
      if (newestModel(feed).revision !== model.revision) continue;
    }
    deliver(state, feed, page);
    feed.position = page.next;
    if (page.next.within !== undefined) continue;
    const next = beyond(feed.turns, end);
    if (next === end) return;
    feed.position = { delivered: next };
  }
}

/** The present moment; a crash or a move since the last poll is noted. */
async function look({ outbox }: State, feed: Feed, { schema }: WorkspaceModel): Promise<string> {
  const { delivered } = feed.position;
  const present = await loadChangesMoment(outbox.db, schema, delivered);
  const elapsed = performance.now() - feed.polledAt;
  await noteTurn(outbox.db, schema, feed.turns, { before: delivered, now: present, elapsed });
  return present;
}

/** Start from the present when the database was restored; readers are reset as they catch up. */
function restart(state: State, feed: Feed, present: string): void {
  const { current, position } = feed;
  feed.position = { delivered: present };
  for (const subscriber of [...current]) {
    current.delete(subscriber);
    subscriber.position = position;
    void catchUp(state, feed, subscriber);
  }
}

/** Give a page to all current readers; one without room for it has to catch up. */
function deliver(state: State, feed: Feed, page: Page): void {
  if (page.rows.length === 0) return;
  const deliveries = new Map<Caller, Delivery>();
  for (const subscriber of feed.current) {
    const { reading, sink } = subscriber;
    // It may have lost its rights just now.
    if (!sink.isOpen()) continue;
    const delivery = deliveries.get(reading.caller) ?? deliveryOf(reading, page, feed.position);
    deliveries.set(reading.caller, delivery);
    const { isWhole, last } = sink.take(delivery);
    if (isWhole) continue;
    feed.current.delete(subscriber);
    subscriber.position = last === undefined ? feed.position : delivery.at(last);
    void catchUp(state, feed, subscriber);
  }
}

/** All readers of a feed are of one workspace; some may have a newer definition than others. */
function newestModel(feed: Feed): WorkspaceModel {
  // Only those of open readers: a database that recovered may have lost a definition.
  const models = [...feed.subscribers].map(({ reading }) => reading.model);
  if (models.length > 0) {
    feed.model = models.reduce((newest, one) => (one.revision > newest.revision ? one : newest));
  }
  return feed.model;
}

function rest({ subscribers, current, position }: Feed): void {
  for (const one of subscribers) {
    one.sink.rest(one.reading, current.has(one) ? position.delivered : undefined);
  }
}

/**
 * The pause after a poll, in proportion to its duration, so that polling takes a bounded share of
 * the time.
 */
function gapAfter(elapsed: number): number {
  return Math.min(POLL_INTERVAL_MS, Math.max(MIN_GAP_MS, (SHARE - 1) * elapsed));
}

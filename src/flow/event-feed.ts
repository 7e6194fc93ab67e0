// The feeds of live events: for each workspace with readers one look at the outbox for all of them, at
// once after a write of this process and at the latest after half a second; and the way of each reader
// who is behind to where the others are (docs/decisions.md, D58).

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';
import type { EventPosition } from '../plan/event-plan.ts';
import { isSameEpoch } from '../plan/snapshot-moment.ts';
import type { Queryable } from '../store/db.ts';
import {
  loadMoment,
  loadPage,
  loadPresent,
  type Page,
  positionAt,
  requireEventId,
} from './event-pages.ts';
import {
  type EventReader,
  type EventStream,
  idLineOf,
  type Outlet,
  openStream,
  type Piece,
  piecesOf,
  refreshStream,
  resetStream,
  type Start,
  writeHeartbeat,
  writePieces,
} from './event-stream.ts';
import { type Bell, limitTo, openBell } from './pacing.ts';

export interface EventFeeds {
  /**
   * Let a reader in, behind what the id says they know, else from now on; the answer begins the
   * stream. Errors: `validation_failed` for the id.
   */
  enter(reader: EventReader, lastEventId: string | undefined): Promise<(outlet: Outlet) => void>;
  /** Something was written to the workspace. */
  wake(workspaceId: number): void;
  /** Milliseconds since the feed that is furthest behind has looked; 0 when nobody reads. */
  lag(): number;
}

export interface EventFeedOptions {
  readonly db: Queryable;
  /** Told when looking begins to fail; it goes on until it succeeds. */
  onError(error: unknown): void;
}

interface Feed {
  readonly bell: Bell;
  readonly streams: Set<EventStream>;
  /** Those of the streams who have been told exactly what `position` says. */
  readonly members: Set<EventStream>;
  position: EventPosition;
  /** The newest that a reader has come with. */
  model: WorkspaceModel;
  /** Told the moment of the next look, or nothing when there is none. */
  readonly waiting: ((moment: string | undefined) => void)[];
  /** True since something failed, until a look succeeds. */
  isFailing: boolean;
  /** By `performance.now()`: what was written before has been told. */
  lookedAt: number;
}

/** Milliseconds between two looks: at most, and at least however much is written. */
const LOOK_AFTER = 500;
const LEAST_GAP = 15;
/** A look may take this part of the time: one in so many. */
const SHARE = 2;
/** Rows that are read at once. */
const PAGE = 200;
/** Rows that a reader who is behind and takes little at once gets read at least. */
const LEAST_PORTION = 10;
/** Readers who are behind that are brought on at the same time. */
const CATCHING_UP = 4;
/** Readers whose rights are looked at in one turn of the event loop. */
const PORTION = 200;
/** Milliseconds to wait for another to come as far, and after a failure. */
const NEARLY = 20;

export function openEventFeeds({ db, onError }: EventFeedOptions): EventFeeds {
  const feeds = new Map<number, Feed>();
  const inTurn = limitTo(CATCHING_UP);

  async function run(workspaceId: number, feed: Feed): Promise<void> {
    let gap = LEAST_GAP;
    for (;;) {
      await feed.bell.wait(gap, LOOK_AFTER);
      if (feed.streams.size === 0) break;
      const started = performance.now();
      const waiting = feed.waiting.splice(0);
      try {
        // Who may read what is looked at behind the events, not to hold them up; after a failure before.
        if (feed.isFailing) await refresh(feed);
        await look(feed);
        await refresh(feed);
        feed.isFailing = false;
        feed.lookedAt = started;
      } catch (error) {
        report(feed, error);
      }
      for (const tell of waiting) tell(feed.isFailing ? undefined : feed.position.told);
      beat(feed);
      gap = feed.isFailing ? LOOK_AFTER : gapAfter(performance.now() - started);
    }
    feeds.delete(workspaceId);
    for (const tell of feed.waiting) tell(undefined);
  }

  function report(feed: Feed, error: unknown): void {
    if (!feed.isFailing) onError(error);
    feed.isFailing = true;
  }

  /** Tell the members what is new. What was told stays told when a later page fails. */
  async function look(feed: Feed): Promise<void> {
    for (;;) {
      const model = newestModel(feed);
      const { told, within } = feed.position;
      const end = within?.to ?? (await loadMoment(db, told));
      if (!isSameEpoch(end, told)) return begin(feed, end);
      const page = await loadPage(db, model, { position: feed.position, end, limit: PAGE });
      tell(feed, model, page);
      feed.position = page.next;
      if (page.next.within === undefined) return;
    }
  }

  /** Begin anew after the database was lost; whoever comes after it is told to read again. */
  function begin(feed: Feed, present: string): void {
    const { members, position } = feed;
    feed.position = { told: present };
    for (const stream of [...members]) {
      members.delete(stream);
      stream.position = position;
      void catchUp(feed, stream);
    }
  }

  function tell(feed: Feed, model: WorkspaceModel, { rows, next, to }: Page): void {
    if (rows.length === 0) return;
    const id = next.within === undefined ? idLineOf(model, next.told) : undefined;
    const shown = new Map<Caller, readonly Piece[]>();
    for (const stream of feed.members) {
      const { caller } = stream.reading;
      const pieces = shown.get(caller) ?? piecesOf(stream, rows, id);
      shown.set(caller, pieces);
      const { isWhole, last } = writePieces(stream, pieces);
      if (isWhole) continue;
      feed.members.delete(stream);
      stream.position = positionAt(feed.position, to, last);
      void catchUp(feed, stream);
    }
  }

  /** Bring a reader to where the feed is, as fast as they read. Nothing is kept for them meanwhile. */
  async function catchUp(feed: Feed, stream: EventStream): Promise<void> {
    const { outlet } = stream;
    const failed = (error: unknown) => {
      report(feed, error);
      return sleep(LOOK_AFTER);
    };
    while (outlet.isOpen()) {
      const end = endOf(feed.position);
      const isLevel = stream.position.within === undefined && stream.position.told === end;
      if (!outlet.hasRoom()) await outlet.drained();
      else if (!isSameEpoch(stream.position.told, end)) {
        resetStream(stream, 'database_recovered', end);
      } else if (!isLevel) await inTurn(() => advance(stream, end)).catch(failed);
      else if (feed.position.within !== undefined) await sleep(NEARLY);
      else {
        feed.members.add(stream);
        return;
      }
    }
  }

  async function advance(stream: EventStream, end: string): Promise<void> {
    if (!stream.outlet.isOpen()) return;
    const { reading, position, portion } = stream;
    const asked = { position, end, limit: portion };
    const { rows, next, to } = await loadPage(db, reading.model, asked);
    const id = next.within === undefined ? idLineOf(reading.model, next.told) : undefined;
    const { isWhole, last } = writePieces(stream, piecesOf(stream, rows, id));
    stream.position = isWhole ? next : positionAt(position, to, last);
    // Of long comments few fit: not to read them all each time again.
    const written = isWhole ? portion : rows.findIndex(({ id }) => id === last?.id);
    stream.portion = Math.min(PAGE, 2 * written + LEAST_PORTION);
  }

  /** The present moment; where there is a feed, that of its next look, so that both begin together. */
  async function loadNow(model: WorkspaceModel): Promise<string> {
    const feed = feeds.get(model.workspace.id);
    const next =
      feed &&
      (await new Promise<string | undefined>((resolve) => {
        feed.waiting.push(resolve);
        feed.bell.ring();
      }));
    return next ?? loadMoment(db);
  }

  function attach(reader: EventReader, outlet: Outlet, start: Start): void {
    const { model } = reader.reading;
    const { id } = model.workspace;
    const known = feeds.get(id);
    const feed = known ?? {
      model,
      bell: openBell(),
      streams: new Set(),
      members: new Set(),
      position: { told: start.present },
      waiting: [],
      isFailing: false,
      lookedAt: performance.now(),
    };
    const stream = openStream(reader, outlet, start);
    feed.streams.add(stream);
    outlet.onClose(() => {
      feed.streams.delete(stream);
      feed.members.delete(stream);
    });
    void catchUp(feed, stream);
    if (known !== undefined) return;
    feeds.set(id, feed);
    void run(id, feed);
  }

  return {
    async enter(reader, lastEventId) {
      const { model } = reader.reading;
      const told = lastEventId === undefined ? undefined : requireEventId(model, lastEventId);
      const found = told === undefined ? undefined : await loadPresent(db, model, told);
      const reset = found?.reset;
      const isNew = found === undefined || reset !== undefined;
      const present = isNew ? await loadNow(model) : found.moment;
      const position = { told: isNew ? present : (told ?? present) };
      return (outlet) => attach(reader, outlet, { position, present, reset });
    },
    wake(workspaceId) {
      feeds.get(workspaceId)?.bell.ring();
    },
    lag() {
      const now = performance.now();
      return Math.max(0, ...[...feeds.values()].map(({ lookedAt }) => now - lookedAt));
    },
  };
}

/** The moment that will have been told when the look under way is over. */
function endOf({ told, within }: EventPosition): string {
  return within?.to ?? told;
}

/** All streams of a feed are of one workspace; some may know of a change of its definition before others. */
function newestModel(feed: Feed): WorkspaceModel {
  // Not those of streams that were: a database that was lost may have lost a definition.
  const models = [...feed.streams].map(({ reading }) => reading.model);
  if (models.length > 0) {
    feed.model = models.reduce((newest, one) => (one.revision > newest.revision ? one : newest));
  }
  return feed.model;
}

function beat({ streams, members, position }: Feed): void {
  const [stream] = members;
  const id = stream && idLineOf(stream.reading.model, position.told);
  for (const one of streams) writeHeartbeat(one, members.has(one) ? id : undefined);
}

/** Look at the rights of all readers again, in portions. */
async function refresh({ streams }: Feed): Promise<void> {
  const failures: unknown[] = [];
  const pending: (Promise<void> | undefined)[] = [];
  let count = 0;
  for (const stream of streams) {
    pending.push(refreshStream(stream, (error) => failures.push(error)));
    count += 1;
    if (count % PORTION === 0) await nextTurn();
  }
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
}

/** However much is written, looking leaves the process its time. */
function gapAfter(elapsed: number): number {
  return Math.min(LOOK_AFTER, Math.max(LEAST_GAP, (SHARE - 1) * elapsed));
}

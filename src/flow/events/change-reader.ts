// Reads changes behind a position that the service does not remember: a page of the feed, or of a webhook
// (docs/design/changes.md). What is new while a reader waits comes from event-feed.ts.

import { loadChangesMoment } from '../../control/process/moments.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import {
  type EventRow,
  planEvents,
  type RightsEvent,
  type RowEvent,
} from '../../plan/events/event-plan.ts';
import {
  type EventPosition,
  positionAt,
  type ReaderPosition,
} from '../../plan/events/event-position.ts';
import { epochOf, momentBefore } from '../../plan/events/snapshot-moment.ts';
import { markAt, type ReaderRights, rightsMarkOf } from '../../plan/people/reader-rights.ts';
import { transactionBeforeSql } from '../../sql/events/event-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { beyond, endFor, noteTurn, type Turns } from './event-moves.ts';
import { loadPage, type Outbox, type Page } from './event-pages.ts';
import { rightsEvents, rightsKey } from './event-rights.ts';

/** Events that a feed or a webhook gives: all but those that only streams have. */
export type ChangeEvent = Exclude<RowEvent, { type: 'notification.created' }> | RightsEvent;

export interface ChangeQuestion {
  readonly reading: ReaderRights;
  readonly from: ReaderPosition;
  /** Most events. */
  readonly limit: number;
  isWanted(event: ChangeEvent): boolean;
}

export interface ChangePage {
  readonly events: readonly ChangeEvent[];
  readonly next: ReaderPosition;
  /** True when there was nothing behind them. */
  readonly isLevel: boolean;
}

/** Why a position is no longer valid. */
export interface Expired {
  readonly expired: 'too_old' | 'restored';
}

const DAY_MS = 86_400_000;
/** Rows are kept half a day longer than positions, so that a reader loses none of them unnoticed. */
const SPARE_DAYS = 1;
/** Rows that are read for one page, however few of them its reader may know. */
const MOST_ROWS = 2000;
const PAGE_ROWS = { least: 100, most: 1000 } as const;
/** Seconds after its beginning in which a transaction that writes has its number. */
const NUMBERED_WITHIN = 120;

/** The outbox of a service that keeps changes for so many days. */
export function outboxOf(db: Outbox['db'], keptDays: number): Outbox {
  return { db, days: keptDays + SPARE_DAYS };
}

/** The beginning of a reader: now, at the oldest change that is kept, or not later than a time. */
export type Beginning = 'now' | 'start' | { readonly since: number };

/** The position of a beginning. A time that is too long ago expires like a position. */
export async function positionOf(
  outbox: Outbox,
  reading: ReaderRights,
  beginning: Beginning,
): Promise<ReaderPosition | Expired> {
  const { schema } = reading.model;
  const present = await loadChangesMoment(outbox.db, schema);
  const rights = rightsMarkOf(reading);
  const now = Date.now();
  if (beginning === 'now') return { position: { delivered: present }, rights, at: now };
  const oldest = now - (outbox.days - SPARE_DAYS) * DAY_MS;
  const at = beginning === 'start' ? oldest : Math.min(beginning.since, now);
  if (at < oldest) return { expired: 'too_old' };
  const asked = { at: new Date(at).toISOString(), present, seconds: NUMBERED_WITHIN };
  const statement = transactionBeforeSql(schema, { ...asked, days: outbox.days });
  const [found] = await outbox.db.near(schema).query(toStatement(statement));
  const last = found?.last == null ? 0n : BigInt(String(found.last));
  return { position: { delivered: momentBefore(String(last + 1n), present) }, rights, at };
}

/** The next changes behind a position that the reader may know. */
export async function readChanges(
  outbox: Outbox,
  turns: Turns,
  question: ChangeQuestion,
): Promise<ChangePage | Expired> {
  const { reading, from } = question;
  if (isTooOld(outbox, from)) return { expired: 'too_old' };
  const { schema } = reading.model;
  const { delivered } = from.position;
  const present = await loadChangesMoment(outbox.db, schema, delivered);
  await noteTurn(outbox.db, schema, turns, { before: delivered, now: present, elapsed: Infinity });
  if (endFor(turns, delivered, present) === undefined) return { expired: 'restored' };
  const rights = await rightsEvents(outbox, reading, rightsKey(from.rights, from.at));
  const events: ChangeEvent[] = rights.filter((event) => question.isWanted(event));
  return pageOfRights(question, events) ?? readRows({ outbox, turns, question, present, events });
}

/** The rows of a page, for several readers at one position. */
export interface RowPage {
  readonly rows: readonly EventRow[];
  readonly next: EventPosition;
  /** True when there was nothing behind them. */
  readonly isLevel: boolean;
}

export interface RowQuestion {
  readonly position: EventPosition;
  readonly limit: number;
  /** Milliseconds since the position was level. */
  readonly elapsed: number;
}

/** The next rows behind a position, for any reader. */
export async function readRowPage(
  outbox: Outbox,
  turns: Turns,
  model: WorkspaceModel,
  { position, limit, elapsed }: RowQuestion,
): Promise<RowPage | Expired> {
  const { delivered } = position;
  const present = await loadChangesMoment(outbox.db, model.schema, delivered);
  const step = { before: delivered, now: present, elapsed };
  await noteTurn(outbox.db, model.schema, turns, step);
  const end = endFor(turns, delivered, present);
  if (end === undefined) return { expired: 'restored' };
  // A quiet workspace keeps its moment (D455).
  if (position.within === undefined && delivered === present) {
    return { rows: [], next: position, isLevel: true };
  }
  const { rows, next } = await loadPage(outbox, model, { position, end, limit });
  if (next.within !== undefined) return { rows, next, isLevel: false };
  const isLevel = epochOf(end) === epochOf(present);
  return { rows, next: isLevel ? next : { delivered: beyond(turns, end) }, isLevel };
}

/** True for a position whose changes may no longer be kept. */
export function isTooOld({ days }: Outbox, { at }: ReaderPosition): boolean {
  return at < Date.now() - (days - SPARE_DAYS / 2) * DAY_MS;
}

/** A full page when there are more events of the definition than it takes; the next one begins behind its last. */
function pageOfRights(
  { from, limit }: ChangeQuestion,
  events: readonly ChangeEvent[],
): ChangePage | undefined {
  const taken = events.slice(0, limit);
  const last = taken.at(-1);
  if (events.length <= limit || last?.type !== 'definition.changed') return undefined;
  const next = { ...from, rights: markAt(from.rights, last.revision) };
  return { events: taken, next, isLevel: false };
}

interface Reading {
  readonly outbox: Outbox;
  readonly turns: Turns;
  readonly question: ChangeQuestion;
  readonly present: string;
  /** Gets what is found. */
  readonly events: ChangeEvent[];
}

async function readRows(run: Reading): Promise<ChangePage> {
  const { outbox, turns, question, present, events } = run;
  const { reading, from, limit } = question;
  const rights = rightsMarkOf(reading);
  let { position, at } = from;
  for (let rows = 0; rows < MOST_ROWS && events.length < limit; ) {
    const end = endFor(turns, position.delivered, present) as string;
    const most = Math.min(PAGE_ROWS.most, Math.max(PAGE_ROWS.least, limit - events.length));
    const page = await loadPage(outbox, reading.model, { position, end, limit: most });
    rows += page.rows.length;
    const cut = takeRows(run, page);
    const last = page.rows[(cut ?? page.rows.length) - 1];
    at = last === undefined ? at : Date.parse(last.at);
    if (cut !== undefined && last !== undefined) {
      position = positionAt(position, page.to, last.place);
      continue;
    }
    position = page.next;
    if (position.within !== undefined) continue;
    if (epochOf(end) === epochOf(present)) {
      return { events, next: { position, rights, at: Date.now() }, isLevel: true };
    }
    position = { delivered: beyond(turns, end) };
  }
  return { events, next: { position, rights, at }, isLevel: false };
}

/** Take the events of rows until the page is full; answers how many rows were taken when there are more. */
function takeRows({ question, events }: Reading, { rows }: Page): number | undefined {
  const { reading, limit, isWanted } = question;
  for (const [index, row] of rows.entries()) {
    if (events.length >= limit) return index;
    for (const event of planEvents(reading, row)) {
      if (isChange(event) && isWanted(event)) events.push(event);
    }
  }
  return undefined;
}

/** Notifications are for streams only. */
export function changesOf(events: readonly RowEvent[]): readonly ChangeEvent[] {
  return events.filter(isChange);
}

function isChange(event: RowEvent): event is Exclude<RowEvent, { type: 'notification.created' }> {
  return event.type !== 'notification.created';
}

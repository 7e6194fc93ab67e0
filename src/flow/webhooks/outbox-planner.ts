// Plans deliveries: reads a page of changes behind the positions of webhooks, once for all at the same position, and judges
// each event by the definition and the webhook of its moment. Nothing is stored here.

import { uuidv7 } from 'uuidv7';
import type { MovedPosition, PlannedDelivery } from '../../control/events/webhook-outbox.ts';
import { eventIdOf } from '../../plan/events/event-id.ts';
import { planEvents, type ShownEvent } from '../../plan/events/event-plan.ts';
import { positionText, type ReaderPosition } from '../../plan/events/event-position.ts';
import { isChosen } from '../../plan/events/webhook-events.ts';
import type { WebhookScope } from '../../plan/events/webhook-plan.ts';
import { rightsMarkOf } from '../../plan/people/reader-rights.ts';
import { isDue } from '../../webhooks/schedule.ts';
import {
  changesOf,
  isTooOld,
  positionOf,
  type RowPage,
  readRowPage,
} from '../events/change-reader.ts';
import { rightsEvents, rightsKey } from '../events/event-rights.ts';
import { type Outbox, type Sending, sends } from './outbox-state.ts';

/** Rows of a page. */
const PAGE = 200;
/** Deliveries of a webhook that wait, beyond which nothing is planned for it. */
export const MOST_WAITING = 10_000;
/** The same while some of them are due; few while clients keep the process busy. */
const AHEAD = { usual: 1000, busy: 1 } as const;
/** Milliseconds after which a position is stored without deliveries. */
const STORED_AFTER = 2000;

/** A webhook that reads, by its present rights. */
interface Reader {
  readonly sending: Sending;
  readonly scope: WebhookScope;
  readonly from: ReaderPosition;
}

export interface Plans {
  readonly moves: readonly MovedPosition[];
  readonly planned: readonly PlannedDelivery[];
  /** The positions, for when they are stored, or need not be. */
  readonly next: ReadonlyMap<Sending, ReaderPosition>;
  /** True when nothing was left behind any of the positions. */
  readonly isLevel: boolean;
}

/** Plan a page for each webhook that has room for it. */
export async function planPages(outbox: Outbox): Promise<Plans> {
  const moves: MovedPosition[] = [];
  const planned: PlannedDelivery[] = [];
  const next = new Map<Sending, ReaderPosition>();
  const { readers: all, isAhead } = await readersOf(outbox);
  let isLevel = !isAhead;
  for (const readers of all.values()) {
    const at = Math.floor(outbox.parts.authorities.now());
    const page = await readPage(outbox, readers);
    if (page === undefined) continue;
    isLevel &&= page.isLevel;
    for (const reader of readers) {
      const own = await planOwn(outbox, reader, page);
      const to = { position: page.next, rights: rightsMarkOf(reader.scope), at: timeOf(page, at) };
      planned.push(...own);
      next.set(reader.sending, to);
      if (own.length > 0 || isToStore(reader, to)) moves.push(moveOf(reader, to));
    }
  }
  return { moves, planned, next, isLevel };
}

interface Readers {
  /** By their positions. */
  readonly readers: ReadonlyMap<string, readonly Reader[]>;
  /** True when some do not read, because enough of their deliveries are due. */
  readonly isAhead: boolean;
}

async function readersOf(outbox: Outbox): Promise<Readers> {
  const readers = new Map<string, Reader[]>();
  const { now, pace } = outbox.parts;
  const most = pace.isBusy() ? AHEAD.busy : AHEAD.usual;
  let isAhead = false;
  for (const sending of outbox.sendings.values()) {
    if (!sends(sending) || sending.waiting >= MOST_WAITING) continue;
    if (sending.waiting >= most && isDue(sending.dueAt, now())) {
      isAhead = true;
      continue;
    }
    const scope = await sending.scope();
    if (scope === undefined) continue;
    if (scope.model.revision !== outbox.revision) {
      outbox.isOutdated = true;
      return { readers: new Map(), isAhead };
    }
    const from = sending.position ?? (await presentOf(outbox, scope));
    if (isTooOld(outbox.parts.feeds.outbox, from)) {
      sending.stopWith('position_expired');
      continue;
    }
    const key = JSON.stringify(from.position);
    readers.set(key, [...(readers.get(key) ?? []), { sending, scope, from }]);
  }
  return { readers, isAhead };
}

async function presentOf({ parts }: Outbox, scope: WebhookScope): Promise<ReaderPosition> {
  const present = await positionOf(parts.feeds.outbox, scope, 'now');
  if ('expired' in present) throw new Error('the present has expired');
  return present;
}

/** Undefined when the position is no longer valid: the webhooks are stopped. */
async function readPage(
  { parts, turns, readAt }: Outbox,
  readers: readonly Reader[],
): Promise<RowPage | undefined> {
  const [{ scope, from }] = readers as readonly [Reader];
  const elapsed = performance.now() - readAt;
  const question = { position: from.position, limit: PAGE, elapsed };
  const page = await readRowPage(parts.feeds.outbox, turns, scope.model, question);
  if (!('expired' in page)) return page;
  for (const { sending } of readers) sending.stopWith('database_restored');
  return undefined;
}

/** The deliveries of a page for one webhook, after those of a change of its rights. */
async function planOwn(
  { parts }: Outbox,
  { sending: { webhook }, scope, from }: Reader,
  { rows }: RowPage,
): Promise<readonly PlannedDelivery[]> {
  const key = rightsKey(from.rights, from.at);
  const rights = await rightsEvents(parts.feeds.outbox, scope, key);
  const events = [...rights, ...changesOf(rows.flatMap((row) => planEvents(scope, row)))];
  return events
    .filter((event) => isChosen(webhook, event))
    .map((event) => deliveryOf(webhook.id, scope, event));
}

function deliveryOf(
  webhookId: string,
  { model, caller }: WebhookScope,
  event: ShownEvent,
): PlannedDelivery {
  const row = 'row' in event ? event.row : undefined;
  return {
    id: uuidv7(),
    webhook_id: webhookId,
    event_id: eventIdOf(model.cursor_secret, caller.user.id, event),
    type: event.type,
    transaction: row?.transaction ?? null,
    audit_id: row?.id ?? null,
    rights: 'row' in event ? null : event.key,
    object_type: row?.object_type ?? null,
    record_id: row?.record_id ?? null,
  };
}

/** The time up to which changes were read: that of the last row while there are more. */
function timeOf({ isLevel, rows }: RowPage, at: number): number {
  const last = rows.at(-1);
  return isLevel || last === undefined ? at : Math.min(at, Date.parse(last.at));
}

/** Whether to store a position behind which nothing was planned: reading it again costs little, and sends nothing twice. */
function isToStore({ sending, from }: Reader, to: ReaderPosition): boolean {
  if (sending.position === undefined || from.rights !== to.rights) return true;
  const isSame = JSON.stringify(from.position) === JSON.stringify(to.position);
  return !isSame && performance.now() - sending.storedAt >= STORED_AFTER;
}

function moveOf({ sending: { webhook } }: Reader, to: ReaderPosition): MovedPosition {
  const position_at = new Date(to.at).toISOString();
  const { id: webhook_id, version } = webhook;
  return { webhook_id, version, position: positionText(to), position_at };
}

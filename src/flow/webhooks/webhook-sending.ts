// Sends for one webhook: the events that its reader queues, and the deliveries that are due again. What is sent is judged
// by the rights of that moment. What became of it is stored before its room is given to others.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookRow } from '../../control/webhook-rows.ts';
import {
  loadDue,
  loadNotedEvents,
  loadWaiting,
  loadWaitingRecords,
} from '../../control/webhook-runs.ts';
import { isDue, LONGEST_DELAY } from '../../webhooks/schedule.ts';
import { openWakeUpSignal, type WakeUpSignal } from '../events/pacing.ts';
import { newDelivery, waitingOutcome } from './delivery-outcome.ts';
import { openEventQueue, type QueuedEvent } from './event-queue.ts';
import { openReceiverState } from './receiver-state.ts';
import {
  type Candidate,
  isVerified,
  noteCondition,
  noteOutcome,
  notePosition,
  type SendingContext,
  type SendingState,
  sends,
} from './sending-context.ts';
import { deliver } from './webhook-attempt.ts';
import { openWebhookReader, type ReaderOptions } from './webhook-reader.ts';

export interface WebhookSending {
  readonly webhook: WebhookRow;
  /** There may be something to send again. */
  wake(): void;
  /** Begin nothing more, end requests after so many milliseconds, and store what has an outcome. */
  stop(grace?: number): Promise<void>;
}

/** Events that wait in memory. */
const QUEUED = 128;
/** Deliveries that wait to be sent again, beyond which nothing new is read. */
const MOST_WAITING = 10_000;
const LONGEST_WAIT = 60_000;
const PAUSE_MS = 1000;
/** Events after a start that may have been sent before it. */
const UNCHECKED = 1000;

export function openWebhookSending(
  context: SendingContext,
  position: string | null,
): WebhookSending {
  const [closing, ending] = [new AbortController(), new AbortController()];
  const { webhook } = context;
  const woken = openWakeUpSignal();
  const state: SendingState = {
    queue: openEventQueue(),
    receiver: openReceiverState(webhook),
    sending: new Set(),
    closing: closing.signal,
    ending: ending.signal,
    waiting: 0,
    dueAt: 0,
    checked: 0,
    wake() {
      woken.notify();
      reader?.wake();
    },
  };
  const reader = sends(state)
    ? openWebhookReader(readerOptions(context, state, position))
    : undefined;
  const running = run(context, state, woken);
  return {
    webhook,
    wake() {
      state.dueAt = 0;
      state.wake();
    },
    async stop(grace = 0) {
      closing.abort();
      state.wake();
      await Promise.all([reader?.ended, running]);
      const latest = performance.now() + grace;
      while (state.sending.size > 0) {
        if (performance.now() >= latest) ending.abort();
        await sleep(5);
      }
      await context.checkpoints.drained();
    },
  };
}

function readerOptions(
  context: SendingContext,
  state: SendingState,
  position: string | null,
): ReaderOptions {
  const { feeds, webhook, present, now } = context;
  return {
    ...{ feeds, webhook, position, signal: state.closing },
    scope: context.scope,
    onError: context.onError,
    hasRoom: () =>
      isVerified(state) &&
      state.queue.waiting() < QUEUED &&
      state.waiting < MOST_WAITING &&
      !state.receiver.isHeld(now()),
    take(events, scope, next) {
      const queued = events.map((event) => ({
        event,
        scope,
        id: String(present.event(scope, event).id),
        record: 'row' in event ? event.row.record_id : null,
      }));
      state.queue.add(queued, next);
      notePosition(context, state);
      state.wake();
    },
    expire: (reason) =>
      context.stopWith(reason === 'restored' ? 'database_restored' : 'position_expired'),
  };
}

async function run(
  context: SendingContext,
  state: SendingState,
  woken: WakeUpSignal,
): Promise<void> {
  let isFailing = false;
  while (!state.closing.aborted) {
    try {
      if (sends(state)) judge(context, state);
      const started = await sendSome(context, state);
      isFailing = false;
      if (!started) await woken.wait(0, pauseOf(context, state));
    } catch (error) {
      if (!isFailing) context.onError(error);
      isFailing = true;
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
}

/** It is disabled in time also when there is nothing to send. */
function judge(context: SendingContext, state: SendingState): void {
  const before = state.receiver.condition();
  const after = state.receiver.judge(context.now());
  noteCondition(context, state, { before, after });
}

/** Milliseconds until there may be something to do without being woken. */
function pauseOf(
  { now, rate, pace }: SendingContext,
  { dueAt, queue, receiver }: SendingState,
): number {
  const moment = now();
  const slowest = Math.max(rate.delay(), receiver.delay(moment), pace.delay());
  if (slowest > 0) return Math.ceil(slowest);
  const held = queue.waiting() > 0 && receiver.isHeld(moment) ? PAUSE_MS : LONGEST_WAIT;
  return Math.max(1, Math.min(held, dueAt - moment));
}

/** Begin what may be sent now; false when there is nothing. */
async function sendSome(context: SendingContext, state: SendingState): Promise<boolean> {
  const { now, rate, pace } = context;
  const most = pace.delay() > 0 ? 0 : state.receiver.free(now());
  if (most === 0 || rate.delay() > 0) return false;
  const free = pace.isBusy() ? 1 : most;
  const waiting = state.queue.waiting();
  const due = isDue(state.dueAt, now()) ? await takeDue(context, state, free) : [];
  const fresh = due.length < free ? await takeQueued(context, state, free - due.length) : [];
  const candidates = [...due, ...fresh];
  // Events that were noted before leave the queue without a request.
  if (candidates.length === 0) return state.queue.waiting() < waiting;
  await deliver(context, state, candidates);
  return true;
}

/** Take room for as many items as possible; without room, wait for it. */
function takeRoom<Item, Taken>(
  { room }: SendingContext,
  state: SendingState,
  items: readonly Item[],
  taken: (item: Item, leave: () => void) => Taken,
): readonly Taken[] {
  const found: Taken[] = [];
  for (const item of items) {
    const leave = room.take(state.receiver.isSlow());
    if (leave === undefined) {
      room.onRoom(state.wake);
      break;
    }
    found.push(taken(item, leave));
  }
  return found;
}

async function takeDue(
  context: SendingContext,
  state: SendingState,
  most: number,
): Promise<readonly Candidate[]> {
  const { db, schema, webhook, now } = context;
  const moment = now();
  const rows = await loadDue(db.near(schema), schema, {
    webhook_id: webhook.id,
    now: new Date(moment).toISOString(),
    latest: new Date(moment + LONGEST_DELAY).toISOString(),
    only_pings: !(sends(state) && isVerified(state)),
    except: [...state.sending],
    limit: most,
  });
  const taken = takeRoom(context, state, rows, (delivery, leave) => ({
    ...{ delivery, leave, queued: undefined },
  }));
  const waits = await loadWaiting(db.near(schema), schema, webhook.id);
  state.waiting = waits.count;
  const first = waits.first === null ? Infinity : Date.parse(waits.first);
  // Other deliveries that are due wait for one of their record, or for room.
  const isMore = taken.length === most;
  state.dueAt = isMore
    ? moment
    : Math.max(first, moment + (rows.length > taken.length ? 100 : PAUSE_MS));
  for (const { delivery } of taken) state.sending.add(delivery.id);
  return taken;
}

async function takeQueued(
  context: SendingContext,
  state: SendingState,
  most: number,
): Promise<readonly Candidate[]> {
  const { now, webhook } = context;
  const { queue, receiver } = state;
  if (queue.waiting() === 0 || receiver.isHeld(now())) return [];
  receiver.noteProbe(now());
  if (state.checked < UNCHECKED) await dropNoted(context, state);
  const items = await withoutBlocked(context, state, queue.take(most));
  const taken = takeRoom(context, state, items, (queued, leave) => {
    const delivery = newDelivery(webhook.id, queued.event, queued.id);
    return { delivery, queued, leave };
  });
  for (const queued of items.slice(taken.length)) queue.untake(queued);
  for (const { delivery } of taken) state.sending.add(delivery.id);
  return taken;
}

/** Events that a process before has sent, or noted, are not sent again. */
async function dropNoted(context: SendingContext, state: SendingState): Promise<void> {
  const { db, schema, webhook } = context;
  const unchecked = state.queue.newer(state.checked);
  const last = unchecked.at(-1);
  if (last === undefined) return;
  const event_ids = unchecked.map(({ id }) => id);
  const noted = await loadNotedEvents(db.near(schema), schema, webhook.id, event_ids);
  state.queue.drop(new Set(unchecked.filter(({ id }) => noted.has(id))));
  state.checked = last.number + 1;
  notePosition(context, state);
}

/** Without events whose record waits for an earlier delivery: these are noted as deliveries. */
async function withoutBlocked(
  context: SendingContext,
  state: SendingState,
  items: readonly QueuedEvent[],
): Promise<readonly QueuedEvent[]> {
  const record_ids = items.flatMap(({ record }) => record ?? []);
  if (record_ids.length === 0 || state.waiting === 0) return items;
  const { db, schema, webhook } = context;
  const waiting = await loadWaitingRecords(db.near(schema), schema, webhook.id, record_ids);
  const isBlocked = ({ record }: QueuedEvent) => record !== null && waiting.has(record);
  for (const queued of items) if (isBlocked(queued)) keepForLater(context, state, queued);
  return items.filter((queued) => !isBlocked(queued));
}

function keepForLater(context: SendingContext, state: SendingState, queued: QueuedEvent): void {
  const { webhook, now } = context;
  const delivery = newDelivery(webhook.id, queued.event, queued.id);
  void noteOutcome(context, state, waitingOutcome(delivery, now())).then(() => {
    state.queue.settle(queued);
    notePosition(context, state);
  });
}

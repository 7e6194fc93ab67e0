// The loop that sends the webhooks of a workspace (docs/design/webhooks.md). Each turn plans deliveries for what was written,
// stores them with the positions behind them and with the outcomes of requests, claims the deliveries that are due, and
// begins their requests.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Claim,
  type DueDelivery,
  putStep,
  type StoredStep,
  takeOutbox,
} from '../../control/events/webhook-outbox.ts';
import {
  forgetWorkspace,
  type HeldWorkspace,
  holdsWorkspace,
} from '../../control/events/webhook-runs.ts';
import { isDefinitionChanged, namesAbsent } from '../../errors.ts';
import { isDue, LONGEST_DELAY } from '../../webhooks/schedule.ts';
import { openWakeUpSignal } from '../events/pacing.ts';
import { MOST_WAITING, type Plans, planPages } from './outbox-planner.ts';
import { expectDue, type Outbox, type Sending, type SendingParts, sends } from './outbox-state.ts';
import { openByteRate } from './sending-limits.ts';
import { deliver, loadSources, noteCondition, sendPrepared } from './webhook-attempt.ts';
import { breakUnreadable, openSending } from './webhook-states.ts';

export interface OutboxLoop {
  /** Webhooks were added or changed, or there is something to send again. */
  reload(held: HeldWorkspace): void;
  /** Something was written to the workspace. */
  wake(): void;
  /** `grace`: milliseconds that requests have to end. */
  stop(grace?: number): Promise<void>;
}

/** Milliseconds between two turns, at least: several requests end in each. */
const LEAST_GAP = 3;
/** The same while clients keep the process busy, and deliveries that are claimed then. */
const BUSY_GAP = 100;
const BUSY_BATCH = 16;
/** Milliseconds between two reads of changes: at least, and at most without a write of this process. */
const READ_GAP = 15;
const READ_EVERY = 500;
const PAUSE_MS = 1000;
const LONGEST_WAIT = 60_000;

export function openOutboxLoop(
  parts: SendingParts,
  workspace: Outbox['workspace'],
  first: HeldWorkspace,
): OutboxLoop {
  const outbox: Outbox = {
    ...{ parts, workspace, rate: openByteRate(), turns: new Map(), woken: openWakeUpSignal() },
    ...{ sendings: new Map(), ended: [], revision: 0, isOutdated: true },
    ...{ readAt: 0, isLevel: false },
  };
  let held = first;
  const closing = new AbortController();
  const running = run(outbox, closing.signal, () => held);
  return {
    reload(now) {
      held = now;
      outbox.isOutdated = true;
      outbox.woken.notify();
    },
    wake() {
      outbox.isLevel = false;
      outbox.woken.notify();
    },
    async stop(grace = 0) {
      closing.abort();
      outbox.woken.notify();
      await running;
      await finish(outbox, grace);
    },
  };
}

async function run(outbox: Outbox, closing: AbortSignal, held: () => HeldWorkspace): Promise<void> {
  let failures = 0;
  while (!closing.aborted) {
    try {
      const before = held();
      if (outbox.isOutdated && !(await reload(outbox))) {
        await forgetWorkspace(outbox.parts.db, before);
      }
      if (!outbox.isOutdated) await turn(outbox);
      failures = 0;
      await outbox.woken.wait(gapOf(outbox), pauseOf(outbox));
    } catch (error) {
      failures += 1;
      outbox.isOutdated = true;
      const isExpected = isOfDefinition(error) && failures === 1;
      if (!isExpected && failures <= 2) outbox.parts.onError(error);
      await sleep(isExpected ? LEAST_GAP : PAUSE_MS, undefined, { ref: false });
    }
  }
}

/** True for a statement that may have been made for another definition. */
function isOfDefinition(error: unknown): boolean {
  return namesAbsent(error) || isDefinitionChanged(error);
}

/** Load the webhooks and the definition of one moment; false: there are no webhooks. */
async function reload(outbox: Outbox): Promise<boolean> {
  const { parts, workspace, sendings } = outbox;
  const { db, holder, authorities } = parts;
  // A process that was stopped for a while takes nothing from the one after it.
  if (!(await holdsWorkspace(db, holder, workspace.id))) {
    await sleep(PAUSE_MS, undefined, { ref: false });
    return true;
  }
  const asked = { holder, most: MOST_WAITING };
  // A change during the read is read next.
  outbox.isOutdated = false;
  const { webhooks, revision } = await takeOutbox(db, workspace.schema, asked);
  authorities.lookAgain();
  const model = await authorities.model(workspace.id);
  // Another definition came into force after the webhooks were read: they may have other names.
  if (webhooks.length > 0 && model.revision !== revision) outbox.isOutdated = true;
  if (outbox.isOutdated) return true;
  outbox.revision = revision;
  outbox.isLevel = false;
  const before = new Map(sendings);
  sendings.clear();
  for (const webhook of webhooks) {
    const known = before.get(webhook.id);
    const isSame = known?.webhook.version === webhook.version && !webhook.is_taken;
    if (known !== undefined && isSame) {
      sendings.set(webhook.id, Object.assign(known, { waiting: webhook.waiting, dueAt: 0 }));
      before.delete(webhook.id);
    } else if (webhook.secret !== null) {
      // Without a secret nothing can be signed.
      try {
        sendings.set(webhook.id, openSending(outbox, webhook, known));
      } catch (error) {
        breakUnreadable(outbox, webhook, error);
      }
    }
  }
  // Requests of webhooks that were changed or deleted end.
  for (const sending of before.values()) {
    sending.ending.abort();
    sendPrepared(outbox, sending);
  }
  return webhooks.length > 0;
}

async function turn(outbox: Outbox): Promise<void> {
  const { parts, workspace, sendings, ended } = outbox;
  for (const sending of sendings.values()) {
    sendPrepared(outbox, sending);
    const before = sending.receiver.condition();
    if (before.failing_since === null) continue;
    sending.receiver.judge(parts.now());
    noteCondition(sending, before);
  }
  const plans = performance.now() >= readTime(outbox) ? await read(outbox) : NOTHING;
  if (outbox.isOutdated) return;
  const batch = [...ended];
  const room = roomOf(outbox);
  const claims = claimsOf(outbox, room);
  if (batch.length > 0 || plans.moves.length > 0 || claims.length > 0) {
    const stored = await putStep(parts.db, workspace.schema, {
      ...{ holder: parts.holder, revision: outbox.revision, claims, room },
      outcomes: batch.map(({ outcome }) => outcome),
      ...{ moves: plans.moves, planned: plans.planned, except: exceptOf(outbox) },
      now: new Date(parts.now()).toISOString(),
      latest: new Date(parts.now() + LONGEST_DELAY).toISOString(),
    });
    ended.splice(0, batch.length);
    noteStored(outbox, batch);
    noteClaims(outbox, stored, claims, room);
    notePlans(outbox, plans, stored.moved);
    begin(outbox, stored.due);
  } else notePlans(outbox, plans, new Set());
}

const NOTHING: Plans = Object.freeze({
  moves: [],
  planned: [],
  next: new Map(),
  isLevel: true,
});

/** By `performance.now()`: when changes are to be read. */
function readTime({ readAt, isLevel }: Outbox): number {
  return readAt + (isLevel ? READ_EVERY : READ_GAP);
}

async function read(outbox: Outbox): Promise<Plans> {
  // The next turn reads later writes.
  outbox.isLevel = true;
  const plans = await planPages(outbox);
  outbox.readAt = performance.now();
  outbox.isLevel &&= plans.isLevel;
  for (const { webhook_id } of plans.planned) expectDue(outbox, webhook_id);
  return plans;
}

/** Deliveries that are being sent, and those that have ended are among them: their outcomes are stored first. */
function exceptOf({ sendings, ended }: Outbox): readonly string[] {
  const stored = new Set(ended.map(({ outcome }) => outcome.id));
  const all = [...sendings.values()].flatMap(({ claimed }) => [...claimed.keys()]);
  return all.filter((id) => !stored.has(id));
}

/** Deliveries that this process may claim now. */
function roomOf({ parts: { pace, room }, rate, ended, sendings }: Outbox): number {
  if (rate.delay() > 0) return 0;
  if (!pace.isBusy()) return room.left(false) + ended.length;
  const claimed = [...sendings.values()].reduce((sum, sending) => sum + sending.claimed.size, 0);
  return Math.min(room.left(false), BUSY_BATCH - claimed) + ended.length;
}

/** Webhooks of which deliveries may be due, with how many each may claim. */
function claimsOf(outbox: Outbox, room: number): readonly Claim[] {
  const { parts, sendings } = outbox;
  const claims: Claim[] = [];
  for (const [id, sending] of sendings) {
    const free = Math.min(room, freeOf(outbox, sending));
    if (free <= 0 || !isDue(sending.dueAt, parts.now())) continue;
    const most = sends(sending) ? free : 0;
    claims.push({ webhook_id: id, version: sending.webhook.version, most });
    // Until the answer says when: a claim that is released meanwhile is due earlier.
    sending.dueAt = Number.POSITIVE_INFINITY;
  }
  return claims;
}

/** Deliveries that can be claimed for a receiver now. */
function freeOf({ parts, ended }: Outbox, { receiver, claimed }: Sending): number {
  const over = ended.filter(({ sending }) => sending.claimed === claimed).length;
  const most = receiver.batch(parts.now()) - (claimed.size - over);
  return receiver.isSlow() ? Math.min(most, parts.room.left(true) + over) : most;
}

/** Notes stored outcomes, also those of a webhook that was changed or deleted. */
function noteStored({ sendings }: Outbox, batch: Outbox['ended']): void {
  for (const { sending, outcome } of batch) {
    sending.claimed.get(outcome.id)?.();
    sending.claimed.delete(outcome.id);
    const present = sendings.get(sending.webhook.id);
    if (present === undefined) continue;
    // The next delivery of the record may be due.
    present.dueAt = 0;
    if (outcome.state !== 'pending') present.waiting -= 1;
  }
}

/** Note when more is due. Webhooks that were served come last in the next turn. */
function noteClaims(
  outbox: Outbox,
  { due, claims }: StoredStep,
  asked: readonly Claim[],
  room: number,
): void {
  const { sendings } = outbox;
  const limits = new Map(asked.map(({ webhook_id, most }) => [webhook_id, Math.max(1, most)]));
  for (const { webhook_id, next, revision } of claims) {
    if (revision !== outbox.revision) outbox.isOutdated = true;
    const sending = sendings.get(webhook_id);
    if (sending === undefined) continue;
    const count = due.filter((delivery) => delivery.webhook_id === webhook_id).length;
    const isMore = due.length >= room || count >= (limits.get(webhook_id) ?? 1);
    if (isMore) sending.dueAt = 0;
    else if (next !== null) sending.dueAt = Math.min(sending.dueAt, Date.parse(next));
    if (count > 0 && sendings.delete(webhook_id)) sendings.set(webhook_id, sending);
  }
}

/** Positions that were not stored are those of another process, or of a webhook that has changed. */
function notePlans(outbox: Outbox, { moves, planned, next }: Plans, moved: ReadonlySet<string>) {
  const isToMove = new Set(moves.map(({ webhook_id }) => webhook_id));
  for (const [sending, position] of next) {
    const { id } = sending.webhook;
    if (isToMove.has(id) && !moved.has(id)) {
      outbox.isOutdated = true;
      continue;
    }
    sending.position = position;
    if (isToMove.has(id)) sending.storedAt = performance.now();
  }
  for (const { webhook_id } of planned) {
    const sending = outbox.sendings.get(webhook_id);
    if (sending !== undefined && moved.has(webhook_id)) sending.waiting += 1;
  }
}

/** Begin the requests of deliveries that were claimed. */
function begin(outbox: Outbox, due: readonly DueDelivery[]): void {
  const { parts, sendings } = outbox;
  const taken = due.filter(({ id, webhook_id }) => {
    const sending = sendings.get(webhook_id);
    const leave = sending && parts.room.take(sending.receiver.isSlow());
    if (leave === undefined) expectDue(outbox, webhook_id);
    else sending?.claimed.set(id, leave);
    return leave !== undefined;
  });
  if (taken.length < due.length) parts.room.onRoom(outbox.woken.notify);
  if (taken.length === 0) return;
  const sources = loadSources(outbox, taken);
  // Pings do not wait for them.
  sources.catch(() => undefined);
  const webhooks = new Set(taken.map(({ webhook_id }) => webhook_id));
  for (const id of webhooks) {
    const own = taken.filter(({ webhook_id }) => webhook_id === id);
    deliver(outbox, sendings.get(id) as Sending, own, sources).catch((error: unknown) => {
      if (isOfDefinition(error)) outbox.isOutdated = true;
      else parts.onError(error);
    });
  }
}

function gapOf({ parts }: Outbox): number {
  return parts.pace.isBusy() ? BUSY_GAP : LEAST_GAP;
}

/** Milliseconds until there may be something to do without being woken. */
function pauseOf(outbox: Outbox): number {
  const { parts, rate, sendings } = outbox;
  if (outbox.isOutdated) return LEAST_GAP;
  const now = parts.now();
  const all = rate.delay();
  const hasRoom = roomOf(outbox) > 0;
  const times = [...sendings.values()].map((sending) => {
    if (sending.prepared.length > 0) return sending.receiver.delay(now) || LONGEST_WAIT;
    if (!isDue(sending.dueAt, now)) return sending.dueAt - now;
    // Room that others give back wakes the loop.
    if (freeOf(outbox, sending) > 0) return all > 0 || hasRoom ? all : LONGEST_WAIT;
    return Math.max(all, sending.receiver.delay(now)) || LONGEST_WAIT;
  });
  if (parts.room.left(true) <= 0) parts.room.onRoom(outbox.woken.notify);
  const reads = [...sendings.values()].some(sends);
  const untilRead = reads ? readTime(outbox) - performance.now() : LONGEST_WAIT;
  return Math.max(gapOf(outbox), Math.ceil(Math.min(LONGEST_WAIT, untilRead, ...times)));
}

/** Wait for the requests that are under way, and store their outcomes. */
async function finish(outbox: Outbox, grace: number): Promise<void> {
  const { parts, workspace, ended } = outbox;
  const latest = performance.now() + grace;
  const all = [...outbox.sendings.values()];
  const underWay = () => all.reduce((sum, { claimed }) => sum + claimed.size, 0) - ended.length;
  while (underWay() > 0) {
    const isLate = performance.now() >= latest;
    for (const sending of all) {
      if (isLate) sending.ending.abort();
      sendPrepared(outbox, sending);
    }
    await sleep(5);
  }
  if (ended.length === 0) return;
  const none = { claims: [], room: 0, moves: [], planned: [], except: [], now: '', latest: '' };
  const outcomes = ended.map(({ outcome }) => outcome);
  const step = { holder: parts.holder, revision: outbox.revision, outcomes, ...none };
  await putStep(parts.db, workspace.schema, step).catch(parts.onError);
}

// One attempt at each of some claimed deliveries of a webhook: their events as the owner may know them now, their bodies, the
// requests, and what became of them.

import { PING } from '../../control/events/webhook-deliveries.ts';
import type { DeliveryOutcome, DueDelivery } from '../../control/events/webhook-outbox.ts';
import { type EventRow, planEvents, type ShownEvent } from '../../plan/events/event-plan.ts';
import { isOfKind } from '../../plan/events/webhook-events.ts';
import type { WebhookScope } from '../../plan/events/webhook-plan.ts';
import { isDelivered, nextAttempt } from '../../webhooks/schedule.ts';
import type { SendResult } from '../../webhooks/send.ts';
import { changesOf } from '../events/change-reader.ts';
import { loadSameRows } from '../events/event-pages.ts';
import { rightsEvents } from '../events/event-rights.ts';
import { type Outbox, type Prepared, release, type Sending, sends } from './outbox-state.ts';
import { type Body, bodiesOf, pingBody } from './webhook-body.ts';

/** Milliseconds until a record that changed while its body was made is read again. */
const AGAIN_AFTER = 100;

/** The audit rows of events by their places, and the definition whose keys they have. */
interface SourceRows {
  readonly revision: number;
  readonly rows: ReadonlyMap<string, EventRow>;
}

/** Judge the deliveries of a webhook and make their bodies; their requests begin as the receiver can get them. */
export async function deliver(
  outbox: Outbox,
  sending: Sending,
  due: readonly DueDelivery[],
  sources: Promise<SourceRows>,
): Promise<void> {
  const { parts } = outbox;
  const events = due.filter(({ type }) => type !== PING);
  for (const ping of due.filter(({ type }) => type === PING)) {
    const body = pingBody(sending.webhook.id, ping.event_id, parts.now());
    void attempt(outbox, sending, ping, body);
  }
  if (events.length === 0) return;
  const again = ({ id }: DueDelivery) => release(outbox, sending, id, parts.now() + AGAIN_AFTER);
  try {
    const { rows, revision } = await sources;
    const times = { judgedAt: performance.now(), version: parts.feeds.changes.version() };
    const scope = await sending.scope();
    const bodies = scope && (await judge(outbox, { sending, scope, rows }, events));
    // Names that have changed meanwhile: everything is judged again.
    const isSame = revision === outbox.revision && scope?.model.revision === revision;
    if (scope !== undefined && !isSame) outbox.isOutdated = true;
    for (const delivery of events) {
      const body = isSame ? bodies?.get(delivery.id) : null;
      if (body === null) again(delivery);
      else if (body === undefined) end(outbox, sending, dropped(delivery));
      else sending.prepared.push({ delivery, body, ...times });
    }
    sendPrepared(outbox, sending);
  } catch (error) {
    events.forEach(again);
    throw error;
  }
}

/** Milliseconds for which a body is sent as it is, unless rights have changed: as long as a request knows rights (D80). */
const JUDGED_FOR = 900;

/** Begin requests as the receiver can get them; what was judged too long ago, or by other rights, is judged again. */
export function sendPrepared(outbox: Outbox, sending: Sending): void {
  const { now, feeds, pace } = outbox.parts;
  const { prepared, receiver, ending } = sending;
  const isOld = ({ judgedAt, version }: Prepared) =>
    ending.signal.aborted ||
    !sends(sending) ||
    version !== feeds.changes.version() ||
    performance.now() - judgedAt > JUDGED_FOR;
  for (;;) {
    const [first] = prepared;
    if (first === undefined) return;
    if (isOld(first)) release(outbox, sending, first.delivery.id);
    else if (receiver.free(now()) === 0) return;
    else if (pace.delay() > 0) {
      sendLater(outbox, sending);
      return;
    } else void attempt(outbox, sending, first.delivery, first.body);
    prepared.shift();
  }
}

/** Requests of clients come first. */
function sendLater(outbox: Outbox, sending: Sending): void {
  if (sending.isPaced) return;
  sending.isPaced = true;
  setTimeout(() => {
    sending.isPaced = false;
    sendPrepared(outbox, sending);
  }, outbox.parts.pace.delay()).unref();
}

/** Once for the deliveries of several webhooks. */
export async function loadSources(
  { parts, workspace }: Outbox,
  due: readonly DueDelivery[],
): Promise<SourceRows> {
  const places = due.flatMap(({ transaction, audit_id }) =>
    transaction === null ? [] : [{ transaction, id: audit_id as number }],
  );
  const model = await parts.authorities.model(workspace.id);
  const found = places.length === 0 ? [] : await loadSameRows(parts.feeds.outbox, model, places);
  const rows = new Map(found.map((row) => [`${row.transaction} ${row.id}`, row]));
  return { revision: model.revision, rows };
}

interface Judging {
  readonly sending: Sending;
  readonly scope: WebhookScope;
  readonly rows: ReadonlyMap<string, EventRow>;
}

/** The bodies by the rights of this moment; none for events that may no longer be sent. */
async function judge(
  { parts }: Outbox,
  { sending: { webhook }, scope, rows }: Judging,
  due: readonly DueDelivery[],
): Promise<ReadonlyMap<string, Body>> {
  const events = new Map<ShownEvent, string>();
  for (const delivery of due) {
    const { rights, transaction, audit_id, type } = delivery;
    const row = rows.get(`${transaction} ${audit_id}`);
    const known =
      rights === null
        ? changesOf(row === undefined ? [] : planEvents(scope, row))
        : await rightsEvents(parts.feeds.outbox, scope, rights);
    const same = known.find((event) => event.type === type && rights === rightsOf(event));
    // A reader with another reach may know of the same change of a record as one of another type.
    const event = same ?? known.find((one) => rights === null && isOfKind(webhook, one));
    if (event !== undefined) events.set(event, delivery.id);
  }
  const { db, present, now } = parts;
  const bodies = await bodiesOf({ db, scope, present, now }, webhook, [...events.keys()]);
  return new Map([...bodies].map(([event, body]) => [events.get(event) as string, body]));
}

function rightsOf(event: ShownEvent): string | null {
  return 'row' in event ? null : event.key;
}

async function attempt(
  outbox: Outbox,
  sending: Sending,
  delivery: DueDelivery,
  body: string,
): Promise<void> {
  const { parts, rate } = outbox;
  const { now, random, pace } = parts;
  const { receiver } = sending;
  const { stopped_at, verified_at } = receiver.condition();
  // A test says nothing about a receiver that is known, and is not repeated.
  const isTest = delivery.type === PING && (stopped_at !== null || verified_at !== null);
  rate.note(Buffer.byteLength(body));
  pace.note();
  const noteEnd = isTest ? undefined : receiver.begin(now());
  const result = await request(outbox, sending, delivery, body);
  // Others have ended, or the receiver was judged, while it was sent: only the changes of its own end are its own.
  const before = receiver.condition();
  noteEnd?.(result, now());
  sendPrepared(outbox, sending);
  if (result.kind === 'failed' && result.reason === 'cancelled') {
    return release(outbox, sending, delivery.id);
  }
  const isFirst = delivery.type === PING && before.verified_at === null;
  if (isFirst && isDelivered(result)) {
    receiver.verify(now());
    // The next turn reads changes since the webhook was made.
    outbox.isLevel = false;
  }
  noteCondition(sending, before);
  const once = isTest || receiver.condition().stopped_at !== null;
  end(outbox, sending, attemptOutcome(delivery, { result, now: now(), random, once }));
}

function request(
  { parts: { sender, now } }: Outbox,
  { webhook, secrets, ending }: Sending,
  { event_id: id, attempts }: DueDelivery,
  body: string,
): Promise<SendResult> {
  const { id: receiver, url } = webhook;
  const signed = { secrets: secrets.secrets(now()), headers: secrets.headers };
  return sender.send({ receiver, url, id, attempt: attempts + 1, body, ...signed }, ending.signal);
}

/** Store the condition when a step has changed it. */
export function noteCondition(
  { receiver, change }: Sending,
  before: ReturnType<Sending['receiver']['condition']>,
): void {
  const after = receiver.condition();
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  change(after, after.told_at !== null && before.told_at === null);
}

/** The next turn of the loop stores it. */
function end({ ended, woken }: Outbox, sending: Sending, outcome: DeliveryOutcome): void {
  ended.push({ sending, outcome });
  woken.notify();
}

/** Its owner may no longer read it, or nothing is left to send. */
function dropped(delivery: DueDelivery): DeliveryOutcome {
  return { ...delivery, state: 'dropped', next_attempt_at: null };
}

interface Attempted {
  readonly result: SendResult;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: () => number;
  /** True: a failure is not repeated. */
  readonly once: boolean;
}

/** The row of a delivery after an attempt. */
export function attemptOutcome(
  { id, attempts, failures }: Pick<DueDelivery, 'id' | 'attempts' | 'failures'>,
  { result, now, random, once }: Attempted,
): DeliveryOutcome {
  const next = nextAttempt({ attempt: failures + 1, result, now, random });
  const isDone = next.kind === 'delivered';
  const retryAt = next.kind === 'retry' && !once ? new Date(next.at).toISOString() : null;
  const answered = result.kind === 'answered' ? result : undefined;
  return {
    id,
    state: isDone ? 'delivered' : retryAt === null ? 'failed' : 'pending',
    attempts: attempts + 1,
    failures: isDone ? 0 : failures + 1,
    next_attempt_at: retryAt,
    attempted_at: new Date(now).toISOString(),
    last_status: answered?.status ?? null,
    error: result.kind === 'failed' ? result.reason : null,
    answer: answered?.answer ?? null,
    request_id: answered?.request_id ?? null,
    duration_ms: result.duration_ms,
  };
}

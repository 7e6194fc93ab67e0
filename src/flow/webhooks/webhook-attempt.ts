// One attempt at each of some deliveries of a webhook: their events as the owner may know them now, their bodies, the
// requests, and what became of them.

import { PING } from '../../control/webhook-deliveries.ts';
import type { ShownEvent } from '../../plan/event-plan.ts';
import { isChosen } from '../../plan/webhook-events.ts';
import type { WebhookScope } from '../../plan/webhook-plan.ts';
import { isDelivered } from '../../webhooks/schedule.ts';
import type { SendResult } from '../../webhooks/send.ts';
import { attemptOutcome, droppedOutcome } from './delivery-outcome.ts';
import {
  type Candidate,
  noteCondition,
  noteOutcome,
  notePosition,
  type SendingContext,
  type SendingState,
} from './sending-context.ts';
import { type PreparedEvent, pingBody, prepareBodies } from './webhook-body.ts';
import { readAgain, sourceOf } from './webhook-events-again.ts';

/** Milliseconds for which the reach of a record is as it was judged: as long as a request knows rights (D80). */
const JUDGED_FOR = 900;

/** Begin to send them; resolves when all requests are under way. */
export async function deliver(
  context: SendingContext,
  state: SendingState,
  candidates: readonly Candidate[],
): Promise<void> {
  const pings = candidates.filter(({ delivery }) => delivery.type === PING);
  const others = candidates.filter(({ delivery }) => delivery.type !== PING);
  for (const ping of pings) {
    const { id, event_id } = { ...ping.delivery, id: context.webhook.id };
    void attempt(context, state, ping, pingBody(id, event_id, context.now()));
  }
  if (others.length === 0) return;
  let bodies: ReadonlyMap<Candidate, string>;
  try {
    const scope = await context.scope();
    if (scope === undefined) return abandon(state, others);
    bodies = await bodiesOf(context, scope, others);
    // Rights that have changed meanwhile: everything is judged again, by the next call.
    if ((await context.scope()) !== scope) return abandon(state, others);
  } catch (error) {
    abandon(state, others);
    throw error;
  }
  for (const candidate of others) {
    const body = bodies.get(candidate);
    if (body === undefined) void drop(context, state, candidate);
    else void attempt(context, state, candidate, body);
  }
}

/** They stay where they were. */
function abandon(state: SendingState, candidates: readonly Candidate[]): void {
  for (const { delivery, queued, leave } of candidates) {
    state.sending.delete(delivery.id);
    if (queued === undefined) state.dueAt = 0;
    else state.queue.untake(queued);
    leave();
  }
}

async function bodiesOf(
  { db, feeds, present, now, webhook }: SendingContext,
  scope: WebhookScope,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, string>> {
  const isOld = ({ queued }: Candidate) =>
    queued?.scope !== scope || performance.now() - queued.judgedAt > JUDGED_FOR;
  const old = candidates.filter(isOld);
  const sources = old.map(({ delivery, queued }) => (queued ? sourceOf(queued.event) : delivery));
  const again = old.length === 0 ? [] : await readAgain(feeds.outbox, scope, sources);
  const events = new Map<Candidate, ShownEvent>();
  for (const candidate of candidates) {
    const index = old.indexOf(candidate);
    const event = index === -1 ? candidate.queued?.event : again[index];
    if (event !== undefined && isChosen(webhook, event)) events.set(candidate, event);
  }
  const prepared = await prepareBodies({ db, scope, present, now }, webhook, [...events.values()]);
  const bodies = new Map(prepared.map((one): [ShownEvent, PreparedEvent] => [one.event, one]));
  return new Map(
    [...events].flatMap(([candidate, event]): readonly (readonly [Candidate, string])[] => {
      const body = bodies.get(event)?.body;
      return body === undefined ? [] : [[candidate, body]];
    }),
  );
}

/** The event can no longer be sent. Without an attempt there is no delivery: its owner may not know of the event. */
async function drop(
  context: SendingContext,
  state: SendingState,
  candidate: Candidate,
): Promise<void> {
  const { delivery, queued } = candidate;
  if (queued === undefined) await noteOutcome(context, state, droppedOutcome(delivery));
  settle(context, state, candidate);
}

async function attempt(
  context: SendingContext,
  state: SendingState,
  candidate: Candidate,
  body: string,
): Promise<void> {
  const { now, random } = context;
  const { delivery } = candidate;
  const { receiver } = state;
  const { stopped_at, verified_at } = receiver.condition();
  // A test says nothing about a receiver that is known, and is not repeated.
  const isTest = delivery.type === PING && (stopped_at !== null || verified_at !== null);
  context.rate.note(Buffer.byteLength(body));
  context.pace.note();
  const end = isTest ? undefined : receiver.begin(now());
  const result = await send(context, state, candidate, body);
  // Others have ended, or the receiver was judged, while it was sent: only the changes of its own end are its own.
  const before = receiver.condition();
  end?.(result, now());
  if (result.kind === 'failed' && result.reason === 'cancelled') return abandon(state, [candidate]);
  if (delivery.type === PING && isDelivered(result) && before.verified_at === null) {
    receiver.verify(now());
  }
  const after = receiver.condition();
  const once = isTest || after.stopped_at !== null;
  const outcome = attemptOutcome(delivery, { result, now: now(), random, once });
  await noteOutcome(context, state, outcome);
  noteCondition(context, state, { before, after });
  settle(context, state, candidate);
}

function send(
  { sender, webhook, secrets, now }: SendingContext,
  { ending }: SendingState,
  { delivery }: Candidate,
  body: string,
): Promise<SendResult> {
  const request = {
    ...{ receiver: webhook.id, url: webhook.url, id: delivery.event_id, body },
    ...{
      attempt: delivery.attempts + 1,
      secrets: secrets.secrets(now()),
      headers: secrets.headers,
    },
  };
  return sender.send(request, ending);
}

/** It is dealt with and stored. */
function settle(context: SendingContext, state: SendingState, candidate: Candidate): void {
  const { delivery, queued, leave } = candidate;
  state.sending.delete(delivery.id);
  if (queued !== undefined) state.queue.settle(queued);
  notePosition(context, state);
  leave();
  state.wake();
}

// Webhooks and deliveries in words: states, events, failures. Pure.

import '../../lib/delivery-texts.ts';
import type { Webhook, WebhookDelivery } from '@workspace-records/client';
import type { Formats } from '../../lib/format.ts';
import { type PlainKey, type Translate, told } from '../../lib/messages/index.ts';
import type { EventType } from './api.ts';

/** A webhook that waits for its first ping does not send yet. */
export type ShownState = Webhook['state'] | 'unverified';
export type DeliveryState = WebhookDelivery['state'];

/** The colour of a state; its words say the same. */
export type Tone = 'good' | 'quiet' | 'warning' | 'bad';

interface StateWords {
  readonly label: PlainKey;
  readonly tone: Tone;
}

export const STATES: Readonly<Record<ShownState, StateWords>> = {
  active: { label: 'webhooks.stateActive', tone: 'good' },
  unverified: { label: 'webhooks.stateUnverified', tone: 'warning' },
  paused: { label: 'webhooks.statePaused', tone: 'quiet' },
  failing: { label: 'webhooks.stateFailing', tone: 'warning' },
  disabled: { label: 'webhooks.stateDisabled', tone: 'bad' },
  broken: { label: 'webhooks.stateBroken', tone: 'bad' },
};

export const DELIVERY_STATES: Readonly<Record<DeliveryState, StateWords>> = {
  pending: { label: 'deliveries.pending', tone: 'warning' },
  delivered: { label: 'deliveries.delivered', tone: 'good' },
  failed: { label: 'deliveries.failed', tone: 'bad' },
  dropped: { label: 'deliveries.dropped', tone: 'quiet' },
};

/** An event that is new has to be named here, or this does not compile. */
const EVENTS: Readonly<Record<EventType | 'ping', PlainKey>> = {
  'record.*': 'event.allOfRecords',
  'record.created': 'event.created',
  'record.updated': 'event.updated',
  'record.status_changed': 'event.statusChanged',
  'record.deleted': 'event.deleted',
  'record.linked': 'event.linked',
  'record.unlinked': 'event.unlinked',
  'record.entered': 'event.entered',
  'record.left': 'event.left',
  'record.restored': 'event.restored',
  'record.merged': 'event.merged',
  'record.erased': 'event.erased',
  'comment.created': 'event.comment',
  'status_request.created': 'event.requested',
  'status_request.decided': 'event.decided',
  'definition.changed': 'event.definition',
  'reach.changed': 'event.reach',
  ping: 'event.ping',
};

export const ALL_OF_RECORDS = 'record.*';
const EVENT_TYPES = (Object.keys(EVENTS) as (EventType | 'ping')[]).filter(
  (type) => type !== ALL_OF_RECORDS,
);
export const DELIVERED_TYPES: readonly string[] = EVENT_TYPES;
export const RECORD_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('record.'));
export const OTHER_EVENTS = EVENT_TYPES.filter(
  (type) => !type.startsWith('record.') && type !== 'ping',
);

/** An unknown type, of a later release, is its own text. */
export function eventText(type: string, t: Translate): string {
  const key = (EVENTS as Readonly<Record<string, PlainKey | undefined>>)[type];
  return key === undefined ? type : t(key);
}

/** The names of the sources of writes, the most often excluded first. */
export const SOURCES: Readonly<Record<string, PlainKey>> = {
  import: 'webhooks.sourceImport',
  bulk: 'webhooks.sourceBulk',
  api: 'webhooks.sourceApi',
  application: 'webhooks.sourceApplication',
  cli: 'webhooks.sourceCli',
  mcp: 'webhooks.sourceMcp',
  restore: 'webhooks.sourceRestore',
};

const FAILURES: Readonly<Record<string, PlainKey>> = {
  address_refused: 'failure.refused',
  name_not_found: 'failure.name',
  unreachable: 'failure.unreachable',
  timeout: 'failure.timeout',
  tls: 'failure.tls',
  bad_answer: 'failure.badAnswer',
  proxy: 'failure.proxy',
};

/** The reason for a missing answer. */
export function failureText(error: string, t: Translate): string {
  return t(FAILURES[error] ?? 'failure.other');
}

export function shownState({ state, verified_at }: Webhook): ShownState {
  return state === 'active' && verified_at === null ? 'unverified' : state;
}

/** The reason for its state; undefined while it sends. */
export function reasonText(webhook: Webhook, t: Translate): string | undefined {
  const { reason, stopped_at, verified_at, state } = webhook;
  if (reason !== null) return told(reason.message);
  if (stopped_at === null && verified_at === null) return t('webhooks.reasonUnverified');
  return state === 'failing' ? t('webhooks.reasonFailing') : undefined;
}

/** The time of its last change of state; null while it sends. */
export function sinceOf(webhook: Webhook): string | null {
  return webhook.stopped_at ?? webhook.failing_since;
}

/** The events and objects: `Created, Comment · Deals, with conditions`. */
export function summaryOf(
  webhook: Pick<Webhook, 'events' | 'object_types' | 'changed_fields' | 'where' | 'status_to'>,
  nameOf: (objectType: string) => string,
  t: Translate,
): string {
  const { events, object_types, changed_fields, where, status_to } = webhook;
  const objects =
    object_types.length === 0 ? t('webhooks.allObjects') : object_types.map(nameOf).join(', ');
  const isNarrow = where !== null || changed_fields.length > 0 || status_to.length > 0;
  const about = isNarrow ? `${objects}, ${t('webhooks.withConditions')}` : objects;
  return `${events.map((type) => eventText(type, t)).join(', ')} · ${about}`;
}

/** The result of the newest delivery. */
export function lastDeliveryText(
  { last_delivery }: Pick<Webhook, 'last_delivery'>,
  { ago: agoOf }: Pick<Formats, 'ago'>,
  t: Translate,
): string {
  if (last_delivery === null) return t('webhooks.noDelivery');
  const { state, status, error, attempted_at } = last_delivery;
  const ago = agoOf(attempted_at);
  if (status === null) return t('webhooks.lastFailed', { ago, error: failureText(error ?? '', t) });
  const said = { ago, status: String(status) };
  return state === 'delivered'
    ? t('webhooks.lastDelivered', said)
    : t('webhooks.lastRefused', said);
}

/** The result of a test. */
export function testText(
  { state, status, error, duration_ms }: WebhookDelivery,
  number: Formats['number'],
  t: Translate,
): string {
  if (status === null && error === null) return t('webhooks.testSlow');
  if (status === null) return t('webhooks.testFailed', { error: failureText(error ?? '', t) });
  const said = String(status);
  if (state !== 'delivered') return t('webhooks.testRefused', { status: said });
  return t('webhooks.tested', { status: said, duration: durationText(duration_ms ?? 0, number) });
}

/** Milliseconds. */
export function durationText(duration: number, number: Formats['number']): string {
  const isLong = duration >= 1000;
  const unit = isLong ? 'second' : 'millisecond';
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return number(isLong ? duration / 1000 : duration, options);
}

/** Reasons that leave no position to continue from. */
const LOST: ReadonlySet<string> = new Set(['restored', 'database_restored', 'position_expired']);
/** Milliseconds for which the service keeps a position. */
const KEPT = 7 * 86_400_000;

/** True when a stopped webhook can probably continue at its position; the service decides. */
export function isPositionKept({ reason, stopped_at }: Webhook, now: number): boolean {
  const isOld = stopped_at !== null && now - Date.parse(stopped_at) > KEPT;
  return !isOld && !LOST.has(reason?.code ?? '');
}

/** The address without the scheme that all of them share. */
export function urlText(url: string): string {
  return url.replace(/^https:\/\//, '');
}

// Bodies of requests to receivers (docs/design/webhooks.md): `{type, timestamp, data}` with the event as its reader may
// see it now, and with the record if the webhook asks for it. Conditions and statuses are judged on the record at this moment, which
// is read by the way of all reads.

import { ApiError } from '../../errors.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import type { ShownEvent } from '../../plan/events/event-plan.ts';
import {
  parseWebhookWhere,
  type WebhookFields,
  type WebhookScope,
} from '../../plan/events/webhook-plan.ts';
import { WHOLE_ANSWER } from '../../plan/read/answer-size.ts';
import type { ReadPlan } from '../../plan/read/read-plan.ts';
import { recordQuery } from '../../plan/read/record-query.ts';
import { planSelected } from '../../plan/read/selected-plan.ts';
import type { WhereInput } from '../../plan/read/where.ts';
import type { Row, Shareable } from '../../postgres/db.ts';
import { laterMovesSql } from '../../sql/events/event-sql.ts';
import { selectedIdsSql } from '../../sql/read/read-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { readByIds } from '../records/read/read-by-ids.ts';
import { ask } from '../records/read/read-statement.ts';

/** From events and records to the wire; the routes have it. */
export interface WebhookPresenter {
  event(scope: WebhookScope, event: ShownEvent): Readonly<Record<string, unknown>>;
  record(scope: WebhookScope, plan: ReadPlan, row: Row): Readonly<Record<string, unknown>>;
}

export interface BodyContext {
  readonly db: Shareable;
  readonly scope: WebhookScope;
  readonly present: WebhookPresenter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** JSON; null: the record has changed while it was read, so that the event has to be judged again. */
export type Body = string | null;

type BodyFields = Pick<
  WebhookFields,
  'object_types' | 'where' | 'timezone' | 'status_to' | 'payload'
>;

type RecordEvent = Extract<ShownEvent, { readonly row: unknown }>;

/** The bodies of the events that meet the conditions now. */
export async function bodiesOf(
  context: BodyContext,
  webhook: BodyFields,
  events: readonly ShownEvent[],
): Promise<ReadonlyMap<ShownEvent, Body>> {
  const met = await meetingRecords(context, webhook, events);
  const meeting = events.filter(
    (event) => met === undefined || !isJudged(event) || met.has(idOf(event)),
  );
  const moved = webhook.status_to.length === 0 ? NONE : await movedSince(context, meeting);
  const meant = meeting.filter((event) => !isJudged(event) || !moved.has(event.row.id));
  const records = webhook.payload === 'record' ? await loadRecords(context, meant) : undefined;
  return new Map(
    meant.map((event) => {
      const data = context.present.event(context.scope, event);
      const isShown = records !== undefined && showsRecord(event);
      return [event, isShown ? bodyWith(data, records.get(idOf(event))) : bodyOf(data)];
    }),
  );
}

/** A record that makes a body longer than this is left out. */
const LONGEST = 20_000;

type EventData = Readonly<Record<string, unknown>>;

function bodyOf(data: EventData): string {
  const { type, occurred_at: timestamp } = data;
  return JSON.stringify({ type, timestamp, data });
}

/** `record`: undefined when it is gone, or out of reach, since the event was judged. */
function bodyWith(data: EventData, record: EventData | typeof TOO_LARGE | undefined): Body {
  if (record === undefined) return null;
  const whole = record === TOO_LARGE ? '' : bodyOf({ ...data, record });
  if (record !== TOO_LARGE && Buffer.byteLength(whole) <= LONGEST) return whole;
  return bodyOf({ ...data, truncated: true });
}

/** Conditions are on the records of events; those of comments are judged too. */
function isJudged(event: ShownEvent): event is RecordEvent {
  return 'row' in event && event.row.record_id !== null;
}

function idOf({ row }: RecordEvent): string {
  return String(row.record_id);
}

/** Ids of the records that meet the conditions now; undefined without conditions. */
async function meetingRecords(
  { db, scope, now }: BodyContext,
  webhook: BodyFields,
  events: readonly ShownEvent[],
): Promise<ReadonlySet<string> | undefined> {
  const { status_to } = webhook;
  const condition = webhook.where === null ? undefined : parseWebhookWhere(scope, webhook);
  if (condition === undefined && status_to.length === 0) return undefined;
  const met = new Set<string>();
  for (const [object, ids] of recordsOf(scope, events.filter(isJudged))) {
    const where = whereOf(object, condition?.query.where, status_to);
    if (where === undefined) continue;
    const plan = planSelected({ ...scope, now }, object, recordQuery({ where }), ids.length);
    const statement = toStatement(selectedIdsSql({ ...plan, ids }, ids.length));
    for (const { id } of await ask({ db, ...scope, now }, statement)) met.add(String(id));
  }
  return met;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Events of records that have moved to another status since: the status that was read is not the one they tell of. It is
 * asked after the status was read, so that a move between the two leaves out the event before it.
 */
async function movedSince(
  { db, scope: { model } }: BodyContext,
  events: readonly ShownEvent[],
): Promise<ReadonlySet<number>> {
  const moves = events.filter(isJudged).map(({ row: { record_id, id } }) => ({
    record_id: String(record_id),
    id,
  }));
  if (moves.length === 0) return NONE;
  const statement = toStatement(laterMovesSql(model.schema, moves));
  const rows = await db.near(model.schema).query(statement);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Undefined: no record of the object meets it, because it has none of the statuses. */
function whereOf(
  object: ObjectModel,
  where: WhereInput | undefined,
  statuses: readonly string[],
): WhereInput | undefined {
  const own = [...(object.fields.get('status')?.rules.options ?? [])].map(({ value }) => value);
  const possible = statuses.filter((status) => own.includes(status));
  if (statuses.length > 0 && possible.length === 0) return undefined;
  const status = { param: 'status_to', field: 'status', op: 'in', value: possible, text: false };
  const ofStatus = statuses.length === 0 ? [] : [status as WhereInput];
  return { all: [...ofStatus, ...(where === undefined ? [] : [where])] };
}

/** An answer cannot have the record. */
const TOO_LARGE = 'too large';

/** True for an event of a record that its reader can read. */
function showsRecord(event: ShownEvent): event is RecordEvent {
  return isJudged(event) && event.type !== 'record.left' && event.row.present;
}

/** The records as the owner may read them, presented; without those that are gone. */
async function loadRecords(
  { db, scope, present, now }: BodyContext,
  events: readonly ShownEvent[],
): Promise<ReadonlyMap<string, EventData | typeof TOO_LARGE>> {
  const records = new Map<string, EventData | typeof TOO_LARGE>();
  for (const [object, ids] of recordsOf(scope, events.filter(showsRecord))) {
    for (const id of ids) {
      const question = { ids: [id], fields: undefined, size: WHOLE_ANSWER };
      try {
        const { rows, plan } = await readByIds({ db, ...scope, now }, object, question);
        for (const row of rows) records.set(id, present.record(scope, plan, row));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
        records.set(id, TOO_LARGE);
      }
    }
  }
  return records;
}

function recordsOf(
  { model }: WebhookScope,
  events: readonly RecordEvent[],
): ReadonlyMap<ObjectModel, readonly string[]> {
  const wanted = new Map<ObjectModel, Set<string>>();
  for (const event of events) {
    const object = model.objects.get(event.row.object_type);
    if (object !== undefined)
      wanted.set(object, (wanted.get(object) ?? new Set()).add(idOf(event)));
  }
  return new Map([...wanted].map(([object, ids]) => [object, [...ids]]));
}

/** The body of a ping, which carries no event. */
export function pingBody(webhookId: string, eventId: string, now: number): string {
  const timestamp = new Date(now).toISOString();
  const data = { type: 'ping', id: eventId, webhook_id: webhookId, occurred_at: timestamp };
  return JSON.stringify({ type: 'ping', timestamp, data });
}

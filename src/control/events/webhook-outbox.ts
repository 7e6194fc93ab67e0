// The outbox of webhooks: how far each of them is, a delivery for each event, planned before it is sent, and the claims of
// deliveries that are due. One function, one statement or one transaction. A process writes here only while its name is in
// the position of a webhook.

import { uuidv7 } from 'uuidv7';
import { LIMITS } from '../../limits.ts';
import type { Queryable, Shareable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, literal, type Sql, sql, toStatement } from '../../sql/sql.ts';
import { type DeliveryRow, PING } from './webhook-deliveries.ts';
import { loadAllWebhooks, type WebhookRow } from './webhook-rows.ts';

/** A delivery that is not sent yet, with the place of its event in the audit, or the rights before it. */
export interface PlannedDelivery
  extends Pick<
    DeliveryRow,
    'id' | 'webhook_id' | 'event_id' | 'type' | 'object_type' | 'record_id'
  > {
  readonly transaction: string | null;
  readonly audit_id: number | null;
  /** Of an event about the rights of the owner: what they could read before. */
  readonly rights: string | null;
}

/** A delivery after an attempt. One that is dropped before the first attempt is removed. */
export type DeliveryOutcome = Omit<
  DeliveryRow,
  'webhook_id' | 'event_id' | 'type' | 'object_type' | 'record_id' | 'created_at'
>;

/** A delivery before its next attempt, as the one before has left it. */
export type DueDelivery = PlannedDelivery & DeliveryOutcome;

/** A webhook as its process knows it: what is planned or claimed by another version is not stored. */
interface KnownWebhook {
  readonly webhook_id: string;
  readonly version: number;
}

export interface MovedPosition extends KnownWebhook {
  readonly position: string;
  /** Everything that was committed until then is sent, or among the deliveries. */
  readonly position_at: string;
}

export interface Claim extends KnownWebhook {
  /** Deliveries other than pings, at most. */
  readonly most: number;
}

/** A step of the loop of a workspace, stored as a whole. */
export interface OutboxStep {
  readonly holder: string;
  /** The definition by which events were planned, and deliveries are judged. */
  readonly revision: number;
  readonly outcomes: readonly DeliveryOutcome[];
  readonly moves: readonly MovedPosition[];
  readonly planned: readonly PlannedDelivery[];
  readonly claims: readonly Claim[];
  /** Deliveries of all claims together, at most. */
  readonly room: number;
  /** Deliveries that are being sent. */
  readonly except: readonly string[];
  readonly now: string;
  /** No delay is longer: times after it are of a clock that has jumped back. */
  readonly latest: string;
}

export interface StoredStep {
  /** Webhooks whose moves were stored. */
  readonly moved: ReadonlySet<string>;
  readonly due: readonly DueDelivery[];
  readonly claims: readonly Claimed[];
}

/** A claim that was made. */
interface Claimed {
  readonly webhook_id: string;
  /** When the next delivery is due; null: none waits. */
  readonly next: string | null;
  /** The definition in force. */
  readonly revision: number;
}

/** Failed attempts after which later events of the record are sent as well. */
const KEEPS_ORDER = 3;

/** Store outcomes, plan deliveries with the positions behind them, and claim what is due: all or nothing. */
export async function putStep(
  db: Shareable,
  schema: string,
  step: OutboxStep,
): Promise<StoredStep> {
  const tables = tablesOf(schema);
  const storing = step.outcomes.length === 0 ? [] : [storeSql(tables, step)];
  const planning = step.moves.length === 0 ? [] : [planSql(tables, step)];
  const claiming = step.claims.length === 0 ? [] : [claimSql(tables, step), nextSql(tables, step)];
  const statements = [...storing, ...planning, ...claiming].map((one) => toStatement(one));
  const results = await db.near(schema).transaction((tx) => tx.finish(statements));
  const moves = planning.length === 0 ? [] : results[storing.length];
  const [due, claims] = claiming.length === 0 ? [] : results.slice(-2);
  return {
    moved: new Set((moves ?? []).map(({ webhook_id }) => String(webhook_id))),
    due: (due ?? []) as unknown as readonly DueDelivery[],
    claims: (claims ?? []) as unknown as readonly Claimed[],
  };
}

interface Tables {
  readonly webhooks: Sql;
  readonly positions: Sql;
  readonly deliveries: Sql;
  /** The revision of the definition in force. */
  readonly revision: Sql;
}

function tablesOf(schema: string): Tables {
  return {
    webhooks: identifier(schema, '_webhooks'),
    positions: identifier(schema, '_webhook_positions'),
    deliveries: identifier(schema, '_webhook_deliveries'),
    revision: sql`(select f.revision from ${identifier(schema, '_definitions')} f where f.in_force
      order by f.revision desc limit 1)`,
  };
}

function storeSql({ deliveries, positions }: Tables, { holder, outcomes }: OutboxStep): Sql {
  return sql`with ended as (select o.* from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) o (id uuid, state text,
        attempts integer, failures integer, next_attempt_at timestamptz, attempted_at timestamptz,
        last_status smallint, error text, answer text, request_id text, duration_ms integer)),
      dropped as (delete from ${deliveries} d using ended o, ${positions} p
        where d.id = o.id and o.state = 'dropped' and o.attempts = 0
          and p.webhook_id = d.webhook_id and p.lease_holder = ${holder})
    update ${deliveries} d set state = o.state, attempts = o.attempts, failures = o.failures,
      next_attempt_at = o.next_attempt_at, attempted_at = o.attempted_at, last_status = o.last_status,
      error = o.error, answer = o.answer, request_id = o.request_id, duration_ms = o.duration_ms
    from ended o, ${positions} p where d.id = o.id and not (o.state = 'dropped' and o.attempts = 0)
      and p.webhook_id = d.webhook_id and p.lease_holder = ${holder}`;
}

/** Only by the webhook and the definition that are in force: otherwise the page is read and judged again. */
function planSql(
  { deliveries, positions, webhooks, revision }: Tables,
  { holder, moves, planned, now, revision: known }: OutboxStep,
): Sql {
  return sql`with read as (select v.* from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) v
        (webhook_id uuid, version integer, position text, position_at timestamptz)
        join ${positions} p on p.webhook_id = v.webhook_id and p.lease_holder = ${holder}
        join ${webhooks} w on w.id = v.webhook_id and w.version = v.version and w.stopped_at is null
        where ${revision} = ${known}::integer),
      planned as (insert into ${deliveries} (id, webhook_id, event_id, type, transaction, audit_id, rights, object_type,
          record_id, state, next_attempt_at)
        select e.id, e.webhook_id, e.event_id, e.type, e.transaction, e.audit_id, e.rights, e.object_type, e.record_id,
          'pending', ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) e (id uuid, webhook_id uuid, event_id text, type text,
          transaction xid8, audit_id bigint, rights text, object_type text, record_id uuid)
        where e.webhook_id in (select webhook_id from read)
        on conflict (webhook_id, event_id) do nothing)
    update ${positions} p set position = r.position, position_at = greatest(p.position_at, r.position_at)
    from read r where p.webhook_id = r.webhook_id and p.lease_holder = ${holder} returning p.webhook_id`;
}

/** Deliveries of a webhook that are claimed together, at most. */
export const CLAIMED_AT_ONCE = 32;

/**
 * Pings first; of a record only the first delivery, until it has failed three times. A number in the text, and a subquery with
 * an order and a limit, keep the planner at the indexes, however many deliveries are due.
 */
function claimSql(
  { deliveries, positions, webhooks, revision }: Tables,
  { holder, claims, room, except, now, latest, revision: known }: OutboxStep,
): Sql {
  const some = (condition: Sql) => sql`(select d.* from ${deliveries} d
        where d.webhook_id = c.webhook_id and d.state = 'pending' and d.id <> all(${except}::uuid[]) and ${condition}
        order by d.next_attempt_at, d.id limit ${literal(String(CLAIMED_AT_ONCE))})`;
  const due = sql`(d.next_attempt_at <= ${now}::timestamptz or d.next_attempt_at > ${latest}::timestamptz)`;
  const isFirst = sql`(select e.id from ${deliveries} e where e.state = 'pending'
          and e.webhook_id = d.webhook_id and e.record_id = d.record_id and e.audit_id < d.audit_id
          and e.failures < ${KEEPS_ORDER}::integer order by e.audit_id limit 1) is null`;
  const other = (range: Sql) =>
    some(sql`c.most > 0 and d.type <> 'ping' and ${range} and ${isFirst}`);
  const ordered = claims.map((claim, place) => ({ ...claim, place }));
  return sql`select d.id, d.webhook_id, d.event_id, d.type, d.transaction, d.audit_id, d.rights, d.object_type,
      d.record_id, d.state, d.attempts, d.failures, d.next_attempt_at, d.attempted_at, d.last_status, d.error,
      d.answer, d.request_id, d.duration_ms
    from jsonb_to_recordset(${JSON.stringify(ordered)}::jsonb) c
      (webhook_id uuid, version integer, most integer, place integer)
    join ${positions} p on p.webhook_id = c.webhook_id and p.lease_holder = ${holder}
    join ${webhooks} w on w.id = c.webhook_id and w.version = c.version
    cross join lateral (select * from (
        ${some(sql`d.type = 'ping' and ${due}`)}
        union all ${other(sql`d.next_attempt_at <= ${now}::timestamptz`)}
        union all ${other(sql`d.next_attempt_at > ${latest}::timestamptz`)}
      ) u limit greatest(c.most, 1)) d
    where ${revision} = ${known}::integer
    order by c.place, d.next_attempt_at, d.id limit ${room}::integer`;
}

function nextSql({ deliveries, revision }: Tables, { claims, now, latest }: OutboxStep): Sql {
  const ids = claims.map(({ webhook_id }) => webhook_id);
  return sql`select c.webhook_id, ${revision} as revision, n.next
    from unnest(${ids}::uuid[]) c (webhook_id) cross join lateral (
      select min(d.next_attempt_at) as next from ${deliveries} d
      where d.webhook_id = c.webhook_id and d.state = 'pending' and d.next_attempt_at > ${now}::timestamptz
        and d.next_attempt_at <= ${latest}::timestamptz) n`;
}

/** A webhook for the process that sends. */
export interface OutboxWebhook extends WebhookRow {
  /** Null: it begins with what is written after its first ping. */
  readonly position: string | null;
  /** True when another process, or a request, had it before. */
  readonly is_taken: boolean;
  /** Deliveries that wait, up to a limit. */
  readonly waiting: number;
}

export interface Outbox {
  readonly webhooks: readonly OutboxWebhook[];
  /** The definition in force, of the same snapshot. */
  readonly revision: number;
}

/** Take the positions of all webhooks of a workspace; no other process can plan for them, or store outcomes, then. */
export async function takeOutbox(
  db: Shareable,
  schema: string,
  { holder, most }: { readonly holder: string; readonly most: number },
): Promise<Outbox> {
  const { positions, deliveries, revision } = tablesOf(schema);
  const near = db.near(schema);
  const taken = await runOnce(
    near,
    sql`update ${positions} set lease_holder = ${holder} where lease_holder is distinct from ${holder} returning webhook_id`,
  );
  const ids = new Set(taken.map(({ webhook_id }) => String(webhook_id)));
  if (ids.size > 0) await runOnce(near, pingSql(schema, [...ids]));
  const more = sql`p.position, ${revision} as revision, (select count(*)::integer from (select from ${deliveries} d
    where d.webhook_id = w.id and d.state = 'pending' limit ${most}::integer) d) as waiting`;
  const rows = await loadAllWebhooks<Omit<OutboxWebhook, 'is_taken'> & { revision: number }>(
    near,
    schema,
    more,
  );
  const webhooks = rows.map((row) => ({ ...row, is_taken: ids.has(row.id) }));
  const [first] = rows;
  return { webhooks, revision: first?.revision ?? 0 };
}

/** A ping for those that wait for the answer to one: a process can end between the answer and its note. */
function pingSql(schema: string, webhooks: readonly string[]): Sql {
  const { deliveries, webhooks: table } = tablesOf(schema);
  const ids = webhooks.map(() => uuidv7());
  return sql`insert into ${deliveries} (id, webhook_id, event_id, type, state, next_attempt_at)
    select p.id, w.id, 'ping_' || p.id, ${PING}, 'pending', now()
    from unnest(${ids}::uuid[], ${webhooks}::uuid[]) p (id, webhook_id) join ${table} w on w.id = p.webhook_id
    where w.verified_at is null and w.stopped_at is null and w.secret is not null
      and not exists (select from ${deliveries} d
        where d.webhook_id = w.id and d.state = 'pending' and d.type = ${PING})`;
}

export interface WebhookPosition {
  readonly webhook_id: string;
  readonly position: string;
}

export async function appendPosition(
  tx: Queryable,
  schema: string,
  { webhook_id, position }: WebhookPosition,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_webhook_positions')} (webhook_id, position)
      values (${webhook_id}::uuid, ${position}::text)`,
  );
}

/** Continue there: events before it that were not tried yet are not sent. */
export async function putPosition(
  tx: Queryable,
  schema: string,
  { webhook_id, position }: WebhookPosition,
): Promise<void> {
  const { positions, deliveries } = tablesOf(schema);
  await runOnce(
    tx,
    sql`with skipped as (delete from ${deliveries} where webhook_id = ${webhook_id}::uuid and state = 'pending'
        and attempts = 0 and type <> ${PING})
      update ${positions} set position = ${position}::text, position_at = now(), lease_holder = null
      where webhook_id = ${webhook_id}::uuid`,
  );
}

/** Positions of webhooks that were stopped more than a week ago; answers how many. */
export async function forgetOldPositions(db: Queryable, schema: string): Promise<number> {
  const { positions, webhooks } = tablesOf(schema);
  const rows = await runOnce(
    db,
    sql`update ${positions} p set position = null from ${webhooks} w
      where w.id = p.webhook_id and p.position is not null
        and w.stopped_at < now() - make_interval(days => ${LIMITS.webhookKeptDays}::integer)
      returning p.webhook_id`,
  );
  return rows.length;
}

// The process that sends for each workspace, the position of each webhook, and deliveries that are due again: one
// function, one statement. A process writes here only while it has the lease of the workspace.

import { LIMITS } from '../limits.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql, toStatement } from '../sql/sql.ts';
import type { DeliveryRow } from './webhook-deliveries.ts';

/** NOTIFY channel: webhooks of a workspace have changed, or have something to send. Only a hint. */
export const WEBHOOKS_CHANNEL = 'workspace_records_webhooks';

const RUNNERS = identifier(CONTROL_SCHEMA, 'webhook_runners');

/** Tell the processes that send. After the commit. */
export async function announceWebhooks(db: Queryable, workspaceId: number): Promise<void> {
  await runOnce(db, sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${`${workspaceId}`})`);
}

/** Some process is to look at the webhooks of this workspace. */
export async function wantRunner(tx: Queryable, workspaceId: number): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${RUNNERS} as r (workspace_id) values (${workspaceId}::integer)
      on conflict (workspace_id) do update set wanted_at = excluded.wanted_at`,
  );
}

/** A workspace whose webhooks this process sends; `wanted_at` is another one after each change of them. */
export interface HeldWorkspace {
  readonly workspace_id: number;
  readonly wanted_at: string;
}

/** Prolong the leases of this process, and take those that are free or over. */
export async function holdWorkspaces(
  db: Queryable,
  holder: string,
  lease: number,
): Promise<readonly HeldWorkspace[]> {
  const rows = await runOnce(
    db,
    sql`update ${RUNNERS} r set lease_holder = ${holder},
        lease_until = now() + ${lease}::float8 * interval '1 millisecond'
      from (select workspace_id from ${RUNNERS}
        where lease_holder = ${holder} or lease_until is null or lease_until < now()
        order by workspace_id for update skip locked) f
      where r.workspace_id = f.workspace_id
      returning r.workspace_id, r.wanted_at::text`,
  );
  return rows as unknown as readonly HeldWorkspace[];
}

/** Let another process continue at once. */
export async function releaseWorkspaces(db: Queryable, holder: string): Promise<void> {
  await runOnce(
    db,
    sql`update ${RUNNERS} set lease_holder = null, lease_until = null where lease_holder = ${holder}`,
  );
}

/** A workspace without webhooks needs no process, unless somebody has added one since. */
export async function forgetWorkspace(
  db: Queryable,
  { workspace_id, wanted_at }: HeldWorkspace,
): Promise<void> {
  await runOnce(
    db,
    sql`delete from ${RUNNERS} where workspace_id = ${workspace_id}::integer
      and wanted_at = ${wanted_at}::timestamptz`,
  );
}

/** Schemas of the workspaces that have webhooks, or had some. */
export async function listWebhookSchemas(db: Queryable): Promise<readonly string[]> {
  const rows = await runOnce(
    db,
    sql`select w.schema_name from ${RUNNERS} r
      join ${identifier(CONTROL_SCHEMA, 'workspaces')} w on w.id = r.workspace_id order by w.id`,
  );
  return rows.map(({ schema_name }) => String(schema_name));
}

/** Positions of webhooks that were stopped more than a week ago; answers how many. */
export async function forgetOldPositions(db: Queryable, schema: string): Promise<number> {
  const rows = await runOnce(
    db,
    sql`update ${identifier(schema, '_webhook_positions')} p set position = null
      from ${identifier(schema, '_webhooks')} w
      where w.id = p.webhook_id and p.position is not null
        and w.stopped_at < now() - make_interval(days => ${LIMITS.webhookKeptDays}::integer)
      returning p.webhook_id`,
  );
  return rows.length;
}

export interface WebhookPosition {
  readonly webhook_id: string;
  /** Null: none is kept. */
  readonly position: string | null;
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

/** Continue there; what the process that sends still stores of an older position is refused. */
export async function putPosition(
  tx: Queryable,
  schema: string,
  { webhook_id, position }: WebhookPosition,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_webhook_positions')}
      set position = ${position}::text, position_at = now(), lease_holder = null
      where webhook_id = ${webhook_id}::uuid`,
  );
}

/** Take the positions of these webhooks; another process can no longer store any. */
export async function takePositions(
  db: Queryable,
  schema: string,
  holder: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await runOnce(
    db,
    sql`update ${identifier(schema, '_webhook_positions')} set lease_holder = ${holder}
      where webhook_id = any(${ids}::uuid[]) returning webhook_id, position`,
  );
  return new Map(rows.map((row) => [String(row.webhook_id), row.position as string | null]));
}

/** The delivery after an attempt, or of an event that has to wait for another one. */
export type DeliveryOutcome = Omit<DeliveryRow, 'created_at'> & {
  readonly transaction: string | null;
  readonly audit_id: number | null;
  /** The rights before an event about the rights of the owner. */
  readonly rights: string | null;
};

export interface Checkpoint {
  readonly holder: string;
  readonly positions: readonly { readonly webhook_id: string; readonly position: string }[];
  readonly outcomes: readonly DeliveryOutcome[];
}

/**
 * Store how far webhooks are and what became of their deliveries, all or nothing for each of them; answers the webhooks
 * for which this was stored. The others are gone, or another process sends for them.
 */
export async function putCheckpoint(
  db: Queryable,
  schema: string,
  { holder, positions, outcomes }: Checkpoint,
): Promise<ReadonlySet<string>> {
  const table = identifier(schema, '_webhook_positions');
  const ids = new Set([...positions, ...outcomes].map(({ webhook_id }) => webhook_id));
  // Prepared, for it comes many times a second.
  const rows = await db.query(
    toStatement(sql`with mine as (select p.webhook_id from ${table} p where p.lease_holder = ${holder}
          and p.webhook_id = any(${[...ids]}::uuid[]) for update),
        moved as (update ${table} p set position = v.position, position_at = now()
          from jsonb_to_recordset(${JSON.stringify(positions)}::jsonb) v (webhook_id uuid, position text)
          where p.webhook_id = v.webhook_id and p.webhook_id in (select webhook_id from mine)),
        stored as (${storeSql(schema, outcomes)})
      select webhook_id from mine`),
  );
  return new Set(rows.map(({ webhook_id }) => String(webhook_id)));
}

function storeSql(schema: string, outcomes: readonly DeliveryOutcome[]): Sql {
  return sql`insert into ${identifier(schema, '_webhook_deliveries')} as d (id, webhook_id, event_id, type,
        transaction, audit_id, rights, object_type, record_id, state, attempts, failures,
        next_attempt_at, attempted_at, last_status, error, answer, request_id, duration_ms)
      select o.* from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) o (id uuid,
        webhook_id uuid, event_id text, type text, transaction xid8, audit_id bigint, rights text,
        object_type text, record_id uuid, state text, attempts integer, failures integer,
        next_attempt_at timestamptz, attempted_at timestamptz, last_status smallint, error text,
        answer text, request_id text, duration_ms integer)
      where o.webhook_id in (select webhook_id from mine)
      on conflict (webhook_id, event_id) do update set state = excluded.state,
        attempts = excluded.attempts, failures = excluded.failures,
        next_attempt_at = excluded.next_attempt_at, attempted_at = excluded.attempted_at,
        last_status = excluded.last_status, error = excluded.error, answer = excluded.answer,
        request_id = excluded.request_id, duration_ms = excluded.duration_ms`;
}

/** A delivery to try again, with its place in the audit. */
export interface PendingDelivery extends DeliveryRow {
  readonly transaction: string | null;
  readonly audit_id: number | null;
  readonly rights: string | null;
}

/** Failed attempts after which later events of the record are sent as well. */
const KEEPS_ORDER = 3;

/**
 * Deliveries of a webhook that are due and wait for no earlier one of their record, the first due first, and when the
 * next one is due. `only_pings`: of a webhook that sends nothing else.
 */
export async function loadDue(
  db: Queryable,
  schema: string,
  asked: {
    readonly webhook_id: string;
    readonly now: string;
    /** No delay is longer: times after it are of a clock that has jumped back. */
    readonly latest: string;
    readonly only_pings: boolean;
    readonly except: readonly string[];
    readonly limit: number;
  },
): Promise<readonly PendingDelivery[]> {
  const table = identifier(schema, '_webhook_deliveries');
  const { webhook_id, now, latest, only_pings, except, limit } = asked;
  const rows = await runOnce(
    db,
    sql`select d.* from ${table} d
      where d.state = 'pending'
        and (d.next_attempt_at <= ${now}::timestamptz or d.next_attempt_at > ${latest}::timestamptz)
        and d.webhook_id = ${webhook_id}::uuid and d.id <> all(${except}::uuid[])
        and (d.type = 'ping' or not ${only_pings}::boolean)
        and not exists (select from ${table} e where e.state = 'pending'
          and e.webhook_id = d.webhook_id and e.record_id = d.record_id and e.id < d.id
          and e.failures < ${KEEPS_ORDER}::integer)
      order by d.next_attempt_at, d.id limit ${limit}::integer`,
  );
  return rows as unknown as readonly PendingDelivery[];
}

/** The number of waiting deliveries of a webhook, and the time at which the first of them is due. */
export async function loadWaiting(
  db: Queryable,
  schema: string,
  webhookId: string,
): Promise<{ readonly count: number; readonly first: string | null }> {
  const [row] = await runOnce(
    db,
    sql`select count(*)::integer as count, min(next_attempt_at) as first
      from ${identifier(schema, '_webhook_deliveries')}
      where state = 'pending' and webhook_id = ${webhookId}::uuid`,
  );
  return { count: row?.count as number, first: (row?.first ?? null) as string | null };
}

/** The ids of these events that are noted as deliveries. */
export async function loadNotedEvents(
  db: Queryable,
  schema: string,
  webhookId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runOnce(
    db,
    sql`select event_id from ${identifier(schema, '_webhook_deliveries')}
      where webhook_id = ${webhookId}::uuid and event_id = any(${ids}::text[])`,
  );
  return new Set(rows.map(({ event_id }) => String(event_id)));
}

/** The ids of these records for which a delivery waits. */
export async function loadWaitingRecords(
  db: Queryable,
  schema: string,
  webhookId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runOnce(
    db,
    sql`select distinct record_id from ${identifier(schema, '_webhook_deliveries')}
      where webhook_id = ${webhookId}::uuid and state = 'pending'
        and failures < ${KEEPS_ORDER}::integer and record_id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map(({ record_id }) => String(record_id)));
}

// The rows of webhooks: one function, one statement. What a webhook may ask for is decided in plan/events/webhook-plan.ts; how
// far each of them is, and what became of each event, is in webhook-runs.ts and webhook-deliveries.ts.

import type { KeyedWebhook, WebhookFields, WebhookState } from '../../plan/events/webhook-plan.ts';
import { LISTED_ANSWER } from '../../plan/read/answer-size.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { type Measuring, measuredSql } from '../../sql/read/measured-sql.ts';
import { EMPTY, identifier, joinSql, jsonOrNull, type Sql, sql } from '../../sql/sql.ts';
import type { DeliveryState } from './webhook-deliveries.ts';

/** The person that a webhook reads as, limited to the scopes of a key. */
export interface WebhookAuthor {
  readonly owner_user_id: number;
  /** The person of the last change, who must stay an administrator unless they are the owner; null: the owner. */
  readonly maker_user_id: number | null;
  /** Null: a session. */
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly scopes: readonly string[];
}

/** Texts that are encrypted. */
export interface SealedSecrets {
  readonly headers: string | null;
  /** Null after a restore: a new one has to be made. */
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_secret_until: string | null;
}

/** The state of a webhook, with its reason and times. */
export interface WebhookCondition {
  readonly state: WebhookState;
  readonly reason: string | null;
  readonly reason_message: string | null;
  readonly failing_since: string | null;
  readonly told_at: string | null;
  readonly verified_at: string | null;
  /** Since when it neither sends nor moves; null while it does. */
  readonly stopped_at: string | null;
}

/** The newest delivery of which an attempt was made; all null: none was. */
export interface LastDelivery {
  readonly last_delivery_state: DeliveryState | null;
  readonly last_delivery_status: number | null;
  readonly last_delivery_error: string | null;
  readonly last_attempted_at: string | null;
}

export interface WebhookRow
  extends WebhookFields,
    WebhookAuthor,
    SealedSecrets,
    WebhookCondition,
    LastDelivery {
  readonly id: string;
  readonly header_names: readonly string[];
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Up to when everything is sent, or noted as a delivery. */
  readonly position_at: string | null;
}

/** The columns that a request can change. */
export type StoredWebhook = Omit<
  WebhookRow,
  'id' | 'version' | 'created_at' | 'updated_at' | 'position_at' | keyof LastDelivery
>;

const STORED: readonly (keyof StoredWebhook)[] = [
  ...(['owner_user_id', 'maker_user_id', 'api_key_id', 'api_key_prefix', 'scopes', 'url'] as const),
  ...(['events', 'object_types', 'changed_fields', 'where', 'timezone', 'status_to'] as const),
  ...(['except', 'payload', 'header_names', 'headers', 'secret', 'previous_secret'] as const),
  ...(['previous_secret_until', 'state', 'reason', 'reason_message', 'failing_since'] as const),
  ...(['told_at', 'verified_at', 'stopped_at'] as const),
];
const OWN = [...STORED, 'id', 'version', 'created_at', 'updated_at'];
const LAST = ['state', 'status', 'error'].map((name) => `last_delivery_${name}`);

function columnsSql(names: readonly string[], table?: string): Sql {
  const qualified = names.map((name) => (table ? identifier(table, name) : identifier(name)));
  return joinSql(qualified, ', ');
}

const COLUMNS = sql`${columnsSql(OWN, 'w')}, p.position_at, d.state as last_delivery_state,
  d.last_status as last_delivery_status, d.error as last_delivery_error, d.attempted_at as last_attempted_at`;

function rowsSql(schema: string, more = EMPTY): Sql {
  return sql`select ${COLUMNS}${more} from ${identifier(schema, '_webhooks')} w
    left join ${identifier(schema, '_webhook_positions')} p on p.webhook_id = w.id
    left join lateral (select d.state, d.last_status, d.error, d.attempted_at
      from ${identifier(schema, '_webhook_deliveries')} d
      where d.webhook_id = w.id and d.attempts > 0 order by d.id desc limit 1) d on true`;
}

/** Webhooks of one owner, or of all, below an id: newest first, measured. */
export async function loadWebhooks(
  db: Queryable,
  schema: string,
  owner: number | undefined,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly WebhookRow[]> {
  const { before, limit } = page;
  const found = sql`${rowsSql(schema)}
    where (${owner ?? null}::integer is null or w.owner_user_id = ${owner ?? null}::integer)
      and (${before ?? null}::uuid is null or w.id < ${before ?? null}::uuid)
    order by w.id desc limit ${limit}::integer`;
  const rows = await runOnce(db, measuredSql(found, MEASURING));
  return rows as unknown as readonly WebhookRow[];
}

const MEASURING: Measuring = {
  names: [...OWN, 'position_at', ...LAST, 'last_attempted_at'],
  long: [{ name: 'where', measure: 'stored' }],
  order: sql` order by t.id desc`,
  size: LISTED_ANSWER,
};

/** All webhooks of a workspace with further columns, for the process that sends for it. */
export async function loadAllWebhooks<Loaded extends WebhookRow>(
  db: Queryable,
  schema: string,
  more: Sql,
): Promise<readonly Loaded[]> {
  const rows = await runOnce(db, sql`${rowsSql(schema, sql`, ${more}`)} order by w.id`);
  return rows as unknown as readonly Loaded[];
}

export function loadWebhook(
  db: Queryable,
  schema: string,
  id: string,
): Promise<WebhookRow | undefined> {
  return oneWebhook(db, schema, id, EMPTY);
}

/** Loads a webhook, whose row stays locked until the transaction ends. */
export function lockWebhook(
  tx: Queryable,
  schema: string,
  id: string,
): Promise<WebhookRow | undefined> {
  return oneWebhook(tx, schema, id, sql` for update of w`);
}

async function oneWebhook(
  db: Queryable,
  schema: string,
  id: string,
  lock: Sql,
): Promise<WebhookRow | undefined> {
  const rows = await runOnce(db, sql`${rowsSql(schema)} where w.id = ${id}::uuid${lock}`);
  return rows[0] as unknown as WebhookRow | undefined;
}

export async function countWebhooks(db: Queryable, schema: string): Promise<number> {
  const [row] = await runOnce(
    db,
    sql`select count(*)::integer as webhooks from ${identifier(schema, '_webhooks')}`,
  );
  return row?.webhooks as number;
}

export async function appendWebhook(
  tx: Queryable,
  schema: string,
  id: string,
  webhook: StoredWebhook,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_webhooks')} (id, ${columnsSql(STORED)})
      select ${id}::uuid, ${valuesSql(schema, webhook)}`,
  );
}

/** Store the change of a request, as a new version. */
export async function putWebhook(
  tx: Queryable,
  schema: string,
  id: string,
  webhook: StoredWebhook,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_webhooks')} set (${columnsSql(STORED)}) = (select ${valuesSql(schema, webhook)}),
        version = version + 1, updated_at = greatest(now(), updated_at)
      where id = ${id}::uuid`,
  );
}

/** Store a state that no request has set; the version stays. False: another version is there now. */
export async function putWebhookCondition(
  tx: Queryable,
  schema: string,
  { id, version }: Pick<WebhookRow, 'id' | 'version'>,
  condition: WebhookCondition,
): Promise<boolean> {
  const { state, reason, reason_message, failing_since, told_at, verified_at, stopped_at } =
    condition;
  const rows = await runOnce(
    tx,
    sql`update ${identifier(schema, '_webhooks')} set state = ${state}, reason = ${reason}::text,
        reason_message = ${reason_message}::text, failing_since = ${failing_since}::timestamptz,
        told_at = ${told_at}::timestamptz, verified_at = ${verified_at}::timestamptz,
        stopped_at = ${stopped_at}::timestamptz
      where id = ${id}::uuid and version = ${version}::integer returning id`,
  );
  return rows.length > 0;
}

/** Forget replaced secrets whose overlap is over; answers how many. */
export async function forgetOldSecrets(db: Queryable, schema: string): Promise<number> {
  const rows = await runOnce(
    db,
    sql`update ${identifier(schema, '_webhooks')} set previous_secret = null, previous_secret_until = null
      where previous_secret_until < now() returning id`,
  );
  return rows.length;
}

/**
 * All webhooks of a workspace that was made from a file: they have no secret, no position and another server, so none of
 * them sends until somebody says so. Answers how many there are.
 */
export async function pauseRestoredWebhooks(
  tx: Queryable,
  schema: string,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<number> {
  const [row] = await runOnce(
    tx,
    sql`with paused as (
        update ${identifier(schema, '_webhooks')} set state = 'paused', reason = ${reason},
          reason_message = ${message}, stopped_at = now(), failing_since = null, told_at = null,
          verified_at = null returning id),
      placed as (insert into ${identifier(schema, '_webhook_positions')} (webhook_id)
        select id from paused)
      select count(*)::integer as webhooks from paused`,
  );
  return row?.webhooks as number;
}

export async function deleteWebhookById(tx: Queryable, schema: string, id: string): Promise<void> {
  await runOnce(tx, sql`delete from ${identifier(schema, '_webhooks')} where id = ${id}::uuid`);
}

/** The stored columns, selected from a row made of `webhook`. */
function valuesSql(schema: string, webhook: StoredWebhook): Sql {
  return sql`${columnsSql(STORED, 'v')}
    from json_populate_record(null::${identifier(schema, '_webhooks')}, ${JSON.stringify(webhook)}::json) v`;
}

/** The keys of the definition that the webhooks of a workspace name, for a definition that renames some. */
export async function loadKeyedWebhooks(
  tx: Queryable,
  schema: string,
): Promise<readonly (KeyedWebhook & Pick<WebhookRow, 'id'>)[]> {
  const rows = await runOnce(
    tx,
    sql`select id, object_types, changed_fields, "where", status_to
      from ${identifier(schema, '_webhooks')} order by id for update`,
  );
  return rows as unknown as readonly (KeyedWebhook & Pick<WebhookRow, 'id'>)[];
}

/** Stores the conditions of a webhook with renamed keys. */
export async function putWebhookKeys(
  tx: Queryable,
  schema: string,
  webhook: KeyedWebhook & Pick<WebhookRow, 'id'>,
): Promise<void> {
  const { id, object_types, changed_fields, where, status_to } = webhook;
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_webhooks')} set object_types = ${object_types}::text[],
        changed_fields = ${changed_fields}::text[], "where" = ${jsonOrNull(where)}::json,
        status_to = ${status_to}::text[], version = version + 1
      where id = ${id}::uuid`,
  );
}

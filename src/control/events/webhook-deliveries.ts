// The deliveries of webhooks, one for each event: one function, one statement. A row never contains the sent body, and is
// deleted after a week, or two while it waits.

import { LIMITS } from '../../limits.ts';
import { LISTED_ANSWER } from '../../plan/read/answer-size.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { type Measuring, measuredSql } from '../../sql/read/measured-sql.ts';
import { identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  /** `webhook-id`, the same for all attempts. */
  readonly event_id: string;
  readonly type: string;
  readonly object_type: string | null;
  readonly record_id: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly failures: number;
  readonly next_attempt_at: string | null;
  readonly attempted_at: string | null;
  readonly last_status: number | null;
  readonly error: string | null;
  /** The first KiB. */
  readonly answer: string | null;
  readonly request_id: string | null;
  readonly duration_ms: number | null;
  readonly created_at: string;
}

/** Which deliveries of a webhook; what is undefined does not matter. */
export interface DeliveryFilter {
  readonly webhook_id: string;
  readonly id?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly type?: string | undefined;
  /** Created then or later. */
  readonly since?: string | undefined;
}

/** Deliveries to send again: created in a span of time and in one of these states. */
export interface DeliveryRange {
  readonly webhook_id: string;
  readonly since: string;
  readonly until: string;
  readonly states: readonly DeliveryState[];
}

const NAMES = [
  ...['id', 'webhook_id', 'event_id', 'type', 'object_type', 'record_id', 'state', 'attempts'],
  ...['failures', 'next_attempt_at', 'attempted_at', 'last_status', 'error', 'answer'],
  ...['request_id', 'duration_ms', 'created_at'],
];
const COLUMNS = joinSql(
  NAMES.map((name) => identifier('d', name)),
  ', ',
);

function tableSql(schema: string): Sql {
  return identifier(schema, '_webhook_deliveries');
}

/** A page of them below an id, newest first; measured. */
export async function loadDeliveries(
  db: Queryable,
  schema: string,
  filter: DeliveryFilter,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  const { webhook_id, id, state, type, since } = filter;
  const conditions = [
    sql`d.webhook_id = ${webhook_id}::uuid`,
    ...(id === undefined ? [] : [sql`d.id = ${id}::uuid`]),
    ...(state === undefined ? [] : [sql`d.state = ${state}::text`]),
    ...(type === undefined ? [] : [sql`d.type = ${type}::text`]),
    ...(since === undefined ? [] : [sql`d.created_at >= ${since}::timestamptz`]),
    ...(page.before === undefined ? [] : [sql`d.id < ${page.before}::uuid`]),
  ];
  const found = sql`select ${COLUMNS} from ${tableSql(schema)} d where ${joinSql(conditions, ' and ')}
    order by d.id desc limit ${page.limit}::integer`;
  const rows = await runOnce(db, measuredSql(found, MEASURING));
  return rows as unknown as readonly DeliveryRow[];
}

const MEASURING: Measuring = {
  names: NAMES,
  long: [{ name: 'answer', measure: 'stored' }],
  order: sql` order by t.id desc`,
  size: LISTED_ANSWER,
};

/** Send one again, from the beginning of the schedule. False: there is none. */
export async function putReplay(
  tx: Queryable,
  schema: string,
  { webhook_id, id }: { readonly webhook_id: string; readonly id: string },
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`update ${tableSql(schema)} set ${AGAIN}
      where id = ${id}::uuid and webhook_id = ${webhook_id}::uuid returning id`,
  );
  return rows.length > 0;
}

const AGAIN = sql`state = 'pending', failures = 0, next_attempt_at = now()`;

/** Sends some deliveries of a range again, starting after an id; returns the last id and the number. */
export async function putReplays(
  tx: Queryable,
  schema: string,
  range: DeliveryRange & { readonly after: string | null },
  most: number,
): Promise<{ readonly last: string | null; readonly count: number }> {
  const { webhook_id, since, until, states, after } = range;
  const [row] = await runOnce(
    tx,
    sql`with chosen as (select d.id from ${tableSql(schema)} d
        where d.webhook_id = ${webhook_id}::uuid and d.state = any(${states}::text[])
          and d.created_at >= ${since}::timestamptz and d.created_at < ${until}::timestamptz
          and (${after}::uuid is null or d.id > ${after}::uuid)
        order by d.id limit ${most}::integer for update),
      again as (update ${tableSql(schema)} set ${AGAIN} where id in (select id from chosen) returning id)
      select max(id::text) as last, count(*)::integer as count from again`,
  );
  return { last: (row?.last ?? null) as string | null, count: row?.count as number };
}

/** An attempt at a ping, at once. */
export async function appendPing(
  tx: Queryable,
  schema: string,
  ping: Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id'>,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${tableSql(schema)} (id, webhook_id, event_id, type, state, next_attempt_at)
      values (${ping.id}::uuid, ${ping.webhook_id}::uuid, ${ping.event_id}, ${PING}, 'pending', now())`,
  );
}

export const PING = 'ping';

/**
 * Remove some that are older than a week; answers how many. Those that wait stay a week longer: a webhook that is stopped
 * after days of failures can continue with them for a week.
 */
export function deleteOldDeliveries(db: Queryable, schema: string, most: number): Promise<number> {
  const days = sql`${LIMITS.webhookKeptDays}::integer * case t.state when 'pending' then 2 else 1 end`;
  const where = sql`t.created_at < now() - make_interval(days => ${days})`;
  const doomed = {
    table: tableSql(schema),
    key: identifier('id'),
    where,
    order: sql`t.created_at`,
  };
  return deleteSome(db, doomed, most);
}

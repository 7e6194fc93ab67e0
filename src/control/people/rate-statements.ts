// The statements that count requests in windows of a minute, and decide which process may count in its memory
// (docs/design/rate-windows.md, D74, D851).

import type { Queryable, Row } from '../../postgres/db.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql, toStatement } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

const WINDOWS = identifier(CONTROL_SCHEMA, 'rate_windows');
const COUNTING = identifier(CONTROL_SCHEMA, 'rate_counting');

/** A process that counts by statements announces itself again after so many milliseconds. */
export const ANNOUNCED_MS = 10_000;
/** After an announcement of another process none counts alone for so long: announcements, statements and room. */
const APART = sql`interval '60 seconds'`;
/** For so long a process may count in its memory, and write what it has counted. */
const LEASE = sql`interval '2 seconds'`;

/** The window of a principal after a statement. */
export interface CountedWindow {
  readonly principal_id: string;
  readonly requests: number;
  /** Seconds since 1970. */
  readonly ends_at: number;
  readonly seconds_left: number;
}

export interface Announced {
  /** This process alone counts. */
  readonly alone: boolean;
  /** Another process counts alone: nothing was counted. */
  readonly waits: boolean;
  readonly counted: readonly CountedWindow[];
}

/** Requests by their principals. */
export type Counts = ReadonlyMap<string, number>;

// The window only moves forward, so a clock that jumps back does not refill a budget. Rows are taken in the order of
// their ids: two processes that count the same principals cannot deadlock. A trigger notes the use of a key, when its
// window moves (D229).
const countWhere = (condition: Sql) => sql`
  insert into ${WINDOWS} as rate (principal_id, window_start, requests)
  select counted.principal, date_trunc('minute', clock_timestamp(), 'UTC'), counted.requests
  from unnest(${[]}::uuid[], ${[]}::bigint[]) as counted (principal, requests)
  where ${condition}
  order by counted.principal
  on conflict (principal_id) do update set
    requests = excluded.requests
      + case when rate.window_start >= excluded.window_start then rate.requests else 0 end,
    window_start = greatest(rate.window_start, excluded.window_start)
  returning principal_id, requests,
    extract(epoch from window_start)::float8 + 60 as ends_at,
    extract(epoch from window_start - clock_timestamp())::float8 + 60 as seconds_left`;

const COUNT = toStatement(countWhere(sql`true`));

/** An end later than a lease can be is of a clock that went back. */
function isHeld(until: Sql): Sql {
  return sql`(${until} > clock_timestamp() and ${until} <= clock_timestamp() + ${LEASE})`;
}

const isMixed = sql`(last.announced_by <> excluded.announced_by
  and last.announced_at > excluded.announced_at - ${APART})`;
const isFree = sql`(not ${isMixed} and last.mixed_at <= excluded.announced_at - ${APART}
  and (last.alone = excluded.alone or not ${isHeld(sql`last.alone_until`)}))`;

// The row is locked until the count is committed, so announcements and leases follow each other.
const ANNOUNCE_AND_COUNT = toStatement(sql`
  with standing as (
    insert into ${COUNTING} as last (announced_by, announced_at, alone, alone_until)
    select process.id, clock_timestamp(), process.id, clock_timestamp() + ${LEASE}
    from (values (${''}::uuid)) as process (id)
    on conflict (only_row) do update set
      mixed_at = case when ${isMixed} then excluded.announced_at else last.mixed_at end,
      announced_by = excluded.announced_by,
      announced_at = excluded.announced_at,
      alone = case when ${isFree} then excluded.alone else last.alone end,
      alone_until = case when ${isFree} then excluded.alone_until else last.alone_until end
    returning alone = announced_by and ${isHeld(sql`alone_until`)} as alone,
      alone <> announced_by and ${isHeld(sql`alone_until`)} as waits
  ), counted as (${countWhere(sql`not coalesce((select waits from standing), false)`)})
  select standing.alone, standing.waits, counted.*
  from standing left join counted on true`);

// The counts of a window that has ended are not written.
const WRITE_COUNTS = toStatement(sql`
  with written as (
    update ${WINDOWS} as rate set requests = rate.requests + counted.requests
    from unnest(${[]}::uuid[], ${[]}::float8[], ${[]}::bigint[])
      as counted (principal, ends_at, requests)
    where rate.principal_id = counted.principal
      and rate.window_start = to_timestamp(counted.ends_at - 60))
  update ${COUNTING} as last set
    alone_until = case
      when last.alone is distinct from asked.process then last.alone_until
      when asked.outcome <> 'renew' then '-infinity'
      when last.mixed_at > clock_timestamp() - ${APART} then last.alone_until
      else clock_timestamp() + ${LEASE} end,
    announced_at = case
      when last.announced_by is distinct from asked.process then last.announced_at
      when asked.outcome = 'leave' then '-infinity'
      else clock_timestamp() end
  from (values (${''}::uuid, ${''}::text)) as asked (process, outcome)
  where last.alone = asked.process
    or asked.outcome = 'leave' and last.announced_by = asked.process
  returning last.alone = asked.process
    and last.mixed_at <= clock_timestamp() - ${APART} as renewed`);

/** Count requests; the windows afterwards. */
export async function putCounts(db: Queryable, added: Counts): Promise<readonly CountedWindow[]> {
  const values = [[...added.keys()], [...added.values()]];
  return (await db.query({ text: COUNT.text, values })) as unknown as readonly CountedWindow[];
}

/** Announce that a process counts, and count unless it has to wait; take the lease when no other process counts. */
export async function announceAndCount(
  db: Queryable,
  processId: string,
  added: Counts,
): Promise<Announced> {
  const values = [processId, [...added.keys()], [...added.values()]];
  const rows = await db.query({ text: ANNOUNCE_AND_COUNT.text, values });
  const { alone, waits } = rows[0] as Row;
  const counted = rows as unknown as readonly CountedWindow[];
  return { alone: alone === true, waits: waits === true, counted };
}

/** Requests of a principal that were counted in memory, and the window they belong to. */
export interface Unwritten {
  readonly principalId: string;
  readonly endsAt: number;
  requests: number;
}

/** The lease is extended, or it ends, alone or with the process. */
export type Outcome = 'renew' | 'release' | 'leave';

/** Add what was counted in memory; false when the lease was not renewed. */
export async function writeCounts(
  db: Queryable,
  { processId, outcome }: { readonly processId: string; readonly outcome: Outcome },
  unwritten: readonly Unwritten[],
): Promise<boolean> {
  const values = [
    unwritten.map(({ principalId }) => principalId),
    unwritten.map(({ endsAt }) => endsAt),
    unwritten.map(({ requests }) => requests),
    processId,
    outcome,
  ];
  const rows = await db.query({ text: WRITE_COUNTS.text, values });
  return rows[0]?.renewed === true;
}

/** Delete windows of principals without a request for a day; returns their number. */
export function deleteOldWindows(db: Queryable, most: number): Promise<number> {
  const where = sql`t.window_start < now() - interval '1 day'`;
  return deleteSome(db, { table: WINDOWS, key: identifier('principal_id'), where }, most);
}

// Exact one-minute windows for all processes of a deployment (§8, D6): PostgreSQL counts, by its own
// clock, and requests that arrive together are counted by one statement (D74). A principal is an API key or a session.

import { LRUCache } from 'lru-cache';
import type { RateState } from '../../model/rights/api-key-form.ts';
import { batchRequests } from '../../postgres/batch-requests.ts';
import { isAway, type Queryable, type Row } from '../../postgres/db.ts';
import { CONTROL_SCHEMA, identifier, sql, toStatement } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

export interface RateWindows {
  /** Count one request. */
  count(principalId: string, limit: number): Promise<RateState>;
  /** True until the end of a window that this process knows to be used up. */
  isSpent(principalId: string): boolean;
  /** The current state, for an answer that is not counted. */
  peek(principalId: string, limit: number): Promise<RateState>;
}

interface CountRequest {
  readonly principalId: string;
  readonly limit: number;
  /** 1 counts the request, 0 only reads the state. */
  readonly requests: 0 | 1;
}

/** The most principals that a process remembers. */
const MOST_PRINCIPALS = 10_000;

/** `countsAlone`: each process counts for itself while the server of the control schema is away. */
export function openRateWindows(db: Queryable, { countsAlone = false } = {}): RateWindows {
  const countInProcess = openOwnWindows();
  const ask = batchRequests((batch: readonly CountRequest[]) =>
    countTogether(db, batch).catch((error: unknown) => {
      if (!countsAlone || !isAway(error)) throw error;
      return batch.map(countInProcess);
    }),
  );
  /** Ends of windows by `performance.now()`. */
  const spent = new LRUCache<string, number>({ max: MOST_PRINCIPALS });
  return {
    async count(principalId, limit) {
      const state = await ask({ principalId, limit, requests: 1 });
      if (state.exceeded) spent.set(principalId, performance.now() + state.resetSeconds * 1000);
      return state;
    },
    isSpent(principalId) {
      const until = spent.get(principalId);
      if (until === undefined) return false;
      if (performance.now() < until) return true;
      spent.delete(principalId);
      return false;
    },
    peek: (principalId, limit) => ask({ principalId, limit, requests: 0 }),
  };
}

const MINUTE_MS = 60_000;

/** Windows of this process, by its own clock. */
function openOwnWindows(): (request: CountRequest) => RateState {
  const windows = new LRUCache<string, Window>({ max: MOST_PRINCIPALS });
  return (request) => {
    const now = Date.now();
    const ends_at = (Math.floor(now / MINUTE_MS) + 1) * 60;
    const known = windows.get(request.principalId);
    const resetSeconds = Math.max(1, Math.ceil(ends_at - now / 1000));
    const counted = known?.ends_at === ends_at ? known.counted : 0;
    const window = { ends_at, resetSeconds, counted };
    windows.set(request.principalId, window);
    return stateOf(window, request);
  };
}

interface Window {
  readonly ends_at: number;
  readonly resetSeconds: number;
  /** The requests before this batch; `stateOf` adds those of the batch one by one. */
  counted: number;
}

/** Counts a batch with one statement; each request gets its own number within the window of its principal. */
async function countTogether(
  db: Queryable,
  batch: readonly CountRequest[],
): Promise<readonly RateState[]> {
  const added = new Map<string, number>();
  for (const { principalId, requests } of batch)
    added.set(principalId, (added.get(principalId) ?? 0) + requests);
  const windows = new Map<string, Window>();
  for (const row of await putCounts(db, added)) {
    const principalId = row.principal_id as string;
    windows.set(principalId, {
      ends_at: row.ends_at as number,
      resetSeconds: Math.max(1, Math.ceil(row.seconds_left as number)),
      counted: (row.requests as number) - (added.get(principalId) as number),
    });
  }
  return batch.map((one) => stateOf(windows.get(one.principalId) as Window, one));
}

function stateOf(window: Window, { limit, requests }: CountRequest): RateState {
  window.counted += requests;
  return {
    limit,
    remaining: Math.max(0, limit - window.counted),
    resetSeconds: window.resetSeconds,
    resetAt: window.ends_at,
    exceeded: window.counted > limit,
  };
}

// The window only moves forward, so a clock that jumps back does not refill a budget. Rows are taken in the order of
// their ids: two processes that count the same principals cannot deadlock. A trigger notes the use of a key, when its
// window moves (D229).
const COUNT = toStatement(sql`
  insert into ${identifier(CONTROL_SCHEMA, 'rate_windows')} as rate
    (principal_id, window_start, requests)
  select counted.principal, date_trunc('minute', clock_timestamp(), 'UTC'), counted.requests
  from unnest(${[]}::uuid[], ${[]}::bigint[]) as counted (principal, requests)
  order by counted.principal
  on conflict (principal_id) do update set
    requests = excluded.requests
      + case when rate.window_start >= excluded.window_start then rate.requests else 0 end,
    window_start = greatest(rate.window_start, excluded.window_start)
  returning principal_id, requests,
    extract(epoch from window_start)::float8 + 60 as ends_at,
    extract(epoch from window_start - clock_timestamp())::float8 + 60 as seconds_left
`);

/** Delete windows of principals without a request for a day; returns their number. */
export function deleteOldWindows(db: Queryable, most: number): Promise<number> {
  const table = identifier(CONTROL_SCHEMA, 'rate_windows');
  const where = sql`t.window_start < now() - interval '1 day'`;
  return deleteSome(db, { table, key: identifier('principal_id'), where }, most);
}

async function putCounts(
  db: Queryable,
  added: ReadonlyMap<string, number>,
): Promise<readonly Row[]> {
  return db.query({ text: COUNT.text, values: [[...added.keys()], [...added.values()]] });
}

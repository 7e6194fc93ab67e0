// Exact one-minute windows for all processes of a deployment (§8, D6). PostgreSQL counts, by its own clock, and requests
// that arrive together are counted by one statement (D74); a process that is alone counts in its memory and writes what
// it has counted soon afterwards (D851). A principal is an API key or a session.

import { LRUCache } from 'lru-cache';
import type { RateState } from '../../model/rights/api-key-form.ts';
import { batchRequests } from '../../postgres/batch-requests.ts';
import { isAway, type Queryable } from '../../postgres/db.ts';
import { openRateLease } from './rate-lease.ts';
import type { CountedWindow, Counts } from './rate-statements.ts';

export interface RateWindows {
  /** Count one request. */
  count(principalId: string, limit: number): Promise<RateState>;
  /** True until the end of a window that this process knows to be used up. */
  isSpent(principalId: string): boolean;
  /** The current state, for an answer that is not counted. */
  peek(principalId: string, limit: number): Promise<RateState>;
  /** Write what was counted in memory, and let other processes count at once. */
  close(): Promise<void>;
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
  const counting = openCounting(db);
  const countInProcess = openOwnWindows();
  const ask = batchRequests((batch: readonly CountRequest[]) =>
    counting.countTogether(batch).catch((error: unknown) => {
      if (!countsAlone || !isAway(error)) throw error;
      return batch.map(countInProcess);
    }),
  );
  /** Ends of windows by `performance.now()`. */
  const spent = new LRUCache<string, number>({ max: MOST_PRINCIPALS });
  return {
    async count(principalId, limit) {
      const request = { principalId, limit, requests: 1 } as const;
      const state = counting.countInMemory(request) ?? (await ask(request));
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
    peek: async (principalId, limit) => {
      const request = { principalId, limit, requests: 0 } as const;
      return counting.countInMemory(request) ?? ask(request);
    },
    close: counting.leave,
  };
}

const MINUTE_MS = 60_000;

/** Windows of this process, by its own clock. */
function openOwnWindows(): (request: CountRequest) => RateState {
  const windows = new LRUCache<string, OwnWindow>({ max: MOST_PRINCIPALS });
  return (request) => {
    const now = Date.now();
    const endsAt = (Math.floor(now / MINUTE_MS) + 1) * 60;
    const known = windows.get(request.principalId);
    const counted = known?.endsAt === endsAt ? known.counted : 0;
    const window = { endsAt, until: performance.now() + endsAt * 1000 - now, counted };
    windows.set(request.principalId, window);
    return stateOf(window, request);
  };
}

interface OwnWindow {
  /** Seconds since 1970, by the clock that counts. */
  readonly endsAt: number;
  /** The moment `endsAt` by `performance.now()`, or a little earlier. */
  readonly until: number;
  /** The requests before this one; `stateOf` adds it. */
  counted: number;
}

function stateOf(window: OwnWindow, { limit, requests }: CountRequest): RateState {
  window.counted += requests;
  return {
    limit,
    remaining: Math.max(0, limit - window.counted),
    resetSeconds: Math.max(1, Math.ceil((window.until - performance.now()) / 1000)),
    resetAt: window.endsAt,
    exceeded: window.counted > limit,
  };
}

function sumOf(batch: readonly CountRequest[]): Counts {
  const added = new Map<string, number>();
  for (const { principalId, requests } of batch)
    added.set(principalId, (added.get(principalId) ?? 0) + requests);
  return added;
}

/**
 * Counting by statements, and in memory while no other process counts. A window is remembered when a statement has
 * counted it under a lease that is still in force; what is counted in it is written before a statement counts it again.
 */
function openCounting(db: Queryable) {
  const windows = new LRUCache<string, OwnWindow>({ max: MOST_PRINCIPALS });
  // Others may have counted since this process was alone.
  const lease = openRateLease(db, () => windows.clear());

  function countInMemory(request: CountRequest): RateState | undefined {
    const now = performance.now();
    if (!lease.isInForce(now)) return undefined;
    const window = windows.get(request.principalId);
    if (window === undefined || now >= window.until) return undefined;
    if (request.requests > 0) lease.note({ ...request, endsAt: window.endsAt });
    return stateOf(window, request);
  }

  async function countTogether(batch: readonly CountRequest[]): Promise<readonly RateState[]> {
    const states = batch.map(countInMemory);
    const rest = batch.filter((_, index) => states[index] === undefined);
    if (rest.length === 0) return states as readonly RateState[];
    const added = sumOf(rest);
    const counted = await countRest(added);
    if (lease.isInForce(performance.now()))
      for (const [id, window] of counted) windows.set(id, window);
    return batch.map(
      (one, index) => states[index] ?? stateOf(counted.get(one.principalId) as OwnWindow, one),
    );
  }

  /** The windows by a statement, before its requests. */
  async function countRest(added: Counts): Promise<ReadonlyMap<string, OwnWindow>> {
    const sentAt = performance.now();
    const windowOf = ({ principal_id: id, requests, ends_at, seconds_left }: CountedWindow) => ({
      endsAt: ends_at,
      until: sentAt + seconds_left * 1000,
      counted: requests - (added.get(id) as number),
    });
    // Until the answer nothing is counted in windows that it replaces.
    for (const id of added.keys()) windows.delete(id);
    const counted = await lease.count(added);
    return new Map(counted.map((row) => [row.principal_id, windowOf(row)]));
  }

  return { countInMemory, countTogether, leave: lease.leave };
}

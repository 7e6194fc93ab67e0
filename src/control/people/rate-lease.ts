// The lease of a process that counts requests in its memory while no other process counts, and the requests that it has
// counted and not yet written (docs/design/rate-windows.md, D851).

import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../postgres/db.ts';
import {
  ANNOUNCED_MS,
  announceAndCount,
  type CountedWindow,
  type Counts,
  LEASE_MS,
  type Outcome,
  putCounts,
  type Unwritten,
  writeCounts,
} from './rate-statements.ts';

export interface RateLease {
  /** True while no other process counts; `now` by `performance.now()`. */
  isInForce(now: number): boolean;
  /** Requests that were counted in memory: they are written soon. */
  note(unwritten: Unwritten): void;
  /** Count by a statement, after what was counted in memory for the same principals. Errors: those of the database. */
  count(added: Counts): Promise<readonly CountedWindow[]>;
  /** Write what was counted in memory, and let other processes count at once. Errors: those of the database. */
  leave(): Promise<void>;
}

/** Milliseconds after which requests counted in memory are written. */
const WRITTEN_AFTER_MS = 250;
/** The lease of this process ends so much earlier by its own clock. */
const LEASE_MARGIN_MS = 100;
/** Milliseconds between two attempts to count while another process counts alone. */
const RETRY_MS = 25;

/** `onAnnounced`: other processes may have counted since the last statement of this one. */
export function openRateLease(
  db: Queryable,
  { onAnnounced }: { readonly onAnnounced: () => void },
): RateLease {
  const processId = uuidv7();
  const unwritten = openUnwritten();
  /** Until when this process alone counts, by `performance.now()`. */
  let aloneUntil = Number.NEGATIVE_INFINITY;
  /** Until when it may count beside others without another announcement. */
  let sharedUntil = Number.NEGATIVE_INFINITY;

  const put = (outcome: Outcome) =>
    unwritten.write((counts) => writeCounts(db, { processId, outcome }, counts));

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    if (await put('renew')) {
      aloneUntil = sentAt + LEASE_MS - LEASE_MARGIN_MS;
      return;
    }
    // Another process waits. Counting in memory stops before the lease ends.
    aloneUntil = Number.NEGATIVE_INFINITY;
    await put('release');
  }

  const writer = openWriter(renew, unwritten.isEmpty);

  async function announce(added: Counts): Promise<readonly CountedWindow[]> {
    const sentAt = performance.now();
    const { alone, waits, counted } = await announceAndCount(db, processId, added);
    onAnnounced();
    aloneUntil = alone ? sentAt + LEASE_MS - LEASE_MARGIN_MS : Number.NEGATIVE_INFINITY;
    if (!alone && !waits) sharedUntil = sentAt + ANNOUNCED_MS;
    if (!waits) return counted;
    await sleep(RETRY_MS);
    return announce(added);
  }

  return {
    isInForce: (now) => now < aloneUntil,
    note(counted) {
      unwritten.add(counted);
      writer.writeSoon();
    },
    async count(added) {
      while ([...added.keys()].some(unwritten.has)) await writer.write();
      const mayCount = performance.now() < Math.max(aloneUntil, sharedUntil);
      return mayCount ? putCounts(db, added) : announce(added);
    },
    async leave() {
      await writer.stop();
      aloneUntil = Number.NEGATIVE_INFINITY;
      await put('leave');
    },
  };
}

/** Writing, soon or now, one statement at a time. */
function openWriter(run: () => Promise<void>, isDone: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  function write(): Promise<void> {
    writing ??= run().finally(() => {
      writing = undefined;
    });
    return writing;
  }
  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // A request that needs the database meets the same error.
      write().catch(() => isDone() || writeSoon());
    }, WRITTEN_AFTER_MS).unref();
  }
  async function stop(): Promise<void> {
    clearTimeout(timer);
    await writing?.catch(() => undefined);
  }
  return { write, writeSoon, stop };
}

/** The requests of each principal that are counted in memory and not written. */
function openUnwritten() {
  let [counts, inFlight] = [new Map<string, Unwritten>(), new Map<string, Unwritten>()];
  const add = ({ principalId, endsAt, requests }: Unwritten) => {
    const known = counts.get(principalId);
    if (known?.endsAt === endsAt) known.requests += requests;
    else counts.set(principalId, { principalId, endsAt, requests });
  };
  return {
    add,
    has: (principalId: string) => counts.has(principalId) || inFlight.has(principalId),
    isEmpty: () => counts.size === 0,
    /** Write them, in one statement at a time; when it fails, those of windows that have not ended stay. */
    async write(put: (all: readonly Unwritten[]) => Promise<boolean>): Promise<boolean> {
      [counts, inFlight] = [new Map(), counts];
      const all = [...inFlight.values()];
      try {
        return await put(all);
      } catch (error) {
        const now = Date.now() / 1000;
        for (const one of all) if (one.endsAt > now) add(one);
        throw error;
      } finally {
        inFlight = new Map();
      }
    },
  };
}

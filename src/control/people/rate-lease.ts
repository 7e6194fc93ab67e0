// The lease of a process that counts requests in its memory while no other process counts, and the requests that it has
// counted and not yet written (docs/design/rate-windows.md, D851).

import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../postgres/db.ts';
import { limitConcurrency } from '../process/limit-concurrency.ts';
import {
  ANNOUNCED_MS,
  announceAndCount,
  type CountedWindow,
  type Counts,
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

/** Milliseconds after which requests counted in memory are written, and after which an idle process ends its lease. */
const WRITTEN_AFTER_MS = 250;
/**
 * Milliseconds for which a process counts in memory after it has asked for the lease. The rest of the lease is for
 * writing late, on a busy machine.
 */
export const COUNTED_MS = 1000;
/** Milliseconds between two attempts to count while another process counts alone. */
const RETRY_MS = 25;

/** `onAnnounced`: other processes may have counted since the last statement of this one. */
export function openRateLease(db: Queryable, onAnnounced: () => void): RateLease {
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
    if (!unwritten.isEmpty() && (await put('renew'))) {
      aloneUntil = sentAt + COUNTED_MS;
      writer.writeSoon();
      return;
    }
    // Idle, or another process waits. Counting in memory stops before the lease ends.
    aloneUntil = Number.NEGATIVE_INFINITY;
    await put('release');
  }

  // In order: a release that is under way must not end the lease that an announcement takes.
  const inOrder = limitConcurrency(1);
  const writer = openWriter(() => inOrder(renew), unwritten.isEmpty);

  /** Undefined while another process counts alone. */
  async function announce(added: Counts): Promise<readonly CountedWindow[] | undefined> {
    const sentAt = performance.now();
    const { alone, waits, counted } = await announceAndCount(db, processId, added);
    onAnnounced();
    aloneUntil = alone ? sentAt + COUNTED_MS : Number.NEGATIVE_INFINITY;
    if (alone) writer.writeSoon();
    else if (!waits) sharedUntil = sentAt + ANNOUNCED_MS;
    return waits ? undefined : counted;
  }

  return {
    isInForce: (now) => now < aloneUntil,
    note(counted) {
      unwritten.add(counted);
      writer.writeSoon();
    },
    async count(added) {
      while ([...added.keys()].some(unwritten.has)) await writer.write();
      for (;;) {
        if (performance.now() < Math.max(aloneUntil, sharedUntil)) return putCounts(db, added);
        const counted = await inOrder(() => announce(added));
        if (counted !== undefined) return counted;
        await sleep(RETRY_MS);
      }
    },
    async leave() {
      await writer.stop();
      aloneUntil = Number.NEGATIVE_INFINITY;
      await inOrder(() => put('leave'));
    },
  };
}

/** Writing, soon or now. */
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

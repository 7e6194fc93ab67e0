// An attempt at a job: it prolongs its lease on a timer, gets the signal to end, and records how it ended. The job
// itself is a function of the caller.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Database, type Queryable, wrapDatabase } from '../../postgres/db.ts';
import {
  claimJob,
  failJob,
  finishJob,
  type Job,
  type Progress,
  putProgress,
  releaseJob,
  renewLease,
} from './jobs.ts';

/** Another process has the job, a person cancels it, or this process ends. */
export type Ending = 'lost' | 'cancelled' | 'stopping';

/** Store how far the work is; with a transaction of the work, both or neither. */
export type Report = (progress: Progress, tx?: Queryable) => Promise<void>;

/** A kind of job. An interrupted `run` is repeated, so it must be idempotent. */
export interface JobKind {
  readonly kind: string;
  /**
   * Milliseconds between the end of one run and the beginning of the next, for jobs that recur
   * for ever.
   */
  readonly every?: number;
  /** Must end soon, by throwing, when the signal is aborted. A refusal of the request ends the job. */
  run(job: Job, signal: AbortSignal, report: Report): Promise<void>;
}

export interface Lease {
  readonly job: Job;
  /** Aborted when the work has to end at once; `endingOf` says why. */
  readonly signal: AbortSignal;
  /** Throws the reason of the signal when the work has to end. */
  readonly report: Report;
  /** Check at once whether the job has to continue. */
  renew(): Promise<void>;
  /** The work has to end. */
  end(why: Ending): void;
  /** The work is done; `again`: it begins again so many milliseconds later. */
  finish(again?: number): Promise<void>;
  /** The work has failed, or has ended because it had to; `retryIn` undefined: for ever. */
  fail(error: unknown, retryIn: number | undefined): Promise<void>;
}

export interface LeaseOptions {
  readonly kinds: readonly string[];
  /** Only this one. */
  readonly id?: string | undefined;
  /** Milliseconds. */
  readonly lease?: number | undefined;
}

/** Milliseconds that a job waits for a process that is gone. */
const LEASE_MS = 30_000;
/** Renewals that may be missed: with one in a sixth of the time, five. */
const RENEWALS = 6;

/** Take a job and keep it; undefined when there is none to take. */
export async function openLease(
  db: Queryable,
  { kinds, id, lease = LEASE_MS }: LeaseOptions,
): Promise<Lease | undefined> {
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  const askedAt = performance.now();
  const job = await claimJob(db, { kinds, holder, lease, id });
  return job === undefined ? undefined : keepLease(db, job, { lease, askedAt });
}

/** Why the work has to end; undefined while it may continue. */
export function endingOf(signal: AbortSignal): Ending | undefined {
  return signal.aborted ? ((signal.reason as Error).cause as Ending) : undefined;
}

/** The database, refusing statements once the work has to end. */
export function whileHeld(db: Database, signal: AbortSignal): Database {
  return wrapDatabase(db, (server) => ({
    // Statements of other requests must not share a message with work that may have to end.
    origin: { sharing: db.origin.sharing },
    async query(statement, options) {
      signal.throwIfAborted();
      return server.query(statement, options);
    },
    async transaction(work) {
      signal.throwIfAborted();
      return server.transaction(work);
    },
  }));
}

interface Taken {
  readonly lease: number;
  /** The time by `performance.now()` before the statement was sent. */
  readonly askedAt: number;
}

function keepLease(db: Queryable, job: Job, { lease, askedAt }: Taken): Lease {
  const ending = new AbortController();
  let heldAt = askedAt;
  const timer = setInterval(renew, lease / RENEWALS).unref();

  function end(why: Ending): void {
    clearInterval(timer);
    ending.abort(new Error(`the job ${job.kind} is ${why}`, { cause: why }));
  }

  function hear(shallEnd: boolean | undefined): void {
    if (shallEnd !== false) end(shallEnd === undefined ? 'lost' : 'cancelled');
  }

  async function renew(): Promise<void> {
    const now = performance.now();
    try {
      hear(await renewLease(db, job, lease));
      heldAt = now;
    } catch {
      // Without the database no other process can have taken it before its time is over.
      if (now - heldAt > lease) end('lost');
    }
  }

  if (job.cancel_requested) end('cancelled');
  return {
    job,
    signal: ending.signal,
    async report(progress, tx = db) {
      ending.signal.throwIfAborted();
      hear(await putProgress(tx, job, progress));
      ending.signal.throwIfAborted();
    },
    renew,
    end,
    async finish(again) {
      clearInterval(timer);
      await finishJob(db, job, again);
    },
    async fail(error, retryIn) {
      clearInterval(timer);
      // Cancels a job that was to end; the row has that state. The state that another attempt has set stays.
      if (endingOf(ending.signal) !== undefined) return releaseJob(db, job);
      const reason = error instanceof Error ? error.message : String(error);
      await failJob(db, job, { error: reason, retryIn });
    },
  };
}

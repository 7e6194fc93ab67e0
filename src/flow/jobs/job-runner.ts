// Runs the jobs of the service in this process, some at a time (D195 to D197, docs/design/jobs.md). It runs
// the kinds it is given; the order of the jobs is decided by the database.

import { setTimeout as sleep } from 'node:timers/promises';
import { notifyOfFailedJob } from '../../control/jobs/job-author.ts';
import { endingOf, type JobKind, type Lease, openLease } from '../../control/jobs/job-lease.ts';
import { appendJob, JOBS_CHANNEL, releaseJob } from '../../control/jobs/jobs.ts';
import { ApiError, isOperatorError, operatorError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Database } from '../../postgres/db.ts';
import type { Listeners } from '../../postgres/listen.ts';

export interface JobRunnerOptions {
  readonly db: Database;
  readonly listeners: Listeners;
  readonly kinds: readonly JobKind[];
  /** Called when an attempt or a poll for work has failed. */
  onError(error: unknown, kind: string): void;
  readonly atOnce?: number;
  /**
   * Milliseconds of a lease, between two polls for work, and for work to end when the process
   * stops.
   */
  readonly lease?: number;
  readonly poll?: number;
  readonly stopTimeoutMs?: number;
  /** A random number from 0 to 1. */
  readonly random?: () => number;
}

export interface JobRunner {
  /** Start waiting jobs up to the limit of concurrency. */
  look(): Promise<void>;
  /** Start no more jobs, abort the running ones and release their leases. */
  stop(): Promise<void>;
}

const AT_ONCE = 2;
/** A poll without work is one statement on an empty index. */
const POLL_MS = 2000;
const STOP_TIMEOUT_MS = 3000;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 15 * 60_000;
/** The most failures of a job; with the pauses between them half an hour. */
const MOST_FAILURES = 10;
/** Processes that may die at the same place of a job: it may be to blame, and each takes the work of others with it. */
const MOST_ABANDONED = 3;

/**
 * Milliseconds to wait after so many failures in a row: exponential backoff with jitter between half and all
 * of it, so that jobs that failed together are not retried together.
 */
export function retryDelay(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  return longest * (0.5 + random() / 2);
}

/** Run jobs until `stop`. */
export async function startJobs(options: JobRunnerOptions): Promise<JobRunner> {
  const { db, atOnce = AT_ONCE, poll = POLL_MS, stopTimeoutMs = STOP_TIMEOUT_MS } = options;
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]));
  const terms = { kinds: [...kinds.keys()], lease: options.lease };
  const running = new Map<Lease, Promise<void>>();
  const untold = new Set<Ending>();
  let isStopped = false;
  const hasRoom = () => !isStopped && running.size < atOnce;

  const look = openLook(options, async () => {
    await tellEndings(untold);
    while (hasRoom()) {
      const lease = await openLease(db, terms);
      if (lease === undefined) return;
      begin(lease);
    }
  });

  function begin(lease: Lease): void {
    if (isStopped) lease.end('stopping');
    const work = attempt(lease, kinds.get(lease.job.kind) as JobKind, options);
    const ended = work.then((untoldEnd) => {
      if (untoldEnd !== undefined) untold.add(untoldEnd);
      running.delete(lease);
      void look();
    });
    running.set(lease, ended);
  }

  for (const { kind, every } of options.kinds) {
    if (every === undefined) continue;
    await appendJob(db, { kind, workspace_id: null, single: true, delay: every });
  }
  await options.listeners.listen(JOBS_CHANNEL, () => {
    void look();
    for (const lease of running.keys()) void lease.renew();
  });
  const timer = setInterval(look, poll).unref();
  void look();
  return {
    look,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      for (const lease of running.keys()) lease.end('stopping');
      const work = Promise.all([look(), ...running.values()]);
      await Promise.race([work, sleep(stopTimeoutMs, undefined, { ref: false })]);
      // A job that does not end in time loses its lease, so that another process may run it.
      await Promise.allSettled([...running.keys()].map(({ job }) => releaseJob(db, job)));
    },
  };
}

/**
 * One poll at a time: a request during a poll, which may have read before it, causes another
 * poll.
 */
function openLook({ onError }: JobRunnerOptions, look: () => Promise<void>): () => Promise<void> {
  let requests = 0;
  let isFailing = false;
  let looking: Promise<void> | undefined;

  async function lookUntilSeen(): Promise<void> {
    try {
      for (let seen = -1; seen !== requests; ) {
        seen = requests;
        await look();
      }
      isFailing = false;
    } catch (error) {
      // The next poll tries again; the same failure is reported once.
      if (!isFailing) onError(error, 'look for jobs');
      isFailing = true;
    }
    looking = undefined;
  }

  return () => {
    requests += 1;
    looking ??= lookUntilSeen();
    return looking;
  };
}

/** Records in the database how an attempt has ended. */
type Ending = () => Promise<void>;

/** Attempts that ended without a database would be taken for those of dead processes. */
async function tellEndings(untold: Set<Ending>): Promise<void> {
  for (const tell of [...untold]) {
    await tell();
    untold.delete(tell);
  }
}

/** One attempt, from the claim to the end. Never throws; returns an end that could not be recorded. */
async function attempt(
  lease: Lease,
  kind: JobKind,
  options: JobRunnerOptions,
): Promise<Ending | undefined> {
  const { onError, random = Math.random } = options;
  const { job, signal, report } = lease;
  try {
    signal.throwIfAborted();
    if (job.abandoned >= MOST_ABANDONED) await giveUp(lease, kind);
    else await kind.run(job, signal, report);
    await lease.finish(kind.every);
  } catch (error) {
    const isFinal = isFinalError(error) && kind.every === undefined;
    if (endingOf(signal) === undefined && !isFinal) onError(error, kind.kind);
    const retry = isFinal ? undefined : retryIn(kind, job.failures + 1, random);
    const isOver = retry === undefined && endingOf(signal) === undefined;
    const tell = async () => {
      if (isOver) await notifyOfFailedJob(options.db, job);
      await lease.fail(error, retry);
    };
    return tell().then(
      () => undefined,
      () => tell,
    );
  }
  return undefined;
}

/** The job fails, and its author reads the reason; a recurring job skips this time. */
async function giveUp({ job, report }: Lease, { every }: JobKind): Promise<void> {
  if (every !== undefined) return;
  const { done, total } = job.progress;
  const place = done === undefined ? '' : ` after ${done}${total == null ? '' : ` of ${total}`}`;
  const reason = say('job_ended_thrice', { place }).text;
  await report({ ...job.progress, reason });
  throw operatorError(reason);
}

/** The request cannot be carried out: another attempt would fail alike. */
function isFinalError(error: unknown): boolean {
  if (error instanceof ApiError) return error.code !== 'service_unavailable';
  return isOperatorError(error);
}

/** Undefined: no further attempt. */
function retryIn({ every }: JobKind, failures: number, random: () => number): number | undefined {
  if (every !== undefined) return Math.min(every, retryDelay(failures, random));
  return failures >= MOST_FAILURES ? undefined : retryDelay(failures, random);
}

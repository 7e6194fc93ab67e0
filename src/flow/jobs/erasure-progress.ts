// How far an erasure is, as its job keeps it: an attempt continues where the one before has ended. Each step is noted in
// the transaction of its changes.

import type { ErasureInput } from '../../control/jobs/job-kinds.ts';
import type { Report } from '../../control/jobs/job-lease.ts';
import { type Job, loadJobs, type Progress } from '../../control/jobs/jobs.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import type { JudgedErasure } from './erasure-authority.ts';

/** Numbers by the name of a place. */
export type PlaceCounts = Readonly<Record<string, number>>;

export interface ErasureState {
  readonly done: number;
  readonly total: number;
  /** Records that are left, by their places in the request. */
  readonly left: readonly number[];
  /** The records refused in this pass; they are tried again when it has erased others. */
  readonly refusals: readonly RefusedPlace[];
  readonly erasedInPass: number;
  /** Steps behind the records that are done. */
  readonly steps: number;
  /** The numbers of the present record before it was touched. */
  readonly found: { readonly index: number; readonly counts: PlaceCounts } | null;
  readonly counts: PlaceCounts;
  readonly notes: readonly string[];
  /** When none of the records was left. */
  readonly gone_at?: string;
}

export interface RefusedPlace {
  readonly index: number;
  readonly reason: string;
}

export interface Erasure {
  readonly db: Database;
  readonly job: Job;
  readonly input: ErasureInput;
  readonly signal: AbortSignal;
  readonly report: Report;
  /** Milliseconds until deliveries that were under way have ended. */
  readonly pause: number;
  /** Undefined: the sweeper removes the bytes of files. */
  readonly store: FileStore | undefined;
  /** The author, as they are now. Errors: operator errors when they no longer may do this. */
  judge(): Promise<JudgedErasure>;
  state: ErasureState;
}

/** The state as the database has it. */
export async function loadState({ db, job }: Pick<Erasure, 'db' | 'job'>): Promise<ErasureState> {
  const own = { workspace_id: Number(job.workspace_id), id: job.id };
  const [row] = await loadJobs(db, own, { before: undefined, limit: 1 });
  return row?.progress.state as ErasureState;
}

/** The state that an earlier attempt has left, or the first one. */
export function stateOf({ progress }: Job, records: number, steps: number): ErasureState {
  if (progress.state !== undefined) return progress.state as ErasureState;
  return {
    ...{ done: 0, total: records + steps, steps: 0, erasedInPass: 0 },
    left: Array.from({ length: records }, (_, index) => index),
    ...{ refusals: [], found: null, counts: {}, notes: [] },
  };
}

/** Note a part of the work, together with its changes. */
export async function note(
  work: Erasure,
  change: Partial<ErasureState>,
  make?: (tx: Queryable) => Promise<void>,
): Promise<void> {
  const next = { ...work.state, ...change };
  const { counts, done, total, notes } = next;
  // A job shows the first ones.
  const progress: Progress = { ...counts, done, total, notes, state: next };
  if (make === undefined) await work.report(progress);
  else {
    await work.db.transaction(async (tx) => {
      await make(tx);
      await work.report(progress, tx);
    });
  }
  work.state = next;
}

export function sumOf(one: PlaceCounts, other: PlaceCounts): PlaceCounts {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, (one[key] ?? 0) + (other[key] ?? 0)]));
}

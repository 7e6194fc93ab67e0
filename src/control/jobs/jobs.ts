// The rows of `jobs` (docs/decisions.md, D195): one function, one statement. All times are those of the database.
// job-lease.ts keeps leases, flow/jobs/job-runner.ts runs jobs.

import { uuidv7 } from 'uuidv7';
import { storableJson, storableText } from '../../model/values/storable-text.ts';
import { isDatabaseError, type Queryable } from '../../postgres/db.ts';
import { run, runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

/** Counts, and the state that the next attempt needs to continue. */
export type Progress = Readonly<Record<string, unknown>>;

/** A job, for the attempt that has its lease. */
export interface Job {
  readonly id: string;
  /** Null: it concerns all workspaces. */
  readonly workspace_id: number | null;
  readonly kind: string;
  readonly input: unknown;
  /** The last progress that the previous attempt reported. */
  readonly progress: Progress;
  /** The number of this attempt. */
  readonly attempts: number;
  readonly failures: number;
  /** The number of attempts in a row that ended without a result and were no further than those before (D670). */
  readonly abandoned: number;
  readonly lease_holder: string;
  readonly cancel_requested: boolean;
  /** Null: the service itself, or an operator. */
  readonly asked_by_user_id: number | null;
}

export interface NewJob {
  readonly kind: string;
  readonly workspace_id: number | null;
  readonly input?: unknown;
  /** True: none when one of this kind and workspace waits or runs already. */
  readonly single?: boolean;
  /** Milliseconds before it may begin. */
  readonly delay?: number;
  readonly asked_by_user_id?: number;
}

/** NOTIFY channel: there may be work, or a job shall end. Only a hint. */
export const JOBS_CHANNEL = 'workspace_records_jobs';

const JOBS = identifier(CONTROL_SCHEMA, 'jobs');
const COLUMNS = sql`j.id, j.workspace_id, j.kind, j.input, j.progress, j.attempts, j.failures,
  j.abandoned, j.lease_holder, j.cancel_requested, j.asked_by_user_id`;

/** Add a job; answers its id, or undefined when it is `single` and there is one. */
export async function appendJob(db: Queryable, job: NewJob): Promise<string | undefined> {
  const { kind, workspace_id, input = {}, single = false, delay = 0 } = job;
  const rows = await run(
    db,
    sql`insert into ${JOBS} (id, workspace_id, kind, input, single, run_after, asked_by_user_id)
      values (${uuidv7()}::uuid, ${workspace_id}::integer, ${kind}, ${JSON.stringify(input)}::jsonb,
        ${single}::boolean, now() + ${milliseconds(delay)}, ${job.asked_by_user_id ?? null}::integer)
      on conflict do nothing returning id`,
  );
  return rows[0]?.id as string | undefined;
}

/** Notify all processes that there is work, or that a job shall end. After the commit. */
export async function announceJob(db: Queryable, id: string): Promise<void> {
  await run(db, sql`select pg_notify(${JOBS_CHANNEL}, ${id})`);
}

export interface Claim {
  /** The kinds that the claiming process can run. */
  readonly kinds: readonly string[];
  /** Identifies this attempt; unique. */
  readonly holder: string;
  /** Milliseconds. */
  readonly lease: number;
  /** Only this one. */
  readonly id?: string | undefined;
}

/**
 * Take a job that waits, or whose lease is over: of the workspace of which the fewest run, and among
 * these of the one whose turn was the longest ago. One of a kind runs in a workspace at a time.
 */
export async function claimJob(db: Queryable, claim: Claim): Promise<Job | undefined> {
  const statement = claimSql(claim);
  for (;;) {
    try {
      return (await run(db, statement))[0] as unknown as Job | undefined;
    } catch (error) {
      // Another process has just begun one of the same kind and workspace: the next look sees it.
      if (!isDatabaseError(error) || error.constraint !== 'jobs_running') throw error;
    }
  }
}

function claimSql({ kinds, holder, lease, id }: Claim): Sql {
  const only = id === undefined ? EMPTY : sql` and c.id = ${id}::uuid`;
  // Only the first job of each kind and workspace can be next: a thousand waiting jobs cost little.
  return sql`update ${JOBS} j set state = 'running', attempts = j.attempts + 1,
      failures = case when ${HAS_ADVANCED} then 0 else j.failures + (j.state = 'running')::integer end,
      abandoned = case when ${HAS_ADVANCED} then 1
        else j.abandoned + (j.state = 'running')::integer end,
      progress = case when ${HAS_ADVANCED}
        then j.progress || jsonb_build_object('furthest', j.progress -> 'done') else j.progress end,
      lease_holder = ${holder},
      lease_until = now() + ${milliseconds(lease)}, started_at = now()
    where j.id = (
      select c.id from ${JOBS} c join (
        select distinct on (${PLACE}, c.kind) c.id, ${PLACE} as place, c.kind
        from ${JOBS} c where c.kind = any(${kinds}::text[]) and ${IS_DUE}${only}
        order by ${PLACE}, c.kind, c.run_after, c.id) as f using (id)
      where ${IS_DUE} and not exists (select from ${JOBS} r where r.state = 'running'
        and coalesce(r.workspace_id, 0) = f.place and r.kind = f.kind and r.id <> f.id)
      order by (select count(*) from ${JOBS} r
          where r.state = 'running' and coalesce(r.workspace_id, 0) = f.place),
        (select max(s.started_at) from ${JOBS} s
          where coalesce(s.workspace_id, 0) = f.place) nulls first,
        c.run_after, c.id
      limit 1 for update of c skip locked)
    returning ${COLUMNS}`;
}

/** An attempt has died, and was further than those that died before (D670). */
const HAS_ADVANCED = sql`(j.state = 'running' and coalesce((j.progress ->> 'done')::numeric
        > coalesce((j.progress ->> 'furthest')::numeric, 0), false))`;
const PLACE = sql`coalesce(c.workspace_id, 0)`;
const IS_DUE = sql`c.state in ('queued', 'running') and c.run_after <= now()
        and (c.state = 'queued' or c.lease_until <= now())`;

/**
 * Prolong the lease. An expired one counts as long as no other attempt has taken the job. Returns whether a person
 * wants it to end; undefined when another attempt has it.
 */
export async function renewLease(
  db: Queryable,
  job: Job,
  lease: number,
): Promise<boolean | undefined> {
  return putLeased(db, job, sql`lease_until = now() + ${milliseconds(lease)}`);
}

/** Store how far an attempt is, which may quote a file; answers like `renewLease`. */
export async function putProgress(
  db: Queryable,
  job: Job,
  progress: Progress,
): Promise<boolean | undefined> {
  const { furthest } = job.progress;
  const stored = furthest === undefined ? progress : { ...progress, furthest };
  return putLeased(db, job, sql`progress = ${storableJson(stored)}::jsonb`);
}

async function putLeased(db: Queryable, job: Job, change: Sql): Promise<boolean | undefined> {
  const [row] = await run(
    db,
    sql`update ${JOBS} j set ${change} where ${isHeldBy(job)} returning j.cancel_requested`,
  );
  return row?.cancel_requested as boolean | undefined;
}

/** The end of a job; `again`: it waits so many milliseconds instead and begins again, with no record of this time. */
export async function finishJob(db: Queryable, job: Job, again?: number): Promise<void> {
  const state = again === undefined ? 'done' : 'queued';
  await leave(db, job, {
    state,
    delay: again ?? 0,
    failures: 0,
    error: null,
    resetsAbandoned: true,
  });
}

/** The end of an attempt that failed; the next one begins `retryIn` milliseconds later, if ever. */
export async function failJob(
  db: Queryable,
  job: Job,
  { error, retryIn }: { readonly error: string; readonly retryIn: number | undefined },
): Promise<void> {
  const state = retryIn === undefined ? 'failed' : 'queued';
  await leave(db, job, { state, delay: retryIn ?? 0, failures: job.failures + 1, error });
}

/** Let another process continue a job at once; this is not a failure. */
export async function releaseJob(db: Queryable, job: Job): Promise<void> {
  await leave(db, job, { state: 'queued', delay: 0, failures: job.failures, error: null });
}

/**
 * Request that a job ends: a waiting one is cancelled at once, a running one when its process gets the notification,
 * at the commit. False: it has ended already, or there is an earlier request.
 */
export async function requestCancel(db: Queryable, id: string): Promise<boolean> {
  const cancelled = await run(
    db,
    sql`with asked as (
        update ${JOBS} set cancel_requested = true,
          state = case when state = 'queued' then 'cancelled' else state end,
          finished_at = case when state = 'queued' then now() end
        where id = ${id}::uuid and state in ('queued', 'running') and not cancel_requested
        returning id)
      select pg_notify(${JOBS_CHANNEL}, id::text) from asked`,
  );
  return cancelled.length > 0;
}

/** A job as its author sees it. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly input: Readonly<Record<string, unknown>>;
  readonly progress: Progress;
  readonly error: string | null;
  readonly cancel_requested: boolean;
  readonly asked_by_user_id: number | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** Selects jobs of a workspace; undefined is no condition. */
export interface JobFilter {
  readonly workspace_id: number;
  readonly asked_by_user_id?: number | undefined;
  readonly kind?: string | undefined;
  readonly state?: string | undefined;
  readonly id?: string | undefined;
}

/** Short parts of the input: a question, a mapping or a document may have megabytes. */
const SHORT_INPUT = sql`(select coalesce(jsonb_object_agg(i.key, i.value), '{}') from jsonb_each(j.input) i
    where jsonb_typeof(i.value) not in ('object', 'array')
      and (coalesce(length(i.value #>> '{}'), 0) <= 300 or i.key = 'changes_cursor'))`;

const SHOWN = sql`j.id, j.kind, j.state, ${SHORT_INPUT} as input, j.progress, j.error, j.cancel_requested,
  j.asked_by_user_id, j.created_at, j.started_at, j.finished_at`;

/** Jobs of a workspace before the one with the id `before`, newest first. */
export async function loadJobs(
  db: Queryable,
  filter: JobFilter,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly JobRow[]> {
  const { workspace_id, asked_by_user_id, kind, state, id } = filter;
  const conditions = [
    sql`j.workspace_id = ${workspace_id}::integer`,
    ...(id === undefined ? [] : [sql`j.id = ${id}::uuid`]),
    ...(asked_by_user_id === undefined
      ? []
      : [sql`j.asked_by_user_id = ${asked_by_user_id}::integer`]),
    ...(kind === undefined ? [] : [sql`j.kind = ${kind}`]),
    ...(state === undefined ? [] : [sql`j.state = ${state}`]),
    ...(page.before === undefined ? [] : [sql`j.id < ${page.before}::uuid`]),
  ];
  const rows = await runOnce(
    db,
    sql`select ${SHOWN} from ${JOBS} j where ${joinSql(conditions, ' and ')}
      order by j.id desc limit ${page.limit}::integer`,
  );
  return rows as unknown as readonly JobRow[];
}

/** The mappings of the files of an import, which the other statements leave out. */
export async function loadMappings(db: Queryable, id: string): Promise<readonly unknown[]> {
  const rows = await run(
    db,
    sql`select f.value->'mapping' as mapping
      from ${JOBS} j, jsonb_array_elements(j.input->'files') with ordinality f
      where j.id = ${id}::uuid order by f.ordinality`,
  );
  return rows.map(({ mapping }) => mapping);
}

/** The states of these jobs; one that is gone has none. */
export async function loadJobStates(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobRow['state']>> {
  const rows = await run(
    db,
    sql`select j.id, j.state from ${JOBS} j where j.id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, state }) => [String(id), state as JobRow['state']]));
}

/** Counts the waiting and running jobs of these kinds. */
export async function countWaiting(
  db: Queryable,
  { workspace_id, asked_by_user_id }: JobFilter,
  kinds: readonly string[],
): Promise<number> {
  const [row] = await run(
    db,
    sql`select count(*) as waiting from ${JOBS} where workspace_id = ${workspace_id}::integer
      and asked_by_user_id = ${asked_by_user_id}::integer and kind = any(${kinds}::text[])
      and state in ('queued', 'running')`,
  );
  return Number(row?.waiting);
}

/** Remove some that ended more than a week ago and have no archive in the store; answers how many. */
export function deleteOldJobs(db: Queryable, most: number): Promise<number> {
  const where = sql`t.finished_at < now() - interval '7 days' and not t.progress ? 'archive_id'`;
  const order = sql`t.finished_at`;
  return deleteSome(db, { table: JOBS, key: identifier('id'), where, order }, most);
}

interface Leaving {
  readonly state: 'done' | 'failed' | 'queued';
  readonly delay: number;
  readonly failures: number;
  readonly error: string | null;
  /** Forget how many processes have crashed at it. */
  readonly resetsAbandoned?: boolean;
}

/** Give the lease back. A job that would wait, but that a person wants to end, ends. */
async function leave(db: Queryable, job: Job, leaving: Leaving): Promise<void> {
  const { state, delay, failures, resetsAbandoned = false } = leaving;
  const error = leaving.error === null ? null : storableText(leaving.error);
  const next = sql`case when ${state} = 'queued' and j.cancel_requested then 'cancelled'
    else ${state} end`;
  await run(
    db,
    sql`update ${JOBS} j set state = ${next}, run_after = now() + ${milliseconds(delay)},
        failures = ${failures}::integer, error = ${error}::text, lease_holder = null,
        abandoned = case when ${resetsAbandoned}::boolean then 0 else j.abandoned end,
        lease_until = null, finished_at = case when ${next} <> 'queued' then now() end
      where ${isHeldBy(job)}`,
  );
}

/** True of the row, `j`, while the attempt has the job. */
export function isHeldBy({ id, attempts, lease_holder }: Job): Sql {
  return sql`j.id = ${id}::uuid and j.state = 'running' and j.attempts = ${attempts}::integer
    and j.lease_holder = ${lease_holder}`;
}

function milliseconds(count: number): Sql {
  return sql`${count}::float8 * interval '1 millisecond'`;
}

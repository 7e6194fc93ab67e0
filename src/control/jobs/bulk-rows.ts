// The pages that bulk changes have still to process, and the records that they could not change (docs/decisions.md,
// D286). A page is deleted in the transaction that changes its records. One function, one statement.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { placeOf } from '../../sql/read/place-sql.ts';
import {
  CONTROL_SCHEMA,
  identifier,
  type Sql,
  type Statement,
  sql,
  toStatement,
} from '../../sql/sql.ts';
import { isEndedSql } from '../people/api-keys.ts';
import { isUnchangedSql, type MemberRow } from '../people/people.ts';
import { holdsSql, requiredSql } from './job-author.ts';
import { isHeldBy, type Job, type Progress } from './jobs.ts';

/** Records that are changed in one transaction, when none is refused. */
export interface BulkPage {
  readonly number: number;
  readonly ids: readonly string[];
}

/** A record that was not changed, and why. */
export interface RefusedRecord {
  readonly record_id: string;
  readonly field: string;
  readonly reason: string;
}

/** Numbers of records of a page, by outcome. */
export interface BulkCounts {
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** The rights for the change: the person as they were when the change was checked, and their key. */
export interface BulkAuthority {
  readonly schema: string;
  readonly member: MemberRow;
  readonly api_key_id: string | null;
}

const PAGES = identifier(CONTROL_SCHEMA, 'bulk_pages');
const REFUSALS = identifier(CONTROL_SCHEMA, 'bulk_refusals');
const JOBS = identifier(CONTROL_SCHEMA, 'jobs');

/** Keep the selected records, which have a column `id`, as pages of a job; answers how many there are. */
export async function putPages(
  db: Queryable,
  jobId: string,
  selected: Sql,
  size: number,
): Promise<number> {
  const [row] = await db.query(
    toStatement(sql`with found as (
        select s.id, (row_number() over (order by s.id) - 1) / ${size}::integer as number
        from (${selected}) s
      ), kept as (
        insert into ${PAGES} (job_id, number, ids)
        select ${jobId}::uuid, number, array_agg(id order by id) from found group by number
        returning cardinality(ids) as records
      ) select coalesce(sum(records), 0)::integer as records from kept`),
  );
  return Number(row?.records);
}

/** The next pages that are left after a page, in their order. */
export async function loadPages(
  db: Queryable,
  jobId: string,
  after: number,
  limit: number,
): Promise<readonly BulkPage[]> {
  const rows = await runOnce(
    db,
    sql`select number, ids from ${PAGES} where job_id = ${jobId}::uuid
      and number > ${after}::integer order by number limit ${limit}::integer`,
  );
  return rows as unknown as readonly BulkPage[];
}

/** The records of a page that are left; none when it is done. */
export async function loadPage(
  db: Queryable,
  jobId: string,
  number: number,
): Promise<readonly string[]> {
  const [row] = await runOnce(
    db,
    sql`select ids from ${PAGES} where job_id = ${jobId}::uuid and number = ${number}::integer`,
  );
  return (row?.ids ?? []) as readonly string[];
}

/** Add to the progress of a job that the attempt still has. */
export async function addProgress(db: Queryable, job: Job, more: Progress): Promise<void> {
  await runOnce(
    db,
    sql`update ${JOBS} j set progress = j.progress || ${JSON.stringify(more)}::jsonb
      where ${isHeldBy(job)}`,
  );
}

/** The outcome of a page, noted in the transaction that changes its records. */
export interface PageNote {
  readonly number: number;
  /** Records of the page that are left. */
  readonly left: readonly string[];
  readonly counts: BulkCounts;
  readonly refused: readonly RefusedRecord[];
}

/** Fails with `JOB_REFUSED`, and its transaction with it, when the person has other rights than those judged by. */
export function sameRightsStatement({ schema, member }: BulkAuthority): Statement {
  return toStatement(
    sql`select ${requiredSql(isUnchangedSql(schema, member))} from ${placeOf(schema)}`,
  );
}

/**
 * Fails with `JOB_REFUSED`, and its transaction with it, when another attempt has the job, the key of its author was
 * revoked, or more is done than this: a COMMIT whose answer was lost.
 */
export function stillAtStatement(
  job: Job,
  { api_key_id }: Pick<BulkAuthority, 'api_key_id'>,
  done: number,
): Statement {
  const isThere = sql`(select (j.progress->>'done')::integer from ${JOBS} j where j.id = ${job.id}::uuid) = ${done}::integer`;
  return toStatement(
    sql`select ${requiredSql(sql`${holdsSql(job, { api_key_id })} and ${isThere}`)}`,
  );
}

/**
 * Note the outcome; fails with `JOB_REFUSED`, and its transaction with it, when another attempt has the job, or the
 * key of its author was revoked.
 */
export function pageStatement(
  job: Job,
  { api_key_id }: Pick<BulkAuthority, 'api_key_id'>,
  note: PageNote,
): Statement {
  const { number, left, counts, refused } = note;
  const { changed, unchanged, refused: count } = counts;
  const more = { done: changed + unchanged + count, changed, unchanged, refused: count };
  const sums = Object.entries(more).map(
    ([name, added]) =>
      sql`${name}::text, coalesce((j.progress->>${name}::text)::integer, 0) + ${added}::integer`,
  );
  const [done, ...others] = sums as [Sql, ...Sql[]];
  const progress = others.reduce((all, one) => sql`${all}, ${one}`, done);
  return toStatement(sql`with held as (
      update ${JOBS} j set progress = j.progress || jsonb_build_object(${progress})
      where ${isHeldBy(job)} and not ${isEndedSql(api_key_id)}
      returning 1
    ), gone as (
      delete from ${PAGES} where job_id = ${job.id}::uuid and number = ${number}::integer
        and cardinality(${left}::uuid[]) = 0
    ), kept as (
      update ${PAGES} set ids = ${left}::uuid[]
      where job_id = ${job.id}::uuid and number = ${number}::integer
        and cardinality(${left}::uuid[]) > 0
    ), told as (${refusedSql(job, refused)})
    select ${requiredSql(sql`(select count(*) from held) = 1`)}`);
}

function refusedSql({ id }: Job, refused: readonly RefusedRecord[]): Sql {
  return sql`insert into ${REFUSALS} (job_id, record_id, field, reason)
    select ${id}::uuid, r.record_id, r.field, r.reason
    from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as r (record_id uuid, field text, reason text)
    on conflict do nothing`;
}

/** Keep records that a job has refused, with the reasons. */
export async function putRefused(
  tx: Queryable,
  job: Job,
  refused: readonly RefusedRecord[],
): Promise<void> {
  await runOnce(tx, refusedSql(job, refused));
}

/** The first records that were not changed. */
export async function loadRefused(
  db: Queryable,
  jobId: string,
  limit: number,
): Promise<readonly RefusedRecord[]> {
  const rows = await runOnce(
    db,
    sql`select record_id, field, reason from ${REFUSALS} where job_id = ${jobId}::uuid
      order by record_id limit ${limit}::integer`,
  );
  return rows as unknown as readonly RefusedRecord[];
}

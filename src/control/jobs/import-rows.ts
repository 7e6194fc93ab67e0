// The progress of imports (docs/decisions.md, D250): lines that are written, in the transaction that writes them, and
// lines that were not imported. One function, one statement.

import { storableJson } from '../../model/values/storable-text.ts';
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
import { holdsSql, requiredSql } from './job-author.ts';
import type { Job } from './jobs.ts';

/** A line that is written. */
export interface ImportedLine {
  readonly line: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** True: the record existed and has kept its status. */
  readonly status_kept: boolean;
  /** Id of its record while that lacks references. */
  readonly open_id: string | null;
}

export interface RejectedLine {
  readonly line: number;
  readonly problems: readonly { readonly field: string; readonly reason: string }[];
  /** Cells of a CSV file without guards, or the text of a line. */
  readonly texts: readonly string[];
}

/** A file of an import: its place among those of the job, from 0. */
export interface FileOfJob {
  readonly job_id: string;
  readonly file: number;
}

/** The author of an import, and their key. */
export interface ImportAuthority {
  readonly schema: string;
  readonly user_id: number;
  readonly api_key_id: string | null;
  /** Keys of the roles that may import. */
  readonly roles: readonly string[];
}

/**
 * Lines of all files of a job share one column, each file's after those of the one before: a file has at most 32 MiB,
 * so fewer lines than this, and ten files fit into an integer (D416).
 */
const LINES_OF_FILE = 2 ** 26;

/** The number of the first line of a file. */
function startOf({ file }: Pick<FileOfJob, 'file'>): number {
  return file * LINES_OF_FILE;
}

function isOfFile(part: FileOfJob): Sql {
  const [start, end] = [startOf(part), startOf({ file: part.file + 1 })];
  return sql`job_id = ${part.job_id}::uuid and line > ${start}::integer and line < ${end}::integer`;
}

const LINES = identifier(CONTROL_SCHEMA, 'import_lines');
const REJECTS = identifier(CONTROL_SCHEMA, 'import_rejects');
const JOBS = identifier(CONTROL_SCHEMA, 'jobs');

/** Fails with `JOB_REFUSED`, and its transaction with it, when the person may no longer import. */
export function mayImportStatement({ schema, user_id, roles }: ImportAuthority): Statement {
  const mayImport = sql`exists (select 1 from ${identifier(schema, '_users')} u
      where u.id = ${user_id}::integer and u.active and u.roles && ${roles}::text[])`;
  return toStatement(sql`select ${requiredSql(mayImport)} from ${placeOf(schema)}`);
}

/** An attempt at a job, at one of its files. */
export interface Attempt {
  readonly job: Job;
  readonly file: number;
}

/** Notes lines that are written; it fails with `JOB_REFUSED`, and its transaction with it. */
export function importedStatement(
  { job, file }: Attempt,
  authority: ImportAuthority,
  lines: readonly ImportedLine[],
): Statement {
  const start = startOf({ file });
  return toStatement(sql`insert into ${LINES} (job_id, line, outcome, open_id, status_kept)
    select ${job.id}::uuid, l.line, l.outcome, l.open_id, l.status_kept
    from unnest(${lines.map(({ line }) => start + line)}::integer[],
      ${lines.map(({ outcome }) => outcome)}::text[],
      ${lines.map(({ open_id }) => open_id)}::uuid[],
      ${lines.map(({ status_kept }) => status_kept)}::boolean[])
      as l (line, outcome, open_id, status_kept)
    where ${requiredSql(holdsSql(job, authority))}
    on conflict do nothing`);
}

/** Notes that the references of lines are written; it fails like `importedStatement`. */
export function completedStatement(
  { job, file }: Attempt,
  authority: ImportAuthority,
  lines: readonly number[],
): Statement {
  const stored = lines.map((line) => startOf({ file }) + line);
  return toStatement(sql`update ${LINES} set open_id = null
    where job_id = ${job.id}::uuid and line = any(${stored}::integer[])
      and ${requiredSql(holdsSql(job, authority))}`);
}

/** Lines of a file that are written. */
export async function loadImportedLines(
  db: Queryable,
  part: FileOfJob,
): Promise<readonly ImportedLine[]> {
  const rows = await runOnce(
    db,
    sql`select line - ${startOf(part)}::integer as line, outcome, open_id, status_kept
      from ${LINES} where ${isOfFile(part)}`,
  );
  return rows as unknown as readonly ImportedLine[];
}

/** Counts the lines of a file by outcome, including those that were not imported. */
export async function countLines(
  db: Queryable,
  part: FileOfJob,
): Promise<Readonly<Record<ImportedLine['outcome'] | 'rejected' | 'status_kept', number>>> {
  const [row] = await runOnce(
    db,
    sql`select count(*) filter (where outcome = 'created') as created,
      count(*) filter (where outcome = 'updated') as updated,
      count(*) filter (where outcome = 'unchanged') as unchanged,
      count(*) filter (where outcome = 'skipped') as skipped,
      count(*) filter (where status_kept) as status_kept,
      (select count(*) from ${REJECTS} where ${isOfFile(part)}) as rejected
      from ${LINES} where ${isOfFile(part)}`,
  );
  return row as never;
}

/** Note lines that are not imported; a line that is there already stays as it is. */
export async function putRejects(
  db: Queryable,
  { job, file }: Attempt,
  authority: ImportAuthority,
  rejects: readonly RejectedLine[],
): Promise<void> {
  const stored = rejects.map((one) => ({ ...one, line: startOf({ file }) + one.line }));
  await db.query(mayImportStatement(authority));
  await runOnce(
    db,
    sql`insert into ${REJECTS} (job_id, line, problems, texts)
      select ${job.id}::uuid, r.line, r.problems, r.texts
      from jsonb_to_recordset(${storableJson(stored)}::jsonb)
        as r (line integer, problems jsonb, texts jsonb)
      where ${requiredSql(holdsSql(job, authority))}
      on conflict do nothing`,
  );
}

/** Deletes the rejected rows of a dry run, which starts from the first row again. */
export async function deleteRejects(db: Queryable, jobId: string): Promise<void> {
  await runOnce(db, sql`delete from ${REJECTS} where job_id = ${jobId}::uuid`);
}

/** Lines of a file that were not imported, behind a line, in their order. */
export async function loadRejects(
  db: Queryable,
  part: FileOfJob,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly RejectedLine[]> {
  const start = startOf(part);
  const rows = await runOnce(
    db,
    sql`select line - ${start}::integer as line, problems, texts from ${REJECTS} r
      where ${isOfFile(part)} and line > ${start + after}::integer
      order by r.line limit ${limit}::integer`,
  );
  return rows as unknown as readonly RejectedLine[];
}

/** The first lines that were not imported, with the place of their file. */
export async function loadFirstRejects(
  db: Queryable,
  jobId: string,
  limit: number,
): Promise<readonly (RejectedLine & Pick<FileOfJob, 'file'>)[]> {
  const rows = await runOnce(
    db,
    sql`select line / ${LINES_OF_FILE}::integer as file, line % ${LINES_OF_FILE}::integer as line,
        problems, texts
      from ${REJECTS} r where job_id = ${jobId}::uuid order by r.line limit ${limit}::integer`,
  );
  return rows as unknown as readonly (RejectedLine & Pick<FileOfJob, 'file'>)[];
}

/** Numbers of all lines of a file that were not imported. */
export async function loadRejectedLines(
  db: Queryable,
  part: FileOfJob,
): Promise<readonly number[]> {
  const start = startOf(part);
  const rows = await runOnce(
    db,
    sql`select line - ${start}::integer as line from ${REJECTS} where ${isOfFile(part)}`,
  );
  return rows.map(({ line }) => Number(line));
}

/** Deletes the rows of imports that ended a day ago; returns the number of deleted rows. */
export async function deleteOldImportRows(db: Queryable, most: number): Promise<number> {
  const old = sql`select j.id from ${JOBS} j where j.kind = 'import'
    and j.finished_at < now() - interval '24 hours'`;
  const [row] = await runOnce(
    db,
    sql`with lines as (delete from ${LINES} where ctid = any(array(
          select l.ctid from ${LINES} l where l.job_id in (${old}) limit ${most}::integer))
        returning 1),
      rejects as (delete from ${REJECTS} where ctid = any(array(
          select r.ctid from ${REJECTS} r where r.job_id in (${old}) limit ${most}::integer))
        returning 1)
      select (select count(*) from lines) + (select count(*) from rejects) as gone`,
  );
  return Number(row?.gone);
}

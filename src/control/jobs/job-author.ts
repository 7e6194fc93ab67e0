// The person who started a job, as they are now: a job works with their present rights, and only while the key that
// it was started with is in force. Statements of a job check the same in their transaction.

import { operatorError } from '../../errors.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { accessOf } from '../../model/rights/access.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { notifyOfSubjectSql } from '../../sql/events/notify-sql.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../sql/sql.ts';
import { isEndedSql, isKeyEnded } from '../people/api-keys.ts';
import { loadMember, type MemberRow } from '../people/people.ts';
import { findWorkspaceById, isOfDeletedWorkspace, loadModel } from '../workspace/workspaces.ts';
import type { AskedBy } from './job-kinds.ts';
import { isHeldBy, type Job } from './jobs.ts';

export interface JobAuthor {
  readonly user_id: number;
  /** Null when it was started in a session. */
  readonly api_key_id: string | null;
}

export function authorOf(job: Pick<Job, 'asked_by_user_id'>, { api_key_id }: AskedBy): JobAuthor {
  return { user_id: Number(job.asked_by_user_id), api_key_id };
}

export const NO_LONGER_ALLOWED = 'The person who started the job no longer has permission for it.';

/** Errors: an operator error when the person is not active any longer, or the key has ended. */
export async function requireAuthor(
  db: Queryable,
  schema: string,
  { user_id, api_key_id }: JobAuthor,
): Promise<MemberRow> {
  const member = await loadMember(db, schema, user_id);
  const isAllowed = member?.active === true && !(await isKeyEnded(db, api_key_id));
  if (!isAllowed) throw operatorError(NO_LONGER_ALLOWED);
  return member;
}

/**
 * Loads the author, who must be an administrator. Errors: an operator error as for `requireAuthor`, also when the
 * person is no longer an administrator.
 */
export async function requireAdministrator(
  db: Queryable,
  model: WorkspaceModel,
  author: JobAuthor,
): Promise<MemberRow> {
  const member = await requireAuthor(db, model.schema, author);
  if (!accessOf(model, member.roles).administrator) throw operatorError(NO_LONGER_ALLOWED);
  return member;
}

/** The workspace of a job by the definition in force. Errors: an operator error when it is gone. */
export async function requireJobModel(
  db: Queryable,
  { workspace_id }: Pick<Job, 'workspace_id'>,
): Promise<WorkspaceModel> {
  const model = await loadModel(db, Number(workspace_id));
  if (model === undefined) throw operatorError('The workspace no longer exists.');
  return model;
}

/** Notifies the person who started the job, once. */
export async function notifyOfFailedJob(
  db: Queryable,
  {
    id,
    workspace_id,
    asked_by_user_id: user_id,
  }: Pick<Job, 'id' | 'workspace_id' | 'asked_by_user_id'>,
): Promise<void> {
  const workspace =
    workspace_id === null || user_id === null
      ? undefined
      : await findWorkspaceById(db, workspace_id);
  if (workspace === undefined || user_id === null) return;
  const told = { id, kind: 'job_failed', user_id, subject_id: id } as const;
  try {
    await runOnce(db, notifyOfSubjectSql(workspace.schema, told));
  } catch (error) {
    if (!isOfDeletedWorkspace(error)) throw error;
  }
}

/**
 * True while the attempt has the job and the key of its author is in force. Another attempt that wants the job waits for
 * the end of this transaction; several of this attempt do not wait for each other.
 */
export function holdsSql(job: Job, { api_key_id }: Pick<JobAuthor, 'api_key_id'>): Sql {
  const held = sql`select from ${identifier(CONTROL_SCHEMA, 'jobs')} j where ${isHeldBy(job)} for share`;
  return sql`(select count(*) from (${held}) held) = 1 and not ${isEndedSql(api_key_id)}`;
}

/** SQLSTATE of a statement of a job that another attempt has, or that is no longer allowed. */
export const JOB_REFUSED = 'WR002';

const REQUIRE = identifier(CONTROL_SCHEMA, 'require_job');

/** True, or the statement fails with `JOB_REFUSED`, and its transaction with it. */
export function requiredSql(condition: Sql): Sql {
  return sql`${REQUIRE}(${condition})`;
}

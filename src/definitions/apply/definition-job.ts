// The job that applies a definition when that takes longer than a request: what the request has planned, once,
// whatever becomes of the processes that work at it.

import { requireAdministrator } from '../../control/jobs/job-author.ts';
import type { Report } from '../../control/jobs/job-lease.ts';
import { announceJob, appendJob, type Job } from '../../control/jobs/jobs.ts';
import {
  type AdministrativeActor,
  type AuditedActor,
  auditedActor,
} from '../../control/workspace/administrative-audit.ts';
import { loadModel } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import type { Database } from '../../postgres/db.ts';
import { refusalOf } from '../document/refusals.ts';
import {
  type ApplyRequest,
  applyPlanned,
  loadPlanned,
  presentApplied,
} from './definition-requests.ts';

export const APPLY_JOBS = 'apply_definition';

/** The input of the job. The document is text, because jsonb would not keep the order of its fields. */
interface ApplyInput extends Omit<ApplyRequest, 'input'> {
  readonly form: 'patch' | 'document';
  readonly text: string;
  readonly actor: AuditedActor;
}

/** Add the job; undefined when another one of the workspace waits or runs. */
export async function beginApply(
  db: Database,
  workspace_id: number,
  { input, ...request }: ApplyRequest,
  actor: AdministrativeActor,
): Promise<string | undefined> {
  const [form, document] =
    'patch' in input ? (['patch', input.patch] as const) : (['document', input.document] as const);
  const asked_by = auditedActor(actor);
  const stored: ApplyInput = { ...request, form, text: JSON.stringify(document), actor: asked_by };
  const id = await appendJob(db, {
    kind: APPLY_JOBS,
    workspace_id,
    input: stored,
    single: true,
    ...(asked_by.user_id === null ? {} : { asked_by_user_id: asked_by.user_id }),
  });
  if (id !== undefined) await announceJob(db, id);
  return id;
}

/** An attempt: what is in force already is not done again. */
export async function runApplyJob(
  db: Database,
  job: Job,
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  if (job.workspace_id === null || 'revision' in job.progress) return;
  const { form, text, actor, ...request } = job.input as ApplyInput;
  await requireStillAdministrator(db, job.workspace_id, actor);
  const document: unknown = JSON.parse(text);
  const input = form === 'patch' ? { patch: document } : { document };
  const planned = await loadPlanned(db, job.workspace_id, { ...request, input });
  await applyPlanned(db, planned, {
    actor: { kind: 'job', asked_by: actor },
    signal,
    jobId: job.id,
    // In the transaction of the change: a later attempt finds both or neither.
    onApplied: (tx, plan) => report({ ...presentApplied(plan) }, tx),
  }).catch(async (error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const { problems, losses = [] } = refusal;
    await report({
      problems: problems.map(({ path, message }) => ({ path, message: message.text })),
      losses,
    });
    // Without the values that block it.
    throw operatorError(
      [...problems.map(({ message }) => message.text), ...losses].join('; '),
      error,
    );
  });
}

/** Errors: an operator error when the author is no longer an administrator. */
async function requireStillAdministrator(
  db: Database,
  workspaceId: number,
  { user_id, api_key_id }: AuditedActor,
): Promise<void> {
  const model = await loadModel(db, workspaceId);
  if (user_id === null || model === undefined) return;
  await requireAdministrator(db, model, { user_id, api_key_id });
}

// Requests for a job, of which a person may have a limited number, and for its end.

import { type AskedBy, PEOPLE_JOBS } from '../../control/jobs/job-kinds.ts';
import {
  appendJob,
  countWaiting,
  type JobRow,
  loadJobs,
  requestCancel,
} from '../../control/jobs/jobs.ts';
import { lockLimitsOf } from '../../control/people/people.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
  noteEvents,
} from '../../control/workspace/administer.ts';
import { administrativeActor, auditedActor } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { about, say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { keyOf, passesGates } from '../../model/rights/principal.ts';
import { findUnstorable, UNSTORABLE } from '../../model/values/storable-text.ts';
import type { Transaction } from '../../postgres/db.ts';
import type { Answer } from '../records/idempotency.ts';
import { type Asking, answerOnce } from '../records/keyed-requests.ts';

export interface JobRequest {
  readonly kind: (typeof PEOPLE_JOBS)[number];
  readonly input: AskedBy;
  /** The sent body, where `input` has other names for it. */
  readonly sent?: object;
  /** Keys of the request, for the audit. */
  readonly asked: readonly string[];
  /** True: at most one of the kind waits or runs in the workspace. */
  readonly single?: boolean;
  /** Rows that belong to the job and are stored with it. */
  keep?(tx: Transaction, jobId: string): Promise<void>;
}

/**
 * Once for each `Idempotency-Key`; `prepare` looks up the job's requirements and is part of the transaction. Errors:
 * `validation_failed` for text that cannot be stored, `conflict` when there are too many already or another `single` one, and
 * those of the key.
 */
export async function requestJob(
  asking: Asking,
  prepare: (tx: Transaction) => Promise<JobRequest>,
  respond: (row: JobRow) => Answer,
): Promise<Answer> {
  const { db, model, caller } = asking;
  const author = { workspace_id: model.workspace.id, asked_by_user_id: caller.user.id };
  return answerOnce(asking, async (tx) => {
    const { kind, input, sent = input, asked, single = false, keep } = await prepare(tx);
    requireStorable(sent);
    await lockLimitsOf(tx, author.workspace_id, author.asked_by_user_id);
    const waiting = await countWaiting(tx, author, PEOPLE_JOBS);
    if (waiting >= LIMITS.jobsOfUser) throw tooMany();
    const id = await appendJob(tx, { kind, input, single, ...author });
    if (id === undefined) throw alreadyRuns();
    await keep?.(tx, id);
    const event = { subject_type: kind, subject_id: id, action: 'create', changed_fields: asked };
    const by = administrationOf({ db, model, caller, requestId: input.request_id });
    await noteEvents(tx, by, [event]);
    const [found] = await loadJobs(tx, { ...author, id }, { before: undefined, limit: 1 });
    return respond(found as JobRow);
  });
}

/** Cancel a job; one that has ended, or was cancelled before, leaves no audit row. */
export function cancelJob(asked: AskedByCaller, id: string): Promise<void> {
  return administer(administrationOf(asked), async (tx) => {
    const isCancelled = await requestCancel(tx, id);
    const event = { subject_type: 'job', subject_id: id, action: 'cancel' } as const;
    return { result: undefined, events: isCancelled ? [event] : [] };
  });
}

/** The author of a job, with the prefix of the key and the session for the audit. */
export function auditedBy(caller: Caller, request_id: string) {
  const { api_key_prefix, session_id } = auditedActor(administrativeActor(caller, request_id));
  return { ...askedBy(caller, request_id), api_key_prefix, session_id };
}

/** The rights with which the job will work. */
export function askedBy(caller: Caller, request_id: string): AskedBy {
  const { principal, scopes } = caller;
  const own = { scopes: [...scopes], api_key_id: keyOf(principal)?.id ?? null, request_id };
  return passesGates(caller) ? own : { ...own, gates: false };
}

/** The request is stored with the job, so all of it must be text that can be stored. */
function requireStorable(sent: object): void {
  const param = findUnstorable(sent);
  if (param === undefined) return;
  throw new ApiError('validation_failed', { param, message: about('The value', UNSTORABLE) });
}

function alreadyRuns(): ApiError {
  const message = say('job_of_kind_running');
  return new ApiError('conflict', { message });
}

function tooMany(): ApiError {
  const message = say('too_many_jobs', { most: LIMITS.jobsOfUser });
  return new ApiError('conflict', { message, details: { limit: LIMITS.jobsOfUser } });
}

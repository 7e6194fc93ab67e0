// The author of a bulk change, as they are now: their person, the definition in force, and whether they may make the
// change (D286).

import type { BulkAuthority } from '../../control/bulk-rows.ts';
import { authorOf, requireAuthor, requireJobModel } from '../../control/job-author.ts';
import type { BulkInput } from '../../control/job-kinds.ts';
import type { Job } from '../../control/jobs.ts';
import type { MemberRow } from '../../control/people.ts';
import { loadRevision } from '../../control/workspaces.ts';
import { ApiError, operatorError } from '../../errors.ts';
import { type Caller, callerOf } from '../../model/access.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/model.ts';
import { requireObject } from '../../plan/read-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { requireChange } from './bulk-request.ts';

/** By what a page of records is changed. */
export interface Judged extends BulkAuthority {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
}

/** Checks changes since the last time. Errors: operator errors. */
export function openJudge(db: Queryable, job: Job, input: BulkInput): () => Promise<Judged> {
  let last: Judged | undefined;
  return async () => {
    const revision = await loadRevision(db, Number(job.workspace_id));
    const known = last?.model;
    const model =
      known !== undefined && known.revision === revision ? known : await requireJobModel(db, job);
    const member = await requireAuthor(db, model.schema, authorOf(job, input));
    if (last?.model === model && isSame(last.member, member)) return last;
    last = judged(model, member, input);
    return last;
  };
}

function isSame(one: MemberRow, other: MemberRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function judged(model: WorkspaceModel, member: MemberRow, input: BulkInput): Judged {
  const caller = callerOf(model, member, {
    kind: 'bulk',
    scopes: input.scopes,
    gates: input.gates,
  });
  try {
    const object = requireObject(model, caller, input.object_type);
    requireChange({ model, caller }, object, input);
    const { schema } = model;
    return { schema, member, api_key_id: input.api_key_id, model, caller, object };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw operatorError(`The change is no longer possible: ${error.message}`, error);
  }
}

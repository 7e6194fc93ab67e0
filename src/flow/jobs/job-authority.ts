// The author of a job, as they are now: the definition in force and their person are loaded again before each part of
// the work, and judged again when they have changed.

import { authorOf, requireAuthor, requireJobModel } from '../../control/jobs/job-author.ts';
import type { AskedBy } from '../../control/jobs/job-kinds.ts';
import type { Job } from '../../control/jobs/jobs.ts';
import type { MemberRow } from '../../control/people/people.ts';
import { loadRevision } from '../../control/workspace/workspaces.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';

/** The definition in force, and the author by it. */
export interface JudgedAuthor {
  readonly model: WorkspaceModel;
  readonly member: MemberRow;
}

/** Errors: operator errors, also those of `judge`. */
export function openJudge<Judged extends JudgedAuthor>(
  db: Queryable,
  { job, input }: { readonly job: Job; readonly input: AskedBy },
  judge: (model: WorkspaceModel, member: MemberRow) => Judged,
): () => Promise<Judged> {
  let last: Judged | undefined;
  return async () => {
    const revision = await loadRevision(db, Number(job.workspace_id));
    const known = last?.model;
    const model =
      known !== undefined && known.revision === revision ? known : await requireJobModel(db, job);
    const member = await requireAuthor(db, model.schema, authorOf(job, input));
    if (last?.model === model && isSame(last.member, member)) return last;
    last = judge(model, member);
    return last;
  };
}

function isSame(one: MemberRow, other: MemberRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

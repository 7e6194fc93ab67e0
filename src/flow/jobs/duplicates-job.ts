// Finds records of an object that may be the same thing, as a job: one statement with the rights of the person who asked
// for it, over so many of the newest records (docs/design/merge.md).

import { putGroups } from '../../control/jobs/duplicate-rows.ts';
import { DUPLICATE_JOBS, type DuplicatesInput } from '../../control/jobs/job-kinds.ts';
import { type JobKind, whileHeld } from '../../control/jobs/job-lease.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import type { MemberRow } from '../../control/people/people.ts';
import { isRefusal, operatorError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { callerOf, objectAccess } from '../../model/rights/access.ts';
import { comparedFields, type FoundGroup, joinedGroups } from '../../plan/read/duplicate-plan.ts';
import { reachPredicate, requireObject } from '../../plan/read/read-plan.ts';
import type { Database } from '../../postgres/db.ts';
import { duplicatesSql } from '../../sql/read/duplicates-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import type { Answer } from '../records/idempotency.ts';
import type { Asking } from '../records/keyed-requests.ts';
import { openJudge } from './job-authority.ts';
import { askedBy, requestJob } from './job-requests.ts';

/** A job for it, once for each `Idempotency-Key`. Errors: `search_not_supported`, and those of the key and of jobs. */
export function requestDuplicates(
  asking: Asking,
  object: ObjectModel,
  request_id: string,
  respond: (row: JobRow) => Answer,
): Promise<Answer> {
  comparedFields(asking.caller, object);
  const { object_type } = object;
  const input: DuplicatesInput = { ...askedBy(asking.caller, request_id), object_type };
  const prepare = async () => ({ kind: DUPLICATE_JOBS, input, asked: ['object_type'] }) as const;
  return requestJob(asking, prepare, respond);
}

export function findingDuplicates(db: Database): JobKind {
  return {
    kind: DUPLICATE_JOBS,
    async run(job, signal, report) {
      const held = whileHeld(db, signal);
      const input = job.input as DuplicatesInput;
      const judge = openJudge(held, { job, input }, (model, member) =>
        judged(input, model, member),
      );
      await report({ done: 0 });
      const { model, plan } = await judge();
      const statement = toStatement(duplicatesSql(plan));
      const rows = await held.near(model.schema).query(statement, { prepare: false });
      const groups = joinedGroups(rows as unknown as readonly FoundGroup[]);
      await putGroups(held, job, groups);
      await report({ done: groups.length, total: groups.length, groups_found: groups.length });
    },
  };
}

/** Errors: an operator error when the person may no longer read what is compared. */
function judged(
  { scopes, object_type }: DuplicatesInput,
  model: WorkspaceModel,
  member: MemberRow,
) {
  const caller = callerOf(model, member, { kind: 'bulk', scopes });
  try {
    const object = requireObject(model, caller, object_type);
    const plan = {
      schema: model.schema,
      object,
      reach: reachPredicate(caller, object, objectAccess(caller, object).reach.read),
      fields: comparedFields(caller, object),
      records: LIMITS.comparedRecords,
      groupSize: LIMITS.mergedRecords + 1,
      groups: LIMITS.duplicateGroups,
    };
    return { model, member, plan };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw operatorError(`The search is no longer possible: ${error.message}`, error);
  }
}

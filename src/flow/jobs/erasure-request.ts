// Starts an erasure: names of objects and ids are checked, whether the records exist is not, because one that is gone
// may have left traces.

import { ERASURE_JOBS, type ErasureInput } from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import { errorFromProblems, type Problem, placedError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { lacksScope, requireAdministrator } from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import type { Answer } from '../records/idempotency.ts';
import type { Asking } from '../records/keyed-requests.ts';
import { auditedBy, requestJob } from './job-requests.ts';

export interface ErasureRequest {
  readonly records: readonly { readonly object_type: string; readonly id: string }[];
  readonly dry_run: boolean;
  readonly request_id: string;
}

/**
 * A job for it, once for each `Idempotency-Key`. Errors: `permission_denied`, `insufficient_scope`, and those of names,
 * the key and of jobs.
 */
export function requestErasure(
  asking: Asking,
  { records: sent, dry_run, request_id }: ErasureRequest,
  respond: (row: JobRow) => Answer,
): Promise<Answer> {
  const { caller } = asking;
  requireAdministrator(caller);
  if (!caller.scopes.has('records:delete')) throw lacksScope(['records:delete'], 'records');
  const records = namedRecords(asking, sent);
  const [only, another] = sent;
  const recordEntry =
    only === undefined || another !== undefined
      ? {}
      : { object_type: only.object_type, record_id: records[0]?.id as string };
  const input: ErasureInput = {
    ...auditedBy(caller, request_id),
    ...{ ...recordEntry, records, record_count: records.length, dry_run },
  };
  const asked = dry_run ? ['records', 'dry_run'] : ['records'];
  return requestJob(asking, async () => ({ kind: ERASURE_JOBS, input, asked }), respond);
}

/** Each record once. Errors: `object_not_available`, `validation_failed`. */
function namedRecords(
  { model, caller }: Asking,
  sent: ErasureRequest['records'],
): ErasureInput['records'] {
  const records = new Map<string, ErasureInput['records'][number]>();
  const problems: Problem[] = [];
  for (const [index, { object_type, id: name }] of sent.entries()) {
    const { table } = objectAt(`records[${index}]`, () =>
      requireObject(model, caller, object_type),
    );
    const id = parseRecordId(name);
    if (id !== undefined) records.set(`${table} ${id}`, { table, id });
    else {
      const message = say('not_a_record_id');
      problems.push({ param: `records[${index}].id`, code: 'validation_failed', message });
    }
  }
  if (problems.length > 0) throw errorFromProblems(problems);
  return [...records.values()];
}

function objectAt<Found>(place: string, find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    throw placedError(error, place);
  }
}

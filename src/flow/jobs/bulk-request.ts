// Starts one change of many records (D286): one statement selects and counts the records and keeps them for the job;
// a change that would be refused for every one of them is refused here.

import { putPages } from '../../control/jobs/bulk-rows.ts';
import { BULK_JOBS, type BulkInput } from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type ObjectModel, WORK_ITEMS, type WorkspaceModel } from '../../model/definition/model.ts';
import type { ReadPlan } from '../../plan/read/read-plan.ts';
import type { RecordQuery } from '../../plan/read/record-query.ts';
import { planSelected } from '../../plan/read/selected-plan.ts';
import { conditionsOf } from '../../plan/read/where.ts';
import type { WriteOperation } from '../../plan/write/write-operation.ts';
import { planWrites } from '../../plan/write/write-plan.ts';
import type { Row, Transaction } from '../../postgres/db.ts';
import { COUNT_COLUMN, countedSql, selectedIdsSql } from '../../sql/read/read-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import type { Answer } from '../records/idempotency.ts';
import type { Asking } from '../records/keyed-requests.ts';
import { ask } from '../records/read/read-statement.ts';
import { withRemedy } from '../records/read/slow-read.ts';
import { auditedBy, requestJob } from './job-requests.ts';

/** The change, the same for every record. */
export type BulkChange = Pick<BulkInput, 'action' | 'fields' | 'status_id'>;

export interface BulkRequest {
  readonly object: ObjectModel;
  readonly query: RecordQuery;
  readonly change: BulkChange;
  readonly expected_count: number;
  readonly request_id: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * A job for it, once for each `Idempotency-Key`. Errors: `conflict` when another number of records is found, and
 * those of the change, the key and of jobs.
 */
export function requestBulk(
  asking: Asking,
  { object, query, change, expected_count, request_id, now }: BulkRequest,
  respond: (row: JobRow) => Answer,
): Promise<Answer> {
  const { model, caller } = asking;
  const plan = planSelected({ ...asking, now }, object, query, LIMITS.bulkShown);
  requireConditions(plan);
  requireChange(asking, object, change);
  const input: BulkInput = {
    ...auditedBy(caller, request_id),
    ...{ object_type: object.object_type, expected_count, ...change },
  };
  const keep = async (tx: Transaction, jobId: string) => {
    const selected = selectedIdsSql(plan, expected_count + 1);
    const count = await putPages(tx, jobId, selected, LIMITS.bulkPage);
    if (count !== expected_count) throw otherCount(count, expected_count);
  };
  const asked = ['where', 'action', ...Object.keys(change.fields ?? {})];
  const prepare = async () => ({ kind: BULK_JOBS, input, asked, keep }) as const;
  return requestJob({ ...asking, model }, prepare, respond);
}

/** The effect of the change: the number of records, and the newest of them. Errors: those of a request. */
export async function rehearseBulk(
  asking: Omit<Asking, 'claim'>,
  { object, query, change, now }: Omit<BulkRequest, 'expected_count'>,
): Promise<{ readonly plan: ReadPlan; readonly count: number; readonly rows: readonly Row[] }> {
  const plan = planSelected({ ...asking, now }, object, query, LIMITS.bulkShown);
  requireConditions(plan);
  requireChange(asking, object, change);
  const rows = await withRemedy(plan, () =>
    ask(asking, toStatement(countedSql(plan, LIMITS.bulkRecords))),
  );
  const count = Number(rows[0]?.[COUNT_COLUMN]);
  requireBulkSize(count);
  const found = rows.filter(({ id }) => id !== null).slice(0, LIMITS.bulkShown);
  return { plan, count, rows: found };
}

/** Every record is never meant. */
function requireConditions({ where }: ReadPlan): void {
  if (conditionsOf(where).length > 0) return;
  const message = say('bulk_needs_condition');
  throw errorFromProblems([{ param: 'where', code: 'validation_failed', message }]);
}

/** Errors: `validation_failed` when one change cannot have so many records. */
export function requireBulkSize(count: number): void {
  if (count <= LIMITS.bulkRecords) return;
  const message = say('bulk_too_many', { most: LIMITS.bulkRecords });
  throw errorFromProblems([{ param: 'where', code: 'validation_failed', message }]);
}

/** The error for an unexpected number of records. The count stops at one more than expected. */
function otherCount(count: number, expected: number): ApiError {
  const found = count > expected ? `more than ${expected}` : `${count}`;
  return new ApiError('conflict', {
    param: 'expected_count',
    message: say('bulk_count_changed', { count: found, expected }),
  });
}

/** The operation on one record. */
export function operationOn(
  id: string,
  { action, fields = {}, status_id = '' }: BulkChange,
): WriteOperation {
  if (action === 'update') return { action, id, fields };
  return action === 'status' ? { action, id, status_id } : { action, id };
}

const ANY = '00000000-0000-0000-0000-000000000000';

/** Errors: those of the change that do not depend on the record. */
export function requireChange(
  { model, caller }: Pick<Asking, 'model' | 'caller'>,
  object: ObjectModel,
  change: BulkChange,
): void {
  const operations = [operationOn(ANY, change)];
  const plan = planWrites(model, caller, object, { operations, source: 'bulk', batch: false });
  const problems = plan.writes.flatMap((write) => write.problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const { status_id } = change;
  if (status_id === undefined || hasStatus(model, object, status_id)) return;
  const message = say('no_such_status');
  throw errorFromProblems([{ param: 'status_id', code: 'invalid_write', message }]);
}

/** True when one of the workflows that its records may have has the status. */
function hasStatus(model: WorkspaceModel, object: ObjectModel, statusId: string): boolean {
  const types = object.object_type === WORK_ITEMS ? [...model.work_item_types.values()] : [];
  const workflows = [object.workflow, ...types.map(({ workflow }) => workflow)];
  return workflows.some((workflow) => workflow?.statuses.has(statusId) === true);
}

// The error to answer for a failed statement of a write: constraints detect what a look-up cannot exclude,
// because of concurrent writes.

import {
  ApiError,
  definitionChanged,
  errorFromProblems,
  type Problem,
  unavailable,
} from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { canReadField, objectAccess } from '../../model/access.ts';
import { equalityKeyOf } from '../../model/field-types.ts';
import {
  type Field,
  type ObjectModel,
  PARENT_KEY,
  type WorkspaceModel,
} from '../../model/model.ts';
import { reachPredicate } from '../../plan/read-plan.ts';
import type { PlannedWrite, WritePlan } from '../../plan/write-operation.ts';
import { labelOf } from '../../plan/write-plan.ts';
import { fieldParam, givenValue } from '../../plan/write-validation.ts';
import { isConstraint, type Violation } from '../../postgres/constraint-name.ts';
import { isDatabaseError, isRefusedByDatabase, type Queryable } from '../../postgres/db.ts';
import { REVISION_CHANGED } from '../../sql/audit-sql.ts';
import { uniqueIndex } from '../../sql/index-sql.ts';
import { FROM_ONE_INDEX, TO_ONE_INDEX } from '../../sql/link-sql.ts';
import { holdersSql } from '../../sql/lookup-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { TREE_REFUSED } from '../../sql/work-item-sql.ts';
import { explainByRevision } from './changed-definition.ts';

/** Foreign key violated: by a row that is gone, or (since PostgreSQL 18) by a restricted delete. */
const FOREIGN_KEY: ReadonlySet<unknown> = new Set(['23503', '23001']);
/** Serialisation failure and deadlock, after all retries. */
const CONTENDED: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const LINK_INDEXES = [FROM_ONE_INDEX, TO_ONE_INDEX];

/** The error to answer; the transaction is over. `near`: where the tables of the workspace are. */
export async function explainFailure(
  db: Queryable,
  plan: WritePlan,
  error: unknown,
  near = db,
): Promise<unknown> {
  if (!isDatabaseError(error) || isPassing(error)) return explainUnplanned(db, plan.model, error);
  if (FOREIGN_KEY.has(error.code)) {
    const message = 'Other records refer to this one, or it refers to a deleted record.';
    return new ApiError('conflict', { message, cause: error });
  }
  if (error.code === TREE_REFUSED) return refusedTree(plan, error);
  if (error.code !== '23505') return explainByRevision(db, plan.model, error);
  if (LINK_INDEXES.some((name) => isConstraint(error, name))) return takenLink(plan, error);
  const found = uniqueFieldOf(plan, error);
  if (found === undefined) return explainByRevision(db, plan.model, error);
  return takenValue(near, plan, found, error).catch((late) =>
    explainByRevision(db, plan.model, late),
  );
}

/** The problems of the written values; undefined when the failure has another cause. */
export function problemsOf(error: unknown, what: 'change' | 'row'): readonly Problem[] | undefined {
  if (isRefusedByDatabase(error)) {
    return [
      { code: 'invalid_write', message: `The database refused the ${what} (${error.code}).` },
    ];
  }
  if (!(error instanceof ApiError) || error.status >= 500) return undefined;
  const { code, message, param } = error;
  const listed = error.details?.errors as readonly Problem[] | undefined;
  return listed ?? [param === undefined ? { code, message } : { code, message, param }];
}

/** A field of an object of the plan, and the object. */
interface ObjectField {
  readonly object: ObjectModel;
  readonly field: Field;
}

function uniqueFieldOf({ objects }: WritePlan, violation: Violation): ObjectField | undefined {
  for (const object of objects) {
    for (const field of object.fields.values()) {
      if (isConstraint(violation, uniqueIndex(object, field).name)) return { object, field };
    }
  }
  return undefined;
}

/** Explains a failure of a write without references and unique values. */
export async function explainUnplanned(
  db: Queryable,
  model: WorkspaceModel,
  error: unknown,
): Promise<unknown> {
  if (!isDatabaseError(error)) return error;
  if (isRevisionChanged(error)) return definitionChanged(error);
  return CONTENDED.has(error.code) ? unavailable(error) : explainByRevision(db, model, error);
}

/** Another definition is in force than the one that the write was validated by. */
export function isRevisionChanged(error: unknown): boolean {
  return isDatabaseError(error) && error.code === REVISION_CHANGED;
}

/** True for failures that do not repeat when the request is sent again. */
function isPassing(error: { readonly code?: string | undefined }): boolean {
  return isRevisionChanged(error) || CONTENDED.has(error.code);
}

/** The work item and its new parent would be in a cycle, or in a tree that is too deep (D59). */
function refusedTree(
  plan: WritePlan,
  cause: Error & { readonly detail?: string | undefined },
): ApiError {
  const { place, is_cycle } = JSON.parse(cause.detail ?? '{}');
  const write = plan.writes[place] as PlannedWrite;
  const field = write.object.fields.get(PARENT_KEY) as Field;
  const message = is_cycle
    ? 'A work item cannot be below itself.'
    : `A tree of work items has at most ${LIMITS.workItemLevels} levels.`;
  const param = `${write.prefix}${paramOf(write, field)}`;
  return errorFromProblems(
    [{ param, code: 'invalid_write', message, ...labelOf(plan, write) }],
    cause,
  );
}

/** An end of the link that holds at most one link already has one (D56). */
function takenLink(plan: WritePlan, cause: Error): ApiError {
  const links = plan.writes.filter(({ operation }) => operation.action === 'link');
  const message = 'One of the records already has a link of this kind and can have only one.';
  return conflict(plan, { cause, message, param: 'target_id', write: only(links) });
}

/** Another record has the value; it is named only to callers who may read it (D53). */
async function takenValue(
  db: Queryable,
  plan: WritePlan,
  { object, field }: ObjectField,
  cause: Error & { readonly detail?: string | undefined },
): Promise<ApiError> {
  const { model, caller } = plan;
  const message = 'Another record has this value already.';
  const text = takenText(cause);
  const taken = text === null ? null : String(equalityKeyOf(field, text));
  const writers = plan.writes.filter(
    (write) => write.object === object && (givenValue(write, field) ?? null) !== null,
  );
  const values = writers.map((write) => equalityKeyOf(field, givenValue(write, field)));
  const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
  const holders = await db.query(
    toStatement(holdersSql(model.schema, object, { field, values, taken, reach })),
  );
  const holderOf = (write: PlannedWrite) =>
    holders.find(({ id, place }) => writers[Number(place) - 1] === write && id !== write.id);
  const write =
    // The record that has the value may be the one that the upsert matched.
    writers.find((one) => one.operation.action !== 'upsert' && holderOf(one)) ??
    writers.find(holderOf) ??
    writers.find((_, index) => values.indexOf(values[index]) < index) ??
    only(writers);
  const holder = write && holderOf(write);
  const isKnown = holder?.readable === true && canReadField(caller, object, field);
  return conflict(plan, {
    cause,
    message,
    write,
    param: paramOf(write, field),
    ...(isKnown ? { existing_record_id: String(holder.id) } : {}),
  });
}

/**
 * The value in `Key (column)=(value) already exists.`, in whichever language the server says it; the column may
 * be an expression with parentheses of its own.
 */
function takenText({ detail = '' }: { readonly detail?: string | undefined }): string | null {
  return /\)=\((.*)\)/s.exec(detail)?.[1] ?? null;
}

function paramOf(write: PlannedWrite | undefined, field: Field): string {
  if (write?.link !== undefined) return 'target_id';
  return write?.match.has(field) ? `match.${field.key}` : fieldParam(field);
}

function only(writes: readonly PlannedWrite[]): PlannedWrite | undefined {
  return writes.length === 1 ? writes[0] : undefined;
}

interface Conflict {
  readonly cause: Error;
  readonly message: string;
  /** Relative to the operation. */
  readonly param: string;
  /** The operation that caused it; undefined when several could have. */
  readonly write: PlannedWrite | undefined;
  readonly existing_record_id?: string;
}

function conflict(
  plan: WritePlan,
  { cause, write, existing_record_id, ...problem }: Conflict,
): ApiError {
  const { message } = problem;
  const named = existing_record_id === undefined ? {} : { existing_record_id };
  if (plan.batch && write === undefined) return new ApiError('conflict', { message, cause });
  const param = `${write?.prefix ?? ''}${problem.param}`;
  const label = write === undefined ? {} : labelOf(plan, write);
  return errorFromProblems([{ param, code: 'conflict', message, ...label, ...named }], cause);
}

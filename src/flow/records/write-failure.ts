// The error to answer for a failed statement of a write: constraints detect what a look-up cannot exclude,
// because of concurrent writes.

import {
  ApiError,
  definitionChanged,
  errorFromProblems,
  isRefusal,
  messageOf,
  type Problem,
  unavailable,
} from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import {
  type Field,
  type ObjectModel,
  PARENT_KEY,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { canReadField, objectAccess } from '../../model/rights/access.ts';
import { equalityKeyOf } from '../../model/values/field-types.ts';
import { reachPredicate } from '../../plan/read/read-plan.ts';
import type { PlannedWrite, WritePlan } from '../../plan/write/write-operation.ts';
import { labelOf } from '../../plan/write/write-plan.ts';
import { fieldParam, givenValue } from '../../plan/write/write-validation.ts';
import { isConstraint, type Violation } from '../../postgres/constraint-name.ts';
import { isDatabaseError, isRefusedByDatabase, type Queryable } from '../../postgres/db.ts';
import { REVISION_CHANGED } from '../../sql/events/audit-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { uniqueIndex } from '../../sql/write/index-sql.ts';
import { FROM_ONE_INDEX, TO_ONE_INDEX } from '../../sql/write/link-sql.ts';
import { holdersSql } from '../../sql/write/lookup-sql.ts';
import { TREE_REFUSED } from '../../sql/write/work-item-sql.ts';
import { explainByRevision } from './changed-definition.ts';

/** Foreign key violated: by a row that is gone, or (since PostgreSQL 18) by a restricted delete. */
const FOREIGN_KEY: ReadonlySet<unknown> = new Set(['23503', '23001']);
/** Serialisation failure and deadlock, after all retries. */
const CONTENDED: ReadonlySet<unknown> = new Set(['40001', '40P01']);
/** A stored record has the value, or another operation of the request. */
export const VALUE_HELD = say('value_taken');
export const VALUE_REPEATED = say('value_taken');
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
    return new ApiError('conflict', { message: say('record_referenced'), cause: error });
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
      {
        code: 'invalid_write',
        message: say('database_refused', { what, sqlstate: String(error.code) }),
      },
    ];
  }
  if (!isRefusal(error)) return undefined;
  const { code, translatable: message = messageOf(code), param } = error;
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
    ? say('work_item_below_itself')
    : say('work_item_levels', { most: LIMITS.workItemLevels });
  const param = `${write.prefix}${paramOf(write, field)}`;
  return errorFromProblems(
    [{ param, code: 'invalid_write', message, ...labelOf(plan, write) }],
    cause,
  );
}

/** An end of the link that holds at most one link already has one (D56). */
function takenLink(plan: WritePlan, cause: Error): ApiError {
  const links = plan.writes.filter(({ operation }) => operation.action === 'link');
  const message = say('link_already_used');
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
  const message = say('value_taken');
  // The answer of an import names every row with a value of a record, so that each costs no try of its own. The records
  // that upserts match are not known here, and may be those with the values.
  const isUpsert = ({ operation }: PlannedWrite) => operation.action === 'upsert';
  const isEach = plan.batch && plan.source === 'import' && !plan.writes.some(isUpsert);
  const text = isEach ? null : takenText(cause);
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
    writers.find((one) => !isUpsert(one) && holderOf(one)) ??
    writers.find(holderOf) ??
    writers.find((_, index) => values.indexOf(values[index]) < index) ??
    only(writers);
  const holder = write && holderOf(write);
  if (isEach && write !== undefined) {
    const isRefused = (one: PlannedWrite, index: number) =>
      holder === undefined ? values.indexOf(values[index]) < index : holderOf(one) !== undefined;
    const problems = writers.filter(isRefused).map((one) => ({
      ...{ param: `${one.prefix}${paramOf(one, field)}`, code: 'conflict' as const },
      ...{ message: holder === undefined ? VALUE_REPEATED : VALUE_HELD, ...labelOf(plan, one) },
    }));
    return errorFromProblems(problems, cause);
  }
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
  readonly message: Message;
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

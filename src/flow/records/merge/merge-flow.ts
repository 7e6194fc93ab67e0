// Merges records into another one of their object (docs/design/merge.md). A merge is a request of the write path: it
// reads the records, plans an update of the one and deletes of the others, and locks and validates these like every
// write. What belongs to the others goes over in the same transaction.

import { uuidv7 } from 'uuidv7';
import { ApiError, errorFromProblems } from '../../../errors.ts';
import { LIMITS } from '../../../limits.ts';
import { say } from '../../../messages/message.ts';
import type { ObjectModel } from '../../../model/definition/model.ts';
import {
  type Caller,
  canReadField,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../../../model/rights/access.ts';
import { planGet, type ReadPlan } from '../../../plan/read/read-plan.ts';
import {
  type MergeRequest,
  mergedChange,
  mergeOperations,
  planTaken,
  replacedByMerge,
  requireFewMoved,
  type TakenFields,
  type Update,
  withCanonicalIds,
} from '../../../plan/write/merge/merge-plan.ts';
import { referrersOf } from '../../../plan/write/referrers.ts';
import { validateWrites } from '../../../plan/write/validate-write.ts';
import { parentField } from '../../../plan/write/work-items.ts';
import type { PlannedWrite, WritePlan } from '../../../plan/write/write-operation.ts';
import { planWrites } from '../../../plan/write/write-plan.ts';
import {
  type Change,
  type Counts,
  currentValue,
  type LookupResults,
} from '../../../plan/write/write-validation.ts';
import { rowWritten } from '../../../plan/write/written-rows.ts';
import { isDatabaseError, type Row, type Transaction } from '../../../postgres/db.ts';
import { rollbackOnly } from '../../../postgres/rollback-only.ts';
import { toStatement } from '../../../sql/sql.ts';
import { belowSql, countMovedSql } from '../../../sql/write/merge-sql.ts';
import type { Step } from '../effects.ts';
import type { Answer, Claim } from '../idempotency.ts';
import { type Lookup, planLookups, rowLookup } from '../lookups.ts';
import { treeLocks } from '../restore-flow.ts';
import { lookupResultsOf, runLookups } from '../run-lookups.ts';
import { explainFailure } from '../write-failure.ts';
import { effectsOf } from '../write-flow.ts';
import {
  type LookedUp,
  type PlannedRequest,
  type Validated,
  type WriteContext,
  writeAlone,
} from '../write-group.ts';

/** The record after a merge, and what went over, as far as the caller may read it. */
export interface MergedRecord {
  readonly shown: ReadPlan;
  readonly row: Row;
  /** The id of the merge. */
  readonly merge: string;
  readonly merged: readonly string[];
  /** Records that refer to it now, by object type. */
  readonly references: Counts;
}

export interface MergeOnce {
  readonly claim: Claim | undefined;
  respond(merged: MergedRecord): Answer;
}

interface Merge {
  readonly context: WriteContext;
  readonly object: ObjectModel;
  readonly request: MergeRequest;
  readonly taken: TakenFields;
}

/**
 * Merge records, once for each `Idempotency-Key`. Errors: those of an update and of deletes, but for references that
 * would prevent a delete; `conflict` when too much would go over.
 */
export function mergeRecords(
  context: WriteContext,
  object: ObjectModel,
  request: MergeRequest,
  { claim, respond }: MergeOnce,
): Promise<Answer> {
  const itself = (answer: Answer) => answer;
  const keyed = claim && { claim, answerOf: itself, resultOf: itself };
  return writeMerge(plannedMerge(context, object, request), keyed, respond);
}

/**
 * The change of the record that a merge would make. The merge is made and rolled back (D919), so its errors are those of
 * the merge.
 */
export function rehearseMerge(
  context: WriteContext,
  object: ObjectModel,
  request: MergeRequest,
): Promise<{ readonly change: Update; readonly references: Counts }> {
  const rehearsing = { ...context, db: rollbackOnly(context.db) };
  const merge = plannedMerge(rehearsing, object, request);
  return writeMerge(merge, undefined, ({ references }, change) => ({ change, references }));
}

type Respond<Result> = (merged: MergedRecord, change: Update) => Result;

function writeMerge<Result>(
  merge: Merge,
  keyed: PlannedRequest<Result>['keyed'],
  respond: Respond<Result>,
): Promise<Result> {
  const { context, object } = merge;
  let plan: WritePlan | undefined;
  return writeAlone<Result>({
    context,
    object,
    keyed,
    optimistic: undefined,
    lookups: () => firstLookups(merge),
    async validate(tx, looked) {
      const validated = await validateMerge(tx, merge, looked);
      plan = validated.plan;
      return writtenBy(merge, validated, respond);
    },
    explain: (error) => explainMerge(context, plan, error),
  });
}

/** Authorises before anything is read. */
function plannedMerge(context: WriteContext, object: ObjectModel, sent: MergeRequest): Merge {
  const { model, caller } = context;
  const request = withCanonicalIds(sent);
  planWrites(model, caller, object, mergeOperations(request, new Map(), new Map()));
  const taken = planTaken({ caller, object }, request);
  return { context, object, request, taken };
}

/** Trees are locked before any row. The rows are read without locks: what a write refers to is locked before it. */
function firstLookups({ context, object, request }: Merge): readonly Lookup[] {
  const ids = [request.id, ...request.from.map(({ id }) => id)];
  return [
    ...treeLocks({ model: context.model, object }),
    ...rowLookup(context, object, ids, 'none'),
  ];
}

interface ValidatedMerge {
  readonly plan: WritePlan;
  readonly deletes: readonly Change[];
  readonly change: Update;
  readonly references: Counts;
  /** Work items that get the record as their parent. */
  readonly children: readonly string[];
}

async function validateMerge(
  tx: Transaction,
  merge: Merge,
  read: LookedUp,
): Promise<ValidatedMerge> {
  const { context, object, request, taken } = merge;
  const { model, caller } = context;
  const { rows } = lookupResultsOf(read);
  const plan = withPlaces(planWrites(model, caller, object, mergeOperations(request, rows, taken)));
  const lookups = planLookups(plan, 'locking');
  const [answers = []] = await runLookups(tx, [lookups]);
  const lookedUp = lookupResultsOf({ lookups, answers });
  // No reference prevents a merge: it leads to the record afterwards.
  const changes = validateWrites(plan, { ...lookedUp, referring: new Map() });
  const rowOf = (id: string) => lookedUp.rows.get(id) as Row;
  requireUpdatable(merge, rowOf);
  const deletes = changes.slice(0, -1);
  const change = mergedChange({ caller, object }, changes.at(-1) as Change, {
    own: rowOf(request.id),
    others: request.from.map(({ id }) => rowOf(id)),
  });
  const ids = deletes.map(({ id }) => id);
  const children = await requireMovable(tx, merge, ids);
  return { plan, deletes, change, references: referencesOf(lookedUp), children };
}

/** Require the right to update the others, whose parts change hands. Errors: `permission_denied`. */
function requireUpdatable({ context, object, request }: Merge, rowOf: (id: string) => Row): void {
  const { update } = objectAccess(context.caller, object).reach;
  const problems = request.from.flatMap(({ id }, index) => {
    const owner = rowOf(id)[reachColumn(object)] as number | null;
    if (isWithinReach(context.caller, update, owner)) return [];
    const message = say('may_not_act', { action: 'update' });
    return [{ param: `from[${index}]`, code: 'permission_denied', message } as const];
  });
  if (problems.length > 0) throw errorFromProblems(problems);
}

/** Problems of a record to merge name it as the request does. */
function withPlaces(plan: WritePlan): WritePlan {
  const writes = plan.writes.map((write): PlannedWrite => {
    const isMerged = write.operation.action === 'delete';
    return isMerged ? { ...write, prefix: `from[${write.index}].` } : write;
  });
  return { ...plan, writes };
}

/** The records that refer to those to merge, as far as the caller may read them. */
function referencesOf({ referring }: LookupResults): Counts {
  const counts: Record<string, number> = {};
  for (const { needing, cleared } of referring.values()) {
    for (const [objectType, count] of [...Object.entries(needing), ...Object.entries(cleared)]) {
      counts[objectType] = (counts[objectType] ?? 0) + count;
    }
  }
  return counts;
}

/** Errors: `conflict`. Answers the work items below those to merge. */
async function requireMovable(
  tx: Transaction,
  { context: { model }, object }: Merge,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { schema } = model;
  const most = LIMITS.mergedParts;
  const referrers = referrersOf(model, object);
  const parent = parentField(object);
  const statements = [countMovedSql(schema, { object, ids }, referrers, most)];
  if (parent !== undefined) statements.push(belowSql(schema, object, { parent, ids, most }));
  const [counted = [], below = []] = await tx.queryAll(statements.map(toStatement));
  requireFewMoved(Number(counted[0]?.moved), most);
  return below.map(({ id }) => String(id));
}

function writtenBy<Result>(
  { context, object }: Merge,
  { plan, deletes, change, references, children }: ValidatedMerge,
  respond: Respond<Result>,
): Validated<Result> {
  const { model, caller } = context;
  const id = uuidv7();
  const base = effectsOf(context, plan, [...deletes, change]);
  const merged = deletes.map((one) => one.id);
  const placedChildren = children.filter((child) => child !== change.id);
  return {
    effects: {
      ...base,
      steps: mergeSteps({ model, object, change, merged, id }, base.steps),
      placedItems: [
        ...base.placedItems,
        ...placedChildren.map((child) => ({ id: child, place: 0 })),
      ],
    },
    predictRecords: (now) => new Map([[change.id, rowWritten(object, change, now)]]),
    respond: (records) => {
      const shown = planGet(model, caller, object, { ids: [], fields: undefined });
      const row = records.get(change.id) as Row;
      return respond({ shown, row, merge: id, merged, references }, change);
    },
  };
}

interface Merging extends Pick<WriteContext, 'model'> {
  readonly object: ObjectModel;
  readonly change: Update;
  readonly merged: readonly string[];
  readonly id: string;
}

/** One step for all records that are merged, then that of the record. All audit rows have the id of the merge. */
function mergeSteps(merging: Merging, steps: readonly Step[]): readonly Step[] {
  const { object, change, merged, id } = merging;
  const [first, update] = [steps[0], steps.at(-1)];
  if (first?.mutation.kind !== 'delete' || update === undefined)
    throw new Error('nothing to merge');
  const { actor: author, attached } = first.mutation;
  const actor = { ...author, batch_id: id };
  const cleared = referrersOf(merging.model, object);
  const mutation = {
    kind: 'merge',
    ...{ object, ids: merged, actor, attached: { ...attached, cleared } },
    merge: { id, into: change.id, replaced: replacedByMerge(change, merged) },
  } as const;
  const entries = steps.slice(0, -1).flatMap(({ audit }) => audit);
  // The deletes clear no reference of the record.
  const revision = Number(change.before.version) + 1;
  return [
    { mutation, audit: entries.map((entry) => ({ ...entry, actor, action: 'merge' })) },
    {
      ...update,
      audit: update.audit.map((entry) => ({ ...entry, actor, revision })),
      history: update.history && { ...update.history, revision },
    },
  ];
}

/** A unique reference of others, which leads to both records, has no field in the request. */
async function explainMerge(
  { db, model }: WriteContext,
  plan: WritePlan | undefined,
  error: unknown,
): Promise<unknown> {
  if (plan === undefined) return error;
  const explained = await explainFailure(db, plan, error, db.near(model.schema));
  if (explained instanceof ApiError && explained.status < 500) return explained;
  const isTaken = isDatabaseError(error) && error.code === '23505';
  return isTaken
    ? new ApiError('conflict', { message: say('record_conflicts'), cause: error })
    : explained;
}

/** The values that a merge would change, as far as the caller may read them. */
export function mergedValues({ before, set }: Update, caller: Caller, object: ObjectModel) {
  return [...set]
    .filter(([field]) => canReadField(caller, object, field))
    .map(([field, now]) => ({ field, old: currentValue(before, field), now }));
}

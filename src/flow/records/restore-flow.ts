// Restores a deleted record, in a transaction like that of every write (docs/design/trash.md). It takes three round
// trips: lock the record in the trash, look up and lock the records that it belongs to, write everything.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { primaryKeyName } from '../../model/definition/physical-names.ts';
import { canReadField } from '../../model/rights/access.ts';
import { planGet, type ReadPlan } from '../../plan/read/read-plan.ts';
import { searchChangeOf } from '../../plan/search/search-rows.ts';
import {
  type RestoreQuestion,
  type ReturningReferences,
  restoreQuestion,
  type WaitingFor,
} from '../../plan/write/restore-question.ts';
import {
  type NotRestored,
  planRestoredRecord,
  type RestoredRecordPlan,
} from '../../plan/write/restored-record.ts';
import type { TrashScope } from '../../plan/write/trash-plan.ts';
import { parentField } from '../../plan/write/work-items.ts';
import type { PlannedWrite, WritePlan } from '../../plan/write/write-operation.ts';
import {
  type Change,
  currentValue,
  fieldParam,
  recordKey,
} from '../../plan/write/write-validation.ts';
import { rowWritten } from '../../plan/write/written-rows.ts';
import { isConstraint } from '../../postgres/constraint-name.ts';
import { isDatabaseError, type Row } from '../../postgres/db.ts';
import type { Actor } from '../../sql/events/audit-sql.ts';
import type { HistoryEntry } from '../../sql/events/history-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import type { RestoredParts } from '../../sql/write/restore-sql.ts';
import { lockTreeSql } from '../../sql/write/work-item-sql.ts';
import type { Step } from './effects.ts';
import type { Answer, Claim } from './idempotency.ts';
import type { Lookup } from './lookups.ts';
import { requireTrashed, trashActor, trashEntry, trashRequest } from './read/trash-flow.ts';
import { lookUpOthers } from './restore-lookups.ts';
import { explainFailure } from './write-failure.ts';
import { type Validated, type WriteContext, writeAlone } from './write-group.ts';

/** A restored record as it is shown, and the parts that did not come back with it. */
export interface Restored {
  readonly shown: ReadPlan;
  readonly row: Row;
  readonly notRestored: NotRestored;
}

interface RestoreRequest {
  readonly scope: TrashScope;
  readonly id: string;
  readonly claim: Claim | undefined;
  respond(restored: Restored): Answer;
}

/**
 * Restore a record, once for each `Idempotency-Key`. Errors: `record_not_found`; `conflict` when another record has its
 * id or one of its unique values; `invalid_write` when a record that it requires is gone.
 */
export function restoreDeleted(
  context: WriteContext,
  { scope, id, claim, respond }: RestoreRequest,
): Promise<Answer> {
  const unchanged = (answer: Answer) => answer;
  const request = trashRequest(context, scope, id);
  let written: ReadonlyMap<Field, unknown> = new Map();
  return writeAlone<Answer>({
    ...request,
    lookups: (mode) => [...treeLocks(scope), ...request.lookups(mode)],
    keyed: claim && { claim, answerOf: unchanged, resultOf: unchanged },
    async validate(tx, looked) {
      const question = restoreQuestion(scope, requireTrashed(looked));
      written = valuesOf(scope, question);
      const found = await lookUpOthers(tx, scope, question);
      const plan = planRestoredRecord(scope, question, found);
      return validatedOf(context, { scope, plan, question, from: null }, respond);
    },
    explain: (error) => explainRestore(context, scope, [written], error),
  });
}

/** The lock of the tree of work items: it is taken before any lock of a row, as in every move within the tree. */
export function treeLocks({
  model,
  object,
}: Pick<TrashScope, 'model' | 'object'>): readonly Lookup[] {
  if (parentField(object) === undefined) return [];
  const statement = toStatement(lockTreeSql(model.schema, 'move'));
  return [{ kind: 'lock', objectType: object.object_type, statement }];
}

/** A record that comes back. */
export interface Restoring {
  readonly scope: TrashScope;
  readonly plan: RestoredRecordPlan;
  readonly question: RestoreQuestion;
  /** The record that references come back from; null: they are empty. */
  readonly from: string | null;
}

/** The step that brings it back, the change of the record, and the work items that get a parent. */
export function restoreStep({ scope, plan, question, from }: Restoring, actor: Actor) {
  const { object } = scope;
  const { id, commented } = question.record;
  const { columns, keys } = plan;
  const change: Change = { kind: 'insert', id, columns, keys };
  const parts = partsOf(plan, { id, actor, commented, from });
  const entry = trashEntry({ actor, scope }, id, 'restore');
  const revision = Number(columns.version);
  const audit = [{ ...entry, changed_fields: keys, revision }];
  const mutation = { kind: 'restore', object, row: columns, parts } as const;
  const history = historyOf(object, plan, { actor, record_id: id, revision });
  const step: Step = { mutation, audit, history };
  return { step, change, placedItems: placedItemsOf(scope, id, plan) };
}

function validatedOf(
  context: WriteContext,
  restoring: Restoring,
  respond: RestoreRequest['respond'],
): Validated<Answer> {
  const { scope, plan } = restoring;
  const { object, model, caller } = scope;
  const { step, change, placedItems } = restoreStep(restoring, trashActor(context));
  const { id } = change;
  const search = searchChangeOf(object, [change]);
  const answeredPlan = planGet(model, caller, object, { ids: [], fields: undefined });
  return {
    effects: {
      steps: [step],
      search: search === undefined ? [] : [{ ...search, object }],
      placedItems,
    },
    predictRecords: (now) => new Map([[id, rowWritten(object, change, now)]]),
    respond: (records) =>
      respond({ shown: answeredPlan, row: records.get(id) as Row, notRestored: plan.notRestored }),
  };
}

/** The history entry of a restore: the values that it replaced. It connects the revisions around the delete. */
function historyOf(
  object: ObjectModel,
  { replaced }: RestoredRecordPlan,
  change: Pick<HistoryEntry, 'actor' | 'record_id' | 'revision'>,
): HistoryEntry | undefined {
  if (object.history === null) return undefined;
  return { ...change, object, action: 'restore', ...(replaced ?? { old: {}, now: {} }) };
}

function partsOf(
  { pairs, references, waiting }: RestoredRecordPlan,
  own: Pick<RestoredParts, 'id' | 'actor' | 'commented' | 'from'>,
): RestoredParts {
  return {
    ...own,
    pairs,
    references: byFields(references),
    waiting: byPlace(waiting),
  };
}

/** References grouped by object and fields. Lists of groups grow in place, because they may be long (D406). */
function byFields(references: RestoredRecordPlan['references']): RestoredParts['references'] {
  type Own = Pick<ReturningReferences, 'object' | 'fields'> & {
    readonly records: [Referring, ...Referring[]];
  };
  const groups = new Map<string, Own>();
  for (const { object, id, before, fields } of references) {
    const key = JSON.stringify([object.object_type, ...fields.map((field) => field.key)]);
    const record = { id, revision: Number(before.version) + 1 };
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { object, fields, records: [record] });
    else known.records.push(record);
  }
  return [...groups.values()];
}

type Referring = RestoredParts['references'][number]['records'][number];

/** One entry for each record in the trash, because one statement changes a row once. */
function byPlace(waiting: RestoredRecordPlan['waiting']): RestoredParts['waiting'] {
  const groups = new Map<string, WaitingFor[]>();
  for (const one of waiting) {
    const key = recordKey(one.object, one.id);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()].map((parts) => {
    const { object, id } = parts[0] as WaitingFor;
    return {
      table_name: object.table,
      record_id: id,
      links: parts.flatMap(({ links }) => links),
      cleared: parts.flatMap(({ cleared }) => cleared),
      columns: parts.flatMap(({ columns }) => columns),
    };
  });
}

/** Work items with a parent: the record, and those that get it as their parent again. */
function placedItemsOf(
  { object }: TrashScope,
  id: string,
  { columns, references }: RestoredRecordPlan,
) {
  const parent = parentField(object);
  if (parent === undefined) return [];
  const below = references.filter(({ fields }) => fields.includes(parent));
  const own = currentValue(columns, parent) === null ? [] : [id];
  return [...own, ...below.map((reference) => reference.id)].map((item) => ({
    id: item,
    place: 0,
  }));
}

/** The values that a record comes back with. */
export function valuesOf(
  { object }: TrashScope,
  { record }: RestoreQuestion,
): ReadonlyMap<Field, unknown> {
  return new Map([...object.fields.values()].map((one) => [one, currentValue(record.row, one)]));
}

/**
 * The error to answer for a failure of the database; it names no field that the caller may not read. `written`: the
 * values of each record.
 */
export async function explainRestore(
  context: WriteContext,
  scope: TrashScope,
  written: readonly ReadonlyMap<Field, unknown>[],
  error: unknown,
): Promise<unknown> {
  const { object, caller } = scope;
  if (isDatabaseError(error) && isConstraint(error, primaryKeyName(object.table))) {
    const message = say('record_id_taken');
    return new ApiError('conflict', { param: 'record_id', message, cause: error });
  }
  const near = context.db.near(context.model.schema);
  const explained = await explainFailure(context.db, writePlanOf(scope, written), error, near);
  if (!(explained instanceof ApiError) || explained.param === undefined) return explained;
  const { code, param, cause } = explained;
  const hidden = [...object.fields.values()].find((field) => fieldParam(field) === param);
  if (hidden === undefined || canReadField(caller, object, hidden)) return explained;
  return new ApiError(code, { message: say('record_conflicts'), cause });
}

/** The restore as if a request created the records. */
function writePlanOf(
  { model, caller, object }: TrashScope,
  written: readonly ReadonlyMap<Field, unknown>[],
): WritePlan {
  const writes = written.map(
    (values, index): PlannedWrite => ({
      ...{ index, object, operation: { action: 'create', fields: {} }, prefix: '' },
      ...{ id: undefined, made: undefined, follows: false, values, match: new Map() },
      ...{ link: undefined, comment: undefined, problems: [] },
    }),
  );
  const shared = { source: 'api', batch: false, answered: undefined, kept: undefined } as const;
  const none = { approval: undefined, erasing: false, awaitsMatches: false } as const;
  return { model, caller, objects: [object], ...shared, ...none, writes };
}

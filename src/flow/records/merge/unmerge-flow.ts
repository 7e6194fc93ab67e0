// Undoes the last merge into a record, in one transaction like that of every write: the record gets its values back, and
// the others come back as by a restore from the trash (docs/design/merge.md).

import { uuidv7 } from 'uuidv7';
import { ApiError } from '../../../errors.ts';
import { say } from '../../../messages/message.ts';
import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import {
  canReadField,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../../../model/rights/access.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import { planGet } from '../../../plan/read/read-plan.ts';
import { searchChangeOf } from '../../../plan/search/search-rows.ts';
import { filesOfRecord } from '../../../plan/write/file-values.ts';
import type { Update } from '../../../plan/write/merge/merge-plan.ts';
import {
  foundAfter,
  restoreOrder,
  returningValues,
  type UndoneMerge,
  undoneMerge,
  unmergedChange,
  unmergedQuestion,
  withoutLost,
} from '../../../plan/write/merge/unmerge-plan.ts';
import { isMet, type Precondition } from '../../../plan/write/precondition.ts';
import {
  type RestoreQuestion,
  restoreQuestion,
  type TrashedLink,
} from '../../../plan/write/restore-question.ts';
import {
  type NotRestored,
  planRestoredRecord,
  type RestoredRecordPlan,
} from '../../../plan/write/restored-record.ts';
import type { TrashScope } from '../../../plan/write/trash-plan.ts';
import { parentField } from '../../../plan/write/work-items.ts';
import { rowWritten } from '../../../plan/write/written-rows.ts';
import type { Row, Transaction } from '../../../postgres/db.ts';
import { toStatement } from '../../../sql/sql.ts';
import { lockMergedSql, presentLinksSql } from '../../../sql/write/merge-sql.ts';
import { lockTrashedSql } from '../../../sql/write/trash-sql.ts';
import { assignedBy } from '../assigned-owner.ts';
import type { Step } from '../effects.ts';
import { historyOf } from '../history-entry.ts';
import type { Answer, Claim } from '../idempotency.ts';
import { rowLookup } from '../lookups.ts';
import {
  explainRestore,
  type Restoring,
  restoreStep,
  treeLocks,
  valuesOf,
} from '../restore-flow.ts';
import { lookUpOthers } from '../restore-lookups.ts';
import { lookupResultsOf } from '../run-lookups.ts';
import { actorOf } from '../write-actor.ts';
import { type LookedUp, type Validated, type WriteContext, writeAlone } from '../write-group.ts';
import type { MergedRecord } from './merge-flow.ts';

/** The record after the merge is undone, the records that came back, and what did not. */
export interface UnmergedRecord extends Pick<MergedRecord, 'shown' | 'row'> {
  readonly restored: readonly string[];
  readonly notRestored: NotRestored;
}

export interface UnmergeRequest {
  readonly scope: TrashScope;
  readonly id: string;
  /** The id of the merge; undefined: the last one. */
  readonly merge: string | undefined;
  readonly precondition: Precondition | undefined;
  readonly claim: Claim | undefined;
  respond(unmerged: UnmergedRecord): Answer;
}

/**
 * Undo the last merge, once for each `Idempotency-Key`. Errors: `record_not_found`, `permission_denied`, `stale_record`,
 * `conflict` when the merge is not the last one, for a value that was changed since, and for a unique value that another
 * record has.
 */
export function undoMerge(context: WriteContext, request: UnmergeRequest): Promise<Answer> {
  const { scope, claim } = request;
  const { model, object } = scope;
  const itself = (answer: Answer) => answer;
  const id = parseRecordId(request.id);
  let written: readonly ReadonlyMap<Field, unknown>[] = [];
  return writeAlone<Answer>({
    context,
    object,
    keyed: claim && { claim, answerOf: itself, resultOf: itself },
    optimistic: undefined,
    lookups: () =>
      id === undefined
        ? []
        : [
            ...treeLocks(scope),
            ...rowLookup(context, object, [id], 'update'),
            {
              kind: 'request',
              objectType: object.object_type,
              statement: toStatement(lockMergedSql(model.schema, object, id)),
            },
          ],
    async validate(tx, looked) {
      const before = requireRecord(request, looked);
      const place = looked.lookups.findIndex(({ kind }) => kind === 'request');
      const undone = undoneMerge(scope, looked.answers[place] ?? [], request.merge);
      const restorings = await restoringsOf(tx, scope, undone);
      const wished = unmergedChange(scope, undone, before);
      const returning = returningValues(scope, wished);
      const found = await lookUpOthers(tx, scope, returning);
      const { change, lost } = withoutLost(scope, wished, returning, found);
      written = [change.set, ...restorings.map(({ question }) => valuesOf(scope, question))];
      return validatedOf(context, request, { change, lost, undone, restorings });
    },
    explain: (error) => explainRestore(context, scope, written, error),
  });
}

/** Errors: `record_not_found`, `permission_denied`, `stale_record`. */
function requireRecord({ scope, precondition }: UnmergeRequest, looked: LookedUp): Row {
  const { caller, object } = scope;
  const [row] = lookupResultsOf(looked).rows.values();
  if (row === undefined) throw new ApiError('record_not_found', { param: 'record_id' });
  const owner = row[reachColumn(object)] as number | null;
  if (!isWithinReach(caller, objectAccess(caller, object).reach.update, owner)) {
    const message = say('may_not_act', { action: 'update' });
    throw new ApiError('permission_denied', { message });
  }
  if (!isMet(precondition, row)) throw new ApiError('stale_record');
  return row;
}

/** The records that come back, in their order. Their rows in the trash are locked. */
async function restoringsOf(
  tx: Transaction,
  scope: TrashScope,
  undone: UndoneMerge,
): Promise<readonly Restoring[]> {
  const { object } = scope;
  const { schema } = scope.model;
  const [present = [], ...rows] = await tx.queryAll(
    [
      presentLinksSql(schema, undone.links),
      ...undone.ids.map((id) => lockTrashedSql(schema, object, { id, reaches: [] })),
    ].map(toStatement),
  );
  const questions = restoreOrder(
    object,
    rows.map(([row]) =>
      unmergedQuestion(
        restoreQuestion(scope, row as Row),
        undone,
        present as unknown as readonly TrashedLink[],
      ),
    ),
  );
  const plans: RestoredRecordPlan[] = [];
  for (const question of questions) {
    const found = await lookUpOthers(tx, scope, question);
    plans.push(planRestoredRecord(scope, question, foundAfter(scope, question, found, undone)));
  }
  return withLaterReferences(scope, questions, plans).map((plan, index) => {
    const question = questions[index] as RestoreQuestion;
    return { scope, plan, question, from: undone.into };
  });
}

/** A reference to a record that comes back later is empty until then, and written with that one. */
function withLaterReferences(
  { object }: TrashScope,
  questions: readonly RestoreQuestion[],
  plans: readonly RestoredRecordPlan[],
): readonly RestoredRecordPlan[] {
  const placeOf = new Map(questions.map(({ record }, index) => [record.id, index]));
  const references = plans.map((plan) => [...plan.references]);
  const columns = plans.map((plan) => ({ ...plan.columns }));
  questions.forEach((question, index) => {
    for (const { field, target, id } of question.references) {
      const later = target === object ? (placeOf.get(id) ?? -1) : -1;
      if (later <= index) continue;
      const own = columns[index] as Record<string, unknown>;
      own[field.column] = null;
      const before = { version: own.version };
      references[later]?.push({ object, id: question.record.id, before, fields: [field] });
    }
  });
  return plans.map((plan, index) => ({
    ...plan,
    columns: columns[index] as Row,
    references: references[index] ?? [],
  }));
}

interface Unmerging {
  readonly change: Update;
  /** The fields whose values could not come back. */
  readonly lost: readonly Field[];
  readonly undone: UndoneMerge;
  readonly restorings: readonly Restoring[];
}

/** The record gets its own values back first, which frees the unique values of the others. */
function validatedOf(
  context: WriteContext,
  { scope, respond }: UnmergeRequest,
  { change, lost, undone, restorings }: Unmerging,
): Validated<Answer> {
  const { model, caller, object } = scope;
  const { before } = change;
  const actor = actorOf(context, 'api', uuidv7());
  const { into: from, ids, follows, links } = undone;
  const revision = Number(before.version) + 1;
  const entry = {
    actor,
    ...{ object_type: object.object_type, record_id: change.id, action: 'update' },
    ...{ changed_fields: change.keys, revision },
    ...(change.keys.includes(reachColumn(object))
      ? { reach_user_id: (before[reachColumn(object)] ?? null) as number | null }
      : {}),
  };
  const update: Step = {
    mutation: { kind: 'update', object, updates: [change] },
    audit: [entry],
    history: historyOf({ actor, object }, change, entry),
    assigned: assignedBy({ actor, object }, change),
  };
  const back: Step = {
    mutation: { kind: 'unmerge', object, ids, from, follows, links },
    audit: [],
  };
  const restored = restorings.map((restoring) => restoreStep(restoring, actor));
  const search = searchChangeOf(object, [change, ...restored.map((one) => one.change)]);
  return {
    effects: {
      steps: [back, update, ...restored.map(({ step }) => step)],
      search: search === undefined ? [] : [{ ...search, object }],
      placedItems: [
        ...placedByChange(object, change),
        ...restored.flatMap(({ placedItems }) => placedItems),
      ],
      files: {
        attached: restorings.flatMap(({ plan: { columns }, question: { record } }) =>
          filesOfRecord(object, record.id, columns),
        ),
        released: [],
      },
    },
    predictRecords: (now) =>
      new Map([[change.id, withOwnReferences(restorings, rowWritten(object, change, now))]]),
    respond: (records) =>
      respond({
        shown: planGet(model, caller, object, { ids: [], fields: undefined }),
        row: records.get(change.id) as Row,
        restored: ids,
        notRestored: sumOf([
          ofFields(scope, lost),
          ...restorings.map(({ plan }) => plan.notRestored),
        ]),
      }),
  };
}

/** The record, when the change gives it its former parent, which may be below it since. */
function placedByChange(object: ObjectModel, { id, set }: Update) {
  const parent = parentField(object);
  return parent === undefined || (set.get(parent) ?? null) === null ? [] : [{ id, place: 0 }];
}

/** The record with its references to records that come back. */
function withOwnReferences(restorings: readonly Restoring[], row: Row): Row {
  let left = row;
  for (const { plan, question, scope } of restorings) {
    for (const { object, id, fields } of plan.references) {
      if (object !== scope.object || id !== row.id) continue;
      const set = Object.fromEntries(fields.map(({ column }) => [column, question.record.id]));
      left = { ...left, ...set, version: Number(left.version) + 1 };
    }
  }
  return left;
}

function ofFields({ caller, object }: TrashScope, fields: readonly Field[]): NotRestored {
  const known = fields.filter((field) => canReadField(caller, object, field));
  return { links: 0, references: 0, fields: known.map(({ key }) => key) };
}

function sumOf(parts: readonly NotRestored[]): NotRestored {
  return {
    links: parts.reduce((sum, { links }) => sum + links, 0),
    references: parts.reduce((sum, { references }) => sum + references, 0),
    fields: [...new Set(parts.flatMap(({ fields }) => fields))],
  };
}

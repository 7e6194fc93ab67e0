// Every write of records: plan and authorise → write in one transaction (flow/records/write-group.ts), shared with
// other requests where possible (flow/records/read/coalesce.ts) → results. Single writes are batches of one.

import { uuidv7 } from 'uuidv7';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import { planGet, type ReadPlan } from '../../plan/read/read-plan.ts';
import { searchChangeOf } from '../../plan/search/search-rows.ts';
import { resolveMatches } from '../../plan/write/earlier-record.ts';
import { fileChangesOf } from '../../plan/write/file-values.ts';
import { clearedReferrers } from '../../plan/write/referrers.ts';
import { validateWrites } from '../../plan/write/validate-write.ts';
import { placedItemsOf } from '../../plan/write/work-items.ts';
import type {
  Kept,
  PlannedWrite,
  WritePlan,
  WriteRequest,
  WrittenObjects,
} from '../../plan/write/write-operation.ts';
import { planWrites } from '../../plan/write/write-plan.ts';
import {
  type Change,
  type Counts,
  type LookupResults,
  recordKey,
} from '../../plan/write/write-validation.ts';
import { clearedVersions, revisionsOf, rowWritten } from '../../plan/write/written-rows.ts';
import type { Queryable, Row, Transaction } from '../../postgres/db.ts';
import type { Actor, AuditEntry } from '../../sql/events/audit-sql.ts';
import { assignedBy } from './assigned-owner.ts';
import { type Mutation, newComment, type Step } from './effects.ts';
import { historyOf } from './history-entry.ts';
import type { Answer, Claim } from './idempotency.ts';
import { planLookups } from './lookups.ts';
import { NO_OPTIMISTIC_LOOKUP, optimisticLookupOf, optimisticResults } from './optimistic.ts';
import { writeTogether } from './read/coalesce.ts';
import { cachedPlan } from './read/plan-cache.ts';
import { lookupResultsOf, numberItems, runLookups } from './run-lookups.ts';
import { actorOf } from './write-actor.ts';
import { explainFailure } from './write-failure.ts';
import type {
  LookedUp,
  PlannedRequest,
  Validated,
  WriteContext,
  WriteOutcome,
} from './write-group.ts';

/** The outcome of one operation: `row` is the record as written, undefined after a delete. */
export interface WriteResult {
  readonly action: string;
  readonly object: ObjectModel;
  readonly id: string;
  /** The new comment; its time is undefined on a record that the same batch makes or changes. */
  readonly comment: { readonly id: string; readonly created_at: unknown } | undefined;
  readonly created: boolean;
  /** False when the record already had all values. */
  readonly changed: boolean;
  readonly row: Row | undefined;
  /** The values that an upsert was to keep, and has kept. */
  readonly kept: Kept | undefined;
  /** The numbers of records that lost their reference to a deleted one, as far as the caller may read them. */
  readonly cleared: Counts | undefined;
}

/** Results in the order of the operations, and the plan that says how to show their rows. */
export interface Written {
  readonly plan: ReadPlan;
  readonly results: readonly WriteResult[];
}

/** Apply all operations or none. Errors: every code of specification §4.3 and §4.4 for writes. */
export async function writeRecords(
  context: WriteContext,
  written: WrittenObjects,
  request: WriteRequest,
): Promise<Written> {
  const plan = planWrites(context.model, context.caller, written, request);
  return writeTogether(recordsRequest({ context, plan, keyed: undefined, respond }), plan);
}

const respond = (written: Written) => written;

/** A write under an `Idempotency-Key`. */
export interface OnceRequest {
  readonly claim: Claim;
  respond(written: Written): Answer;
}

/** A write as a part of a larger one, which plans it, validates it and writes its effects. */
export function plannedRequest(
  context: WriteContext,
  written: WrittenObjects,
  request: WriteRequest,
): PlannedRequest<Written> {
  const plan = planWrites(context.model, context.caller, written, request);
  return recordsRequest({ context, plan, keyed: undefined, respond });
}

/** Like `writeRecords`, once for each key: a repeated request gets the stored answer (§3, D50). */
export async function writeOnce(
  context: WriteContext,
  written: WrittenObjects,
  request: WriteRequest,
  { claim, respond: answer }: OnceRequest,
): Promise<Answer> {
  let plan: WritePlan;
  try {
    plan = planWrites(context.model, context.caller, written, request);
  } catch (error) {
    const object = (Array.isArray(written) ? written[0] : written) as ObjectModel;
    return answerAgain(context, object, claim, error);
  }
  const keyed = keyedBy(claim);
  return writeTogether(recordsRequest({ context, plan, keyed, respond: answer }), plan);
}

/**
 * The stored answer of a request that can no longer be planned: it may have been answered before. Errors: this one, when
 * it has not.
 */
export function answerAgain(
  context: WriteContext,
  object: ObjectModel,
  claim: Claim,
  error: unknown,
): Promise<Answer> {
  return writeTogether(
    refusedRequest({ context, object, keyed: keyedBy(claim) }, error),
    undefined,
  );
}

function keyedBy(claim: Claim) {
  return { claim, answerOf: (own: Answer) => own, resultOf: (own: Answer) => own };
}

interface RecordsRequest<Result> extends Pick<PlannedRequest<Result>, 'context' | 'keyed'> {
  readonly plan: WritePlan;
  respond(written: Written): Result;
}

/** Planned operations in the form that the write path takes. */
function recordsRequest<Result>(own: RecordsRequest<Result>): PlannedRequest<Result> {
  const { context, plan, keyed } = own;
  const optimistic = optimisticLookupOf(plan);
  return {
    context,
    object: firstObject(plan),
    record: plan.writes[0]?.id ?? undefined,
    keyed,
    optimistic,
    lookups: (mode) => planLookups(plan, mode, plan.awaitsMatches ? 'until matches' : 'all'),
    async validate(tx, looked) {
      const { mode } = looked;
      const lookedUp =
        mode === 'optimistic'
          ? optimisticResults(optimistic ?? NO_OPTIMISTIC_LOOKUP)
          : lookupResultsOf(looked);
      if (mode === 'locking if free' && !isHeld(plan, lookedUp)) return undefined;
      if (!plan.awaitsMatches || mode === 'optimistic') {
        return validatedOf(own, await numberItems(numbersOf(context, tx), plan, lookedUp));
      }
      const resolved = resolveMatches(plan, lookedUp.matches);
      const all = await lookUpRest(tx, resolved, looked);
      return validatedOf(
        { ...own, plan: resolved },
        await numberItems(numbersOf(context, tx), resolved, all),
      );
    },
    explain: (error) =>
      explainFailure(context.db, plan, error, context.db.near(context.model.schema)),
  };
}

/** The sequences of a workspace are beside the control schema, wherever its tables are. */
function numbersOf({ db, model }: WriteContext, tx: Transaction): Queryable {
  return db.near(model.schema) === db ? tx : db;
}

/** Look-ups that depend on the matches of upserts. */
async function lookUpRest(
  tx: Transaction,
  resolved: WritePlan,
  { lookups, answers, mode }: LookedUp,
): Promise<LookupResults> {
  const rest = planLookups(resolved, mode, 'after matches');
  const [more = []] = await runLookups(tx, [rest]);
  return lookupResultsOf({ lookups: [...lookups, ...rest], answers: [...answers, ...more] });
}

function firstObject({ objects }: WritePlan): ObjectModel {
  return objects[0] as ObjectModel;
}

/** False when a record is locked by another transaction, or does not exist. */
function isHeld({ writes }: WritePlan, lookedUp: LookupResults): boolean {
  return writes.every(({ id }) => id === undefined || lookedUp.rows.has(String(id)));
}

function refusedRequest<Result>(
  request: Pick<PlannedRequest<Result>, 'context' | 'object' | 'keyed'>,
  error: unknown,
): PlannedRequest<Result> {
  return {
    ...request,
    optimistic: undefined,
    lookups: () => [],
    validate: () => Promise.reject(error),
    explain: async (failure) => failure,
  };
}

/** Errors: those of `validateWrites`. */
function validatedOf<Result>(
  { context, plan, keyed, respond: answer }: RecordsRequest<Result>,
  lookedUp: LookupResults,
): Validated<Result> {
  const changes = validateWrites(plan, lookedUp);
  const answeredPlan = shownPlan(context, plan);
  // Batches answer only ids and versions: the database returns both for new records.
  const isAdded = ({ kind }: Change) =>
    kind === 'insert' && keyed === undefined && plan.answered?.length === 0;
  return {
    effects: {
      ...effectsOf(context, plan, changes),
      notes: context.notesOf?.(changes.map(outcomeOf)) ?? [],
    },
    predictRecords(now) {
      return new Map(
        changes.map((change, index) => {
          const { object } = plan.writes[index] as PlannedWrite;
          return [change.id, isAdded(change) ? EMPTY_ROW : rowWritten(object, change, now)];
        }),
      );
    },
    objects: plan.objects.length > 1 ? objectsOf(plan, changes) : undefined,
    respond: (records) =>
      answer({ plan: answeredPlan, results: resultsOf({ plan, changes }, records) }),
  };
}

const EMPTY_ROW: Row = Object.freeze({});

/** The object of each record, by its id. */
function objectsOf(
  { writes }: WritePlan,
  changes: readonly Change[],
): ReadonlyMap<string, ObjectModel> {
  return new Map(changes.map(({ id }, index) => [id, (writes[index] as PlannedWrite).object]));
}

function outcomeOf(change: Change): WriteOutcome {
  const { kind, id } = change;
  const kept = 'kept' in change ? change.kept : undefined;
  const isLinked = kind === 'link' || (kind === 'update' && change.action === 'link');
  return { id, created: kind === 'insert' || isLinked, changed: kind !== 'none', kept };
}

/** How the records as written are shown. */
function shownPlan(context: WriteContext, plan: WritePlan): ReadPlan {
  const { model } = context;
  const { answered: fields } = plan;
  const object = firstObject(plan);
  const question = `written ${object.object_type} ${JSON.stringify(fields ?? null)}`;
  return cachedPlan(context, question, (planner) =>
    planGet(model, planner, object, { ids: [], fields }),
  );
}

/** The effects of validated changes. */
export function effectsOf(
  context: WriteContext,
  plan: WritePlan,
  changes: readonly Change[],
): Validated<unknown>['effects'] {
  const actor = actorOf(context, plan.source, plan.batch ? uuidv7() : null);
  const revisions = revisionsOf(plan, changes);
  const steps = changes.flatMap((change, index): Step[] => {
    if (change.kind === 'none') return [];
    const { object } = plan.writes[index] as PlannedWrite;
    const origin = { model: plan.model, actor, object, erasing: plan.erasing };
    const entry = { ...entryOf(origin, change), revision: revisions[index] ?? null };
    const history = historyOf(origin, change, entry);
    const assigned = assignedBy(origin, change);
    return [{ mutation: mutationOf(origin, change), audit: [entry], history, assigned }];
  });
  const search = plan.objects.flatMap((object) => {
    const own =
      plan.objects.length === 1
        ? changes
        : changes.filter((_, index) => plan.writes[index]?.object === object);
    const change = searchChangeOf(object, own);
    return change === undefined ? [] : [{ ...change, object }];
  });
  return {
    steps,
    search,
    placedItems: placedItemsOf(plan, changes),
    files: fileChangesOf(plan, changes),
  };
}

type Effect = Exclude<Change, { kind: 'none' }>;

interface Origin {
  readonly model: WorkspaceModel;
  readonly actor: Actor;
  readonly object: ObjectModel;
  readonly erasing: boolean;
}

function entryOf({ actor, object }: Origin, change: Effect): Omit<AuditEntry, 'revision'> {
  const action = change.kind === 'insert' ? 'create' : change.kind;
  const entry = {
    actor,
    object_type: object.object_type,
    record_id: change.id,
    action: change.kind === 'update' ? change.action : action,
    changed_fields: change.keys,
  };
  if (change.kind === 'comment') return { ...entry, comment_id: change.comment.id };
  const column = reachColumn(object);
  const isGivenAway = change.kind === 'update' && change.keys.includes(column);
  if (change.kind !== 'delete' && !isGivenAway) return entry;
  const owner = change.before[column];
  return { ...entry, reach_user_id: (owner ?? null) as number | null };
}

function mutationOf({ model, actor, object, erasing }: Origin, change: Effect): Mutation {
  const { kind } = change;
  switch (kind) {
    case 'insert':
      return { kind, object, rows: [change.columns] };
    case 'update':
      return { kind, object, updates: [change] };
    case 'delete': {
      const attached = {
        cleared: clearedReferrers(model, object),
        linked: object.relationships.some(({ via }) => via.kind === 'link'),
        requested: object.gated,
        trash: erasing ? null : object.trash,
      };
      return { kind, object, ids: [change.id], actor, attached };
    }
    case 'link':
    case 'unlink':
      return { kind, pairs: [change.pair] };
    case 'comment': {
      const { id: record_id, comment, before } = change;
      const by = { author_user_id: actor.user_id, created_at: null, updated_at: null };
      const owner_id = (before[reachColumn(object)] ?? null) as number | null;
      return { kind, object, comments: [newComment({ ...comment, ...by, record_id, owner_id })] };
    }
  }
}

/** The results of the operations, from the written records by id. */
function resultsOf(
  { plan, changes }: { readonly plan: WritePlan; readonly changes: readonly Change[] },
  records: ReadonlyMap<string, Row>,
): readonly WriteResult[] {
  const versions = clearedVersions(plan, changes);
  return changes.map((change, index): WriteResult => {
    const { kind, id } = change;
    const { object, operation } = plan.writes[index] as PlannedWrite;
    const row = kind === 'delete' ? undefined : records.get(id);
    const version = versions.get(recordKey(object, id));
    return {
      action: operation.action,
      object,
      id,
      comment: kind === 'comment' ? writtenComment(change) : undefined,
      created: kind === 'insert',
      changed: kind !== 'none',
      kept: 'kept' in change ? change.kept : undefined,
      row: row === undefined || version === undefined ? row : { ...row, version },
      cleared: kind === 'delete' ? change.cleared : undefined,
    };
  });
}

function writtenComment({ comment, before }: Extract<Effect, { kind: 'comment' }>) {
  return { id: comment.id, created_at: before._now };
}

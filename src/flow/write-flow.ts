// Every write of records: plan and authorise → write in one transaction (flow/write-group.ts), shared with
// other requests where possible (flow/coalesce.ts) → results. Single writes are batches of one.

import { uuidv7 } from 'uuidv7';
import { reachColumn } from '../model/access.ts';
import type { ObjectModel } from '../model/model.ts';
import { keyOf, sessionOf } from '../model/principal.ts';
import { planGet, type ReadPlan } from '../plan/read-plan.ts';
import { clearedReferrers } from '../plan/referrers.ts';
import { searchChangeOf } from '../plan/search-rows.ts';
import { validateWrites } from '../plan/validate-write.ts';
import { placedItemsOf } from '../plan/work-items.ts';
import { type Kept, planWrites, type WritePlan, type WriteRequest } from '../plan/write-plan.ts';
import type { Change, Counts, LookupResults } from '../plan/write-validation.ts';
import { clearedVersions, rowBefore, rowWritten } from '../plan/written-rows.ts';
import type { Row } from '../postgres/db.ts';
import type { Actor, AuditEntry } from '../sql/audit-sql.ts';
import { writeTogether } from './coalesce.ts';
import type { Mutation } from './effects.ts';
import type { Answer, Claim } from './idempotency.ts';
import { NO_OPTIMISTIC_LOOKUP, optimisticLookupOf, planLookups } from './lookups.ts';
import { cachedPlan } from './plan-cache.ts';
import { lookupResultsOf, numberItems, optimisticResults } from './run-lookups.ts';
import { explainFailure } from './write-failure.ts';
import type { PlannedRequest, Validated, WriteContext, WriteOutcome } from './write-group.ts';

/** The outcome of one operation: `row` is the record as written, undefined after a delete. */
export interface WriteResult {
  readonly action: string;
  readonly id: string;
  readonly created: boolean;
  /** False when the record already had all values. */
  readonly changed: boolean;
  readonly row: Row | undefined;
  /** What an upsert was to leave, and has left. */
  readonly kept: Kept | undefined;
  /** Of a delete: records that lost their reference to it, as far as the caller may read them. */
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
  object: ObjectModel,
  request: WriteRequest,
): Promise<Written> {
  const plan = planWrites(context.model, context.caller, object, request);
  return writeTogether(recordsRequest({ context, plan, keyed: undefined, respond }), plan);
}

const respond = (written: Written) => written;

/** A write under an `Idempotency-Key`. */
export interface OnceRequest {
  readonly claim: Claim;
  respond(written: Written): Answer;
}

/** Like `writeRecords`, once for each key: a repeated request gets the stored answer (§3, D50). */
export async function writeOnce(
  context: WriteContext,
  object: ObjectModel,
  request: WriteRequest,
  { claim, respond: answer }: OnceRequest,
): Promise<Answer> {
  const keyed = { claim, answerOf: (own: Answer) => own, resultOf: (own: Answer) => own };
  let plan: WritePlan;
  try {
    plan = planWrites(context.model, context.caller, object, request);
  } catch (error) {
    // A request that can no longer be planned may have been answered before.
    return writeTogether(refusedRequest({ context, object, keyed }, error), undefined);
  }
  return writeTogether(recordsRequest({ context, plan, keyed, respond: answer }), plan);
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
    object: plan.object,
    record: plan.writes[0]?.id ?? undefined,
    keyed,
    optimistic,
    lookups: (waits) => planLookups(plan, waits),
    async validate(tx, looked) {
      const lookedUp =
        looked === undefined
          ? optimisticResults(optimistic ?? NO_OPTIMISTIC_LOOKUP)
          : lookupResultsOf(looked);
      if (looked?.waits === false && !isHeld(plan, lookedUp)) return undefined;
      return validatedOf(own, await numberItems(tx, plan, lookedUp));
    },
    explain: (error) => explainFailure(context.db, plan, error),
  };
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
  { context, plan, respond: answer }: RecordsRequest<Result>,
  lookedUp: LookupResults,
): Validated<Result> {
  const { object } = plan;
  const changes = validateWrites(plan, lookedUp);
  const shown = shownPlan(context, plan);
  return {
    effects: {
      ...effectsOf(context, plan, changes, lookedUp),
      notes: context.notesOf?.(changes.map(outcomeOf)) ?? [],
    },
    predictRecords(now) {
      const rows = changes.map((change) => rowWritten(object, change, lookedUp, now));
      return new Map(rows.flatMap((row) => (row === undefined ? [] : [[String(row.id), row]])));
    },
    respond: (records) =>
      answer({ plan: shown, results: resultsOf({ plan, lookedUp, changes }, records) }),
  };
}

function outcomeOf(change: Change): WriteOutcome {
  const { kind, id } = change;
  const kept = 'kept' in change ? change.kept : undefined;
  const isLinked = kind === 'link' || (kind === 'update' && change.action === 'link');
  return { id, created: kind === 'insert' || isLinked, changed: kind !== 'none', kept };
}

/** How the records as written are shown. */
function shownPlan(context: WriteContext, { object, answered: fields }: WritePlan): ReadPlan {
  const { model, caller } = context;
  const question = `written ${object.object_type} ${JSON.stringify(fields ?? null)}`;
  return cachedPlan(context, question, () => planGet(model, caller, object, { ids: [], fields }));
}

function effectsOf(
  context: WriteContext,
  plan: WritePlan,
  changes: readonly Change[],
  lookedUp: LookupResults,
): Validated<unknown>['effects'] {
  const { object } = plan;
  const actor = actorOf(context, plan.source, plan.batch ? uuidv7() : null);
  const effects = changes.filter((change): change is Effect => change.kind !== 'none');
  const search = searchChangeOf(object, changes, lookedUp);
  return {
    steps: effects.map((change) => ({
      mutation: mutationOf(plan, actor, change),
      audit: [entryOf({ actor, plan, lookedUp }, change)],
    })),
    search: search === undefined ? [] : [{ ...search, object }],
    placedItems: placedItemsOf(plan, changes),
  };
}

/** Who writes, for the audit rows of one request. */
export function actorOf(
  { caller, requestId }: WriteContext,
  source: Actor['source'],
  batch_id: string | null,
): Actor {
  const key = keyOf(caller.principal);
  return {
    api_key_id: key?.id ?? null,
    api_key_prefix: key?.prefix ?? null,
    session_id: sessionOf(caller.principal)?.id ?? null,
    user_id: caller.user.id,
    source,
    request_id: requestId,
    batch_id,
  };
}

type Effect = Exclude<Change, { kind: 'none' }>;

function entryOf(
  { actor, plan, lookedUp }: { actor: Actor; plan: WritePlan; lookedUp: LookupResults },
  change: Effect,
): AuditEntry {
  const { object } = plan;
  const action = change.kind === 'insert' ? 'create' : change.kind;
  const entry = {
    actor,
    object_type: object.object_type,
    record_id: change.id,
    action: change.kind === 'update' ? change.action : action,
    changed_fields: change.keys,
  };
  if (change.kind !== 'delete') return entry;
  const owner = rowBefore(change, lookedUp)?.[reachColumn(object)];
  return { ...entry, reach_user_id: (owner ?? null) as number | null };
}

function mutationOf({ model, object }: WritePlan, actor: Actor, change: Effect): Mutation {
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
        commented: object.commentable,
      };
      return { kind, object, ids: [change.id], actor, attached };
    }
    case 'link':
    case 'unlink':
      return { kind, pairs: [change.pair] };
  }
}

/** The results of the operations, from the written records by id. */
function resultsOf(
  {
    plan,
    lookedUp,
    changes,
  }: { plan: WritePlan; lookedUp: LookupResults; changes: readonly Change[] },
  records: ReadonlyMap<string, Row>,
): readonly WriteResult[] {
  const versions = clearedVersions(plan, changes, lookedUp);
  return changes.map((change, index): WriteResult => {
    const { kind, id } = change;
    const row = kind === 'delete' ? undefined : records.get(id);
    const version = versions.get(id);
    return {
      action: plan.writes[index]?.operation.action as string,
      id,
      created: kind === 'insert',
      changed: kind !== 'none',
      kept: 'kept' in change ? change.kept : undefined,
      row: row === undefined || version === undefined ? row : { ...row, version },
      cleared: kind === 'delete' ? change.cleared : undefined,
    };
  });
}

// The way of every record write, single or batch: claim the key → plan and authorise → look up and lock
// → judge → apply with audit and search rows → remember the answer → COMMIT. One transaction; a failure
// anywhere leaves nothing.

import { uuidv7 } from 'uuidv7';
import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import type { ObjectModel, WorkspaceModel } from '../model/model.ts';
import { planGet, type ReadPlan } from '../plan/read-plan.ts';
import type { Found } from '../plan/write-case.ts';
import { planWrites, type WritePlan, type WriteRequest } from '../plan/write-plan.ts';
import { judgeWrites } from '../plan/write-verdict.ts';
import { clearedVersions, rowBefore, rowWritten } from '../plan/written-rows.ts';
import type { AuditContext } from '../sql/audit-sql.ts';
import type { Sql, Statement } from '../sql/sql.ts';
import { ASSUMPTION_FAILED } from '../sql/write-sql.ts';
import { type Database, isDatabaseError, type Row } from '../store/db.ts';
import { gather } from '../store/gather.ts';
import { changeStatements, type Judged } from './change-statements.ts';
import { type Answer, answerOnce, type Claim, remember } from './idempotency.ts';
import { keepPlan } from './kept-plans.ts';
import { type Assumption, assumeFound, lookUp, numberItems } from './lookups.ts';
import { explainFailure } from './write-failure.ts';

/** Who writes, through what. */
export interface WriteContext {
  readonly db: Database;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly requestId: string | null;
}

/** The outcome of one operation: `row` is the record as written, undefined after a delete. */
export interface WriteResult {
  readonly action: string;
  readonly id: string;
  readonly created: boolean;
  /** False when everything was as asked for already. */
  readonly changed: boolean;
  readonly row: Row | undefined;
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
  const { db, model, caller } = context;
  const plan = planWrites(model, caller, object, request);
  try {
    const written = await (isSingleCreate(plan) ? createTogether : writeAtOnce)(context, plan);
    if (written !== undefined) return written;
    return await db.transaction(async (tx) => {
      const judged = judge(context, plan, await lookUp(tx, plan));
      return writtenOf(judged, await tx.finish(statementsOf(context, judged)));
    });
  } catch (error) {
    throw await explainFailure(db, plan, error);
  }
}

/** A write under an `Idempotency-Key`: `respond` is asked for the answer before it is sent. */
export interface OnceRequest {
  readonly claim: Claim;
  respond(written: Written): Answer;
}

/** Like `writeRecords`, once for each key: a repeated request gets the stored answer (§3, D50). */
export async function writeOnce(
  context: WriteContext,
  object: ObjectModel,
  request: WriteRequest,
  { claim, respond }: OnceRequest,
): Promise<Answer> {
  const { db, model, caller } = context;
  const asked = { model, caller, object, claim };
  let plan: WritePlan | undefined;
  let assumption: Assumption | undefined;
  const attempt = (assume: boolean) =>
    answerOnce(db, asked, async (tx, now) => {
      plan = planWrites(model, caller, object, request);
      assumption = assume ? assumeFound(plan) : undefined;
      const found = await (assumption === undefined
        ? lookUp(tx, plan)
        : numberItems(tx, plan, assumption.found));
      const judged = { ...judge(context, plan, found), assumed: assumption?.condition };
      const foreseen = foresee(judged, now);
      const answer = respond(resultsOf(judged, foreseen));
      const statements = statementsOf(context, judged, remember(asked, answer, foreseen));
      return respond(writtenOf(judged, await tx.finish(statements)));
    });
  try {
    return await attempt(true).catch((error: unknown) => {
      if (!isUnfounded(error, assumption)) throw error;
      return attempt(false);
    });
  } catch (error) {
    throw plan === undefined ? error : await explainFailure(db, plan, error);
  }
}

function judge({ model, caller }: WriteContext, plan: WritePlan, found: Found): Judged {
  const shown = planGet(model, caller, plan.object, { ids: [], fields: plan.answered });
  return { plan, shown, found, changes: judgeWrites(plan, found) };
}

/**
 * Creates in one statement that is its own transaction: one round trip. Undefined when the operations
 * must be looked up first: others than creates, or creates that refer to what is not there.
 */
async function writeAtOnce(
  context: WriteContext,
  plan: WritePlan,
  requestIds: readonly WriteContext['requestId'][] = [],
): Promise<Written | undefined> {
  const assumption = assumeFound(plan);
  if (assumption === undefined) return undefined;
  const { condition: assumed } = assumption;
  try {
    const found = await numberItems(context.db, plan, assumption.found);
    const judged = judge(context, plan, found);
    const requests = judged.changes.map(({ id }, index) => [id, requestIds[index]] as const);
    const statements = statementsOf(context, { ...judged, assumed, requests: new Map(requests) });
    const answers = statements.map((statement) => context.db.query(statement));
    return writtenOf(judged, await Promise.all(answers));
  } catch (error) {
    if (isUnfounded(error, assumption)) return undefined;
    throw error;
  }
}

interface Create {
  readonly context: WriteContext;
  readonly plan: WritePlan;
}

/** Two, so that PostgreSQL and this process need not wait for each other. */
const CREATES_AT_ONCE = 2;
/** Whoever waits for one waits for all of them. */
const MOST_CREATES = 20;
/** Milliseconds; far more than it takes when nothing is wrong. */
const CREATE_OVERDUE = 50;

function isSingleCreate({ batch, writes }: WritePlan): boolean {
  return !batch && writes.length === 1 && writes[0]?.operation.action === 'create';
}

/** Creates that a caller sends at the same time make one statement (docs/decisions.md, D138). */
async function createTogether(
  context: WriteContext,
  plan: WritePlan,
): Promise<Written | undefined> {
  const { object, source, answered } = plan;
  const question = `create ${object.object_type} ${source} ${JSON.stringify(answered ?? null)}`;
  const options = { atOnce: CREATES_AT_ONCE, most: MOST_CREATES, overdue: CREATE_OVERDUE };
  const create = keepPlan(context, question, () => gather(runCreates, options));
  const outcome = await create({ context, plan });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** All of them or, when anything is wrong with one, each on its own: nobody fails for another. */
async function runCreates(
  creates: readonly Create[],
): Promise<readonly PromiseSettledResult<Written | undefined>[]> {
  const merged = creates.length === 1 ? undefined : await writeMerged(creates);
  if (merged === undefined) {
    return Promise.allSettled(creates.map(({ context, plan }) => writeAtOnce(context, plan)));
  }
  const { plan, results } = merged;
  return results.map((result) => ({ status: 'fulfilled', value: { plan, results: [result] } }));
}

/** Undefined when it failed and left nothing; other failures say nothing about any of them. */
async function writeMerged(creates: readonly Create[]): Promise<Written | undefined> {
  const [{ context, plan }] = creates as readonly [Create];
  const writes = creates.flatMap((one) => one.plan.writes);
  const requestIds = creates.map((one) => one.context.requestId);
  try {
    const merged = { ...plan, writes: writes.map((write, index) => ({ ...write, index })) };
    return await writeAtOnce(context, merged, requestIds);
  } catch (error) {
    const isRefusal = error instanceof ApiError ? error.status < 500 : isDatabaseError(error);
    if (isRefusal) return undefined;
    throw error;
  }
}

/** True when a write on an assumption has to look first, to succeed or to tell all that is wrong. */
function isUnfounded(error: unknown, assumption: Assumption | undefined): boolean {
  if (assumption?.condition === undefined) return false;
  if (isDatabaseError(error)) return error.code === ASSUMPTION_FAILED;
  return error instanceof ApiError && error.status < 500;
}

function statementsOf(
  context: WriteContext,
  judged: Judged,
  remembered?: Sql,
): readonly Statement[] {
  return changeStatements(judged, auditOf(context, judged.plan), remembered);
}

/** Whose change it is, for the audit rows. */
export function auditOf({ model, caller, requestId }: WriteContext, plan: WritePlan): AuditContext {
  return {
    schema: model.schema,
    revision: model.revision,
    api_key_id: caller.key?.id ?? null,
    api_key_prefix: caller.key?.prefix ?? null,
    user_id: caller.user.id,
    object_type: plan.object.object_type,
    source: plan.source,
    request_id: requestId,
    batch_id: plan.batch ? uuidv7() : null,
  };
}

function writtenOf(judged: Judged, answers: readonly (readonly Row[])[]): Written {
  return resultsOf(judged, new Map(answers.flat().map((row) => [String(row.id), row])));
}

/** The records as they will be, told before they are written, so that the answer can be stored. */
function foresee({ plan, found, changes }: Judged, now: string): ReadonlyMap<string, Row> {
  return new Map(
    changes.flatMap((change) => {
      const row = rowWritten(plan.object, change, found, now);
      return row === undefined ? [] : [[change.id, row] as const];
    }),
  );
}

function resultsOf(
  { plan, shown, found, changes }: Judged,
  written: ReadonlyMap<string, Row>,
): Written {
  const versions = clearedVersions(plan, changes, found);
  const results = changes.map((change, index): WriteResult => {
    const { kind, id } = change;
    const isWritten = kind === 'insert' || kind === 'update';
    const known = isWritten ? written.get(id) : rowBefore(change, found);
    const version = versions.get(id) ?? known?.version;
    return {
      action: plan.writes[index]?.operation.action as string,
      id,
      created: kind === 'insert',
      changed: kind !== 'none' && written.has(id),
      row: kind === 'delete' || known === undefined ? undefined : { ...known, version },
    };
  });
  return { plan: shown, results };
}

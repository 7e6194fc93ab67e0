// The way of every record write without a key, single or batch: plan and authorise → look up and lock →
// judge → apply with audit and search rows → COMMIT. One transaction; a failure anywhere leaves nothing.
// Under a key it is flow/write-once.ts.

import type { Field, ObjectModel } from '../model/model.ts';
import {
  type PlannedWrite,
  planWrites,
  type WritePlan,
  type WriteRequest,
} from '../plan/write-plan.ts';
import type { Row } from '../store/db.ts';
import type { Judged } from './change-statements.ts';
import { assumeFound, lookUp, lookUpFree } from './lookups.ts';
import { explainFailure } from './write-failure.ts';
import {
  isSingle,
  isUnfounded,
  judge,
  judgeAssumed,
  judgeCreates,
  kindOf,
  mergePlans,
  type PlannedRequest,
  resultsOf,
  rowsById,
  statementsOf,
  type WriteContext,
  type Written,
} from './write-steps.ts';
import { fulfilled, type Outcome, settle, type Ways, writeTogether } from './write-together.ts';

/** Apply all operations or none. Errors: every code of specification §4.3 and §4.4 for writes. */
export async function writeRecords(
  context: WriteContext,
  object: ObjectModel,
  request: WriteRequest,
): Promise<Written> {
  const { db, model, caller } = context;
  const plan = planWrites(model, caller, object, request);
  const ways = waysOf(plan);
  try {
    if (ways === undefined) return await writeAlone({ context, plan });
    return await writeTogether(context, kindOf(plan), ways, { context, plan });
  } catch (error) {
    throw await explainFailure(db, plan, error);
  }
}

async function writeAlone({ context, plan }: PlannedRequest): Promise<Written> {
  const written = await writeAtOnce({ context, plan });
  if (written !== undefined) return written;
  return context.db.transaction(async (tx) => {
    const judged = judge(context, plan, await lookUp(tx, plan));
    return resultsOf(judged, rowsById(await tx.finish(statementsOf(context, judged))));
  });
}

/**
 * Creates in one statement that is its own transaction: one round trip. Undefined when the operations
 * must be looked up first: others than creates, or creates that refer to what is not there.
 */
async function writeAtOnce({ context, plan }: PlannedRequest): Promise<Written | undefined> {
  const assumption = assumeFound(plan);
  if (assumption === undefined) return undefined;
  try {
    const judged = await judgeAssumed(context.db, { context, plan }, assumption);
    return resultsOf(judged, await sendAll(context, judged));
  } catch (error) {
    if (isUnfounded(error, assumption)) return undefined;
    throw error;
  }
}

async function sendAll(context: WriteContext, judged: Judged): Promise<ReadonlyMap<string, Row>> {
  const statements = statementsOf(context, judged);
  return rowsById(await Promise.all(statements.map((statement) => context.db.query(statement))));
}

const CREATES: Ways<PlannedRequest, Written> = { together: createTogether, alone: writeAlone };
const UPDATES: Ways<PlannedRequest, Written> = {
  together: updateTogether,
  alone: writeAlone,
  named: ({ plan }) => String(plan.writes[0]?.id),
};

/** How it goes together with others of its kind; undefined when it does not. */
function waysOf(plan: WritePlan): Ways<PlannedRequest, Written> | undefined {
  if (isSingle(plan, 'create')) return CREATES;
  if (!isSingle(plan, 'update')) return undefined;
  const [{ id, values }] = plan.writes as readonly [PlannedWrite];
  return id === null || [...values].some(mayWait) ? undefined : UPDATES;
}

/** True for what may have to wait for other people's writes while the record is locked. */
function mayWait([{ unique, type }, value]: readonly [Field, unknown]): boolean {
  return value !== null && (unique || type === 'reference');
}

/** All of them in one statement. */
async function createTogether(
  creates: readonly PlannedRequest[],
): Promise<readonly Outcome<Written>[]> {
  const { context } = mergePlans(creates);
  const { judged, shares } = await judgeCreates(context.db, creates);
  const rows = await sendAll(context, judged);
  return shares.map((share) => fulfilled(resultsOf(share, rows)));
}

/**
 * Updates of different records, each judged on its own. It waits for no lock, and so holds up nobody
 * and cannot end in a deadlock: a record that somebody else holds, or that is not there, is left out.
 */
async function updateTogether(
  updates: readonly PlannedRequest[],
): Promise<readonly Outcome<Written>[]> {
  const { context, plan } = mergePlans(updates);
  return context.db.transaction(async (tx) => {
    const found = await lookUpFree(tx, plan);
    const verdicts = updates.map((one) => {
      const isFound = found.rows.has(String(one.plan.writes[0]?.id));
      return isFound ? settle(() => judge(one.context, one.plan, found)) : undefined;
    });
    const statements = updates.flatMap((one, index) => {
      const verdict = verdicts[index];
      return verdict?.status === 'fulfilled' ? statementsOf(one.context, verdict.value) : [];
    });
    const rows = rowsById(await tx.finish(statements));
    return verdicts.map((verdict) =>
      verdict?.status === 'fulfilled' ? fulfilled(resultsOf(verdict.value, rows)) : verdict,
    );
  });
}

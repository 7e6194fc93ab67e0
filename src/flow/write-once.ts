// Record writes under an `Idempotency-Key`: claim the key → plan → look up and judge → apply with audit
// and search rows → store the answer → COMMIT. One transaction; a failure anywhere leaves nothing.

import type { ObjectModel } from '../model/model.ts';
import { planWrites, type WritePlan, type WriteRequest } from '../plan/write-plan.ts';
import type { Judged } from './change-statements.ts';
import {
  type Answer,
  type Asked,
  answerOnce,
  type Claim,
  claimFresh,
  remember,
} from './idempotency.ts';
import { type Assumption, assumeFound, lookUp } from './lookups.ts';
import { explainFailure } from './write-failure.ts';
import {
  foresee,
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
import { fulfilled, type Outcome, type Ways, writeTogether } from './write-together.ts';

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
  once: OnceRequest,
): Promise<Answer> {
  const { model, caller } = context;
  const asked = { model, caller, object, claim: once.claim };
  const plan = planCreate(asked, request);
  const keyed = { context, request, asked, respond: once.respond };
  if (plan === undefined) return answerAlone({ ...keyed, plan });
  return writeTogether(context, `keyed ${kindOf(plan)}`, CREATES, { ...keyed, plan });
}

interface KeyedRequest {
  readonly context: WriteContext;
  readonly request: WriteRequest;
  readonly asked: Asked;
  /** Undefined until the key is held. */
  readonly plan: WritePlan | undefined;
  respond(written: Written): Answer;
}

type KeyedCreate = KeyedRequest & PlannedRequest;

const CREATES: Ways<KeyedCreate, Answer> = { together: createTogether, alone: answerAlone };

/** Of a create that can go together with others. A broken one is refused only when its key is free. */
function planCreate(asked: Asked, request: WriteRequest): WritePlan | undefined {
  if (request.batch || request.operations[0]?.action !== 'create') return undefined;
  try {
    const plan = planWrites(asked.model, asked.caller, asked.object, request);
    return isSingle(plan, 'create') ? plan : undefined;
  } catch {
    return undefined;
  }
}

async function answerAlone(keyed: KeyedRequest): Promise<Answer> {
  const { context, request, asked, respond } = keyed;
  const { db, model, caller } = context;
  let { plan } = keyed;
  let assumption: Assumption | undefined;
  const attempt = (assume: boolean) =>
    answerOnce(db, asked, async (tx, now) => {
      plan ??= planWrites(model, caller, asked.object, request);
      assumption = assume ? assumeFound(plan) : undefined;
      const judged =
        assumption === undefined
          ? judge(context, plan, await lookUp(tx, plan))
          : await judgeAssumed(tx, { context, plan }, assumption);
      const remembered = remember([foreseenAnswer({ asked, respond }, judged, now)]);
      const answers = await tx.finish(statementsOf(context, judged, remembered));
      return respond(resultsOf(judged, rowsById(answers)));
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

/** The answer as it will be sent, with the records it is about. */
function foreseenAnswer(
  { asked, respond }: Pick<KeyedRequest, 'asked' | 'respond'>,
  judged: Judged,
  now: string,
) {
  const records = foresee(judged, now);
  return { asked, answer: respond(resultsOf(judged, records)), records };
}

/** Those whose keys are free, in one transaction with all their answers. */
async function createTogether(
  creates: readonly KeyedCreate[],
): Promise<readonly Outcome<Answer>[]> {
  const { context } = mergePlans(creates);
  return context.db.transaction(async (tx) => {
    const { fresh, now } = await claimFresh(tx, creates);
    if (fresh.length === 0) return creates.map(() => undefined);
    const { judged, shares } = await judgeCreates(tx, fresh);
    const mine = fresh.map((create, index) => ({ create, share: shares[index] as Judged }));
    const stored = mine.map(({ create, share }) => foreseenAnswer(create, share, now));
    const rows = rowsById(await tx.finish(statementsOf(context, judged, remember(stored))));
    const answers = new Map(
      mine.map(({ create, share }) => [create, create.respond(resultsOf(share, rows))] as const),
    );
    return creates.map((create) => {
      const answer = answers.get(create);
      return answer && fulfilled(answer);
    });
  });
}

// Requests that change something other than records, once for each `Idempotency-Key` (D268): the key is claimed,
// the change made and the answer stored in one transaction, as for records (flow/records/write-group.ts).

import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import type { Database, Row, Transaction } from '../../postgres/db.ts';
import { toStatement } from '../../sql/sql.ts';
import { storeAnswersSql } from '../../sql/write/idempotency-sql.ts';
import {
  type Answer,
  answerToStore,
  type Claim,
  type Claimant,
  claimKeys,
  deleteExpiredAnswer,
  findReplay,
  isAnswerStored,
} from './idempotency.ts';

export interface Asking {
  readonly db: Database;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly claim: Claim | undefined;
}

/**
 * The answer of `work`, or the one that is stored under the key. The caller's permission is checked before, so that
 * the check applies to a stored answer too; `work` checks all conditions that can change over time. Errors: those of
 * `work` and of the key.
 */
export async function answerOnce(
  { db, model, caller, claim }: Asking,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  if (claim === undefined) return db.transaction(work);
  const claimant = { model, caller, object: undefined, claim };
  const attempt = () => db.transaction((tx) => answerUnderKey(tx, claimant, work));
  try {
    return await attempt();
  } catch (error) {
    if (!isAnswerStored(error)) throw error;
    await deleteExpiredAnswer(db, claimant);
    return attempt();
  }
}

async function answerUnderKey(
  tx: Transaction,
  claimant: Claimant,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const [claimed] = await claimKeys(tx, [claimant]);
  if (claimed?.claimed !== true) return findReplay(tx, claimant, claimed as Row);
  const answer = await work(tx);
  const stored = answerToStore(claimant, answer, { records: new Map() });
  await tx.query(toStatement(storeAnswersSql(claimant.model.schema, [stored])));
  return answer;
}

// Validates a comment: the mentioned people (specification §4.5). Pure.

import { uuidv7 } from 'uuidv7';
import { reachColumn } from '../../model/rights/access.ts';
import type { Row } from '../../model/values/row.ts';
import { notifiedBy, UNKNOWN_MENTION } from '../events/comment-plan.ts';
import type { PlannedText } from './write-operation.ts';
import { type Change, report, type WriteValidation } from './write-validation.ts';

/** The users to notify are those who may read the record as the earlier operations leave it. */
export function validateComment(one: WriteValidation, row: Row): Change | undefined {
  const { plan, lookedUp, write } = one;
  const { object } = write;
  const { body, mentioned } = write.comment as PlannedText;
  const owner_id = (row[reachColumn(object)] ?? null) as number | null;
  const people = lookedUp.mentioned;
  const notified = notifiedBy(plan.model, { object, owner_id, mentioned, people });
  if (notified === undefined) {
    const param = 'mention_user_ids';
    report(one, 'rules', { code: 'validation_failed', param, message: UNKNOWN_MENTION });
    return undefined;
  }
  const comment = { id: uuidv7(), body, notified };
  return { kind: 'comment', id: String(row.id), before: row, comment, keys: ['comments'] };
}

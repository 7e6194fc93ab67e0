// Following records: a person who follows one is notified of its comments. One statement each.

import { errorFromProblems, recordNotFound } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { planRecord } from '../../plan/events/comment-plan.ts';
import { followingSql, followSql, unfollowSql } from '../../sql/events/follow-sql.ts';
import { type Sql, toStatement } from '../../sql/sql.ts';
import { ask, type ReadContext } from '../records/read/read-statement.ts';

/** True when the caller follows the record; `id` as the client sent it. Errors: `record_not_found`. */
export function isFollowing(
  context: ReadContext,
  object: ObjectModel,
  id: string,
): Promise<boolean> {
  const { model, caller } = context;
  return followingOf(context, followingSql(planRecord(model, caller, object, id), caller.user.id));
}

/** Errors: `record_not_found`, `conflict` when too many people follow it. */
export async function follow(
  context: ReadContext,
  object: ObjectModel,
  id: string,
): Promise<boolean> {
  const { model, caller } = context;
  const source = planRecord(model, caller, object, id);
  const most = LIMITS.followersOfRecord;
  const following = await followingOf(context, followSql(source, caller.user.id, most));
  if (following) return true;
  const message = say('too_many_followers', { most });
  throw errorFromProblems([{ param: 'record_id', code: 'conflict', message }]);
}

/** Errors: `record_not_found`. */
export function unfollow(context: ReadContext, object: ObjectModel, id: string): Promise<boolean> {
  const { model, caller } = context;
  return followingOf(context, unfollowSql(planRecord(model, caller, object, id), caller.user.id));
}

async function followingOf(context: ReadContext, statement: Sql): Promise<boolean> {
  const [row] = await ask(context, toStatement(statement));
  if (row === undefined) throw recordNotFound();
  return row.following === true;
}

// Limits failed sign-ins, by account and by address (docs/decisions.md, D215).

import { countAttempt, uncountAttempt } from '../../control/people/sign-in-attempts.ts';
import { ApiError, isRefusal } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import { networkOf } from '../../model/rights/network.ts';
import type { Queryable } from '../../postgres/db.ts';
import type { Attempt } from './open-session.ts';

/**
 * Check an attempt that is counted before, by its address and then by its account. An attempt that could not be
 * checked, because the service is busy or a part of it does not answer, does not count. Errors: `rate_limited`, those
 * of `judge`.
 */
export async function judgeAttempt<Result>(
  db: Queryable,
  { account, address }: { readonly account?: string; readonly address: string },
  judge: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const attempt = {
    account: account === undefined ? undefined : hashOf(`account ${account}`),
    address: hashOf(`address ${networkOf(address)}`),
  };
  const counted = await requireCounted(db, attempt);
  try {
    return await judge(attempt);
  } catch (error) {
    if (!isRefusal(error)) await uncountAttempt(db, counted).catch(() => undefined);
    throw error;
  }
}

/**
 * A refused attempt does not count for the account (D399): an address cannot lock accounts once it has had its share.
 */
async function requireCounted(
  db: Queryable,
  { account, address }: Attempt,
): Promise<readonly Buffer[]> {
  const counted: Buffer[] = [];
  for (const subject of account === undefined ? [address] : [address, account]) {
    const seconds = await countAttempt(db, subject);
    if (seconds > 0) {
      await uncountAttempt(db, counted);
      throw new ApiError('rate_limited', {
        message: say('too_many_sign_ins'),
        headers: { 'Retry-After': String(seconds) },
      });
    }
    counted.push(subject);
  }
  return counted;
}

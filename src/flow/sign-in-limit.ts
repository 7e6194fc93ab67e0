// How often signing in may fail, by account and by address (docs/decisions.md, D215).

import { countAttempt } from '../control/sign-in-attempts.ts';
import { ApiError } from '../errors.ts';
import { hashOf } from '../model/api-key-form.ts';
import { networkOf } from '../model/network.ts';
import type { Queryable } from '../postgres/db.ts';
import type { Attempt } from './open-session.ts';

/** Count an attempt before it is judged. Errors: `rate_limited`. */
export async function requireAttempt(
  db: Queryable,
  { account, address }: { readonly account?: string; readonly address: string },
): Promise<Attempt> {
  const attempt = {
    account: account === undefined ? undefined : hashOf(`account ${account}`),
    address: hashOf(`address ${networkOf(address)}`),
  };
  const subjects = [attempt.address, ...(attempt.account === undefined ? [] : [attempt.account])];
  const seconds = await countAttempt(db, subjects);
  if (seconds === 0) return attempt;
  throw new ApiError('rate_limited', {
    message: 'Too many attempts to sign in have failed. Try again later.',
    headers: { 'Retry-After': String(seconds) },
  });
}

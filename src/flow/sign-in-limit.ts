// How often signing in may fail, by account and by address (docs/decisions.md, D215).

import { isIPv6 } from 'node:net';
import { countAttempt } from '../control/sign-in-attempts.ts';
import { ApiError } from '../errors.ts';
import { hashOf } from '../model/api-key-form.ts';
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

/** One person has all addresses of a network of IPv6, which is told by the first half of them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // `URL` writes an address in one way only.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4).join(':');
}

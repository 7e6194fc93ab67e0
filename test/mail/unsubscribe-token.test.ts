// The token of a link that ends mails names one person, and only its workspace can make it.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  isUnsubscribeToken,
  makeUnsubscribeToken,
  readSubscriber,
} from '../../src/model/rights/unsubscribe-token.ts';

const secret = randomBytes(32);
const subscriber = { workspace_id: 3, user_id: 17 };

test('it is read again, and valid with the secret of its workspace only', () => {
  const token = makeUnsubscribeToken(secret, subscriber);
  expect(readSubscriber(token)).toEqual(subscriber);
  expect(isUnsubscribeToken(secret, token)).toBe(true);
  expect(isUnsubscribeToken(randomBytes(32), token)).toBe(false);
});

test('another person, another workspace and any other text are refused', () => {
  const token = makeUnsubscribeToken(secret, subscriber);
  const [, , signature] = token.split('.');
  for (const forged of [
    ...[`3.18.${signature}`, `4.17.${signature}`, `3.17.${signature}x`, `3.17.`, '', 'x'],
    ...[`03.17.${signature?.slice(1)}`, `3.17.${'A'.repeat(43)}`],
  ]) {
    expect(isUnsubscribeToken(secret, forged), forged).toBe(false);
  }
});

test('ids that the database cannot have name nobody', () => {
  const most = 2_147_483_647;
  const tokenOf = (workspace_id: number, user_id: number) =>
    makeUnsubscribeToken(secret, { workspace_id, user_id });
  expect(readSubscriber(tokenOf(most, most))).toEqual({ workspace_id: most, user_id: most });
  expect(readSubscriber(tokenOf(most + 1, 1))).toBeUndefined();
  expect(readSubscriber(tokenOf(1, most + 1))).toBeUndefined();
  expect(readSubscriber(tokenOf(9_999_999_999, 1))).toBeUndefined();
});

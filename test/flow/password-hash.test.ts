// Passwords by scrypt: the stored text, the comparison, and the number at once.

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openPasswordHasher } from '../../src/flow/people/password-hash.ts';
import { requireGoodPassword } from '../../src/flow/people/password-rules.ts';

test('by default it takes 2^15 by 8 by 3, and a salt of its own each time', async () => {
  const hasher = openPasswordHasher();
  const [one, other] = [await hasher.make('the same'), await hasher.make('the same')];
  expect(one.parameters).toEqual({ N: 2 ** 15, r: 8, p: 3 });
  expect([one.hash.length, one.salt.length]).toEqual([32, 16]);
  expect(one.hash.equals(other.hash)).toBe(false);
  expect(await hasher.matches('the same', one)).toBe(true);
  expect(await hasher.matches('another', one)).toBe(false);
  expect(await hasher.matches('the same', undefined)).toBe(false);
  expect(hasher.isOutdated(one)).toBe(false);
  const stronger = openPasswordHasher({ parameters: { N: 2 ** 15, r: 8, p: 4 } });
  expect(stronger.isOutdated(one)).toBe(true);
});

test('one that is typed in another form of the same characters is the same', async () => {
  const hasher = openPasswordHasher({ parameters: { N: 2 ** 4, r: 1, p: 1 } });
  const made = await hasher.make('Caf\u00e9 \ufb01ne 12');
  for (const typed of ['Cafe\u0301 fine 12', 'Caf\u00e9 fine \uff11\uff12']) {
    expect(await hasher.matches(typed, made)).toBe(true);
  }
  expect(await hasher.matches('Cafe fine 12', made)).toBe(false);
});

test('two are computed at once, some wait in their order, the rest is refused for now', async () => {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const hasher = openPasswordHasher({
    waiting: 3,
    async compute() {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return Buffer.alloc(32);
    },
  });
  const done: number[] = [];
  const asked = Array.from({ length: 7 }, (_, index) =>
    hasher.make('x').then(
      () => void done.push(index),
      (error: { code?: string }) => error.code,
    ),
  );
  const codes = await Promise.all(asked.slice(5));
  expect(codes).toEqual(['service_unavailable', 'service_unavailable']);
  while (done.length < 5) {
    ends.shift()?.();
    await turn();
  }
  expect([done, most]).toEqual([[0, 1, 2, 3, 4], 2]);
});

describe('a password', () => {
  const isGood = (password: string, email: string | null = 'ann.smith.long@example.com') => {
    try {
      requireGoodPassword(password, email);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'validation_failed', param: 'password' });
      return false;
    }
  };

  test.each([
    ['x'.repeat(11), false],
    ['twelve chars', true],
    [`${'x'.repeat(199)}y`, true],
    [`${'x'.repeat(200)}y`, false],
    ['é'.repeat(12).normalize('NFD'), true],
    ['é'.repeat(11).normalize('NFD'), false],
    ['ann.smith.long@example.com', false],
    ['Ann.Smith.Long', false],
    ['1qaz2wsx3edc', false],
    ['QwertyQwerty', false],
    ['motherfucker', false],
    ['correct horse battery staple', true],
    ['#! a shebang of one', true],
  ])('%j: %s', (password, good) => {
    expect(isGood(password)).toBe(good);
  });

  test('of somebody without an address is looked at as well', () => {
    expect(isGood('qwertyqwerty', null)).toBe(false);
    expect(isGood('a long good one', null)).toBe(true);
  });
});

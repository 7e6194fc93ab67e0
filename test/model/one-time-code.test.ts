// One-time codes against the vectors of RFC 6238 and `oathtool`, and the form of recovery codes.

import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  codeAt,
  codeUri,
  makeCodeSecret,
  makeRecoveryCodes,
  recoveryHash,
  stepOfCode,
} from '../../src/model/rights/one-time-code.ts';

/** "12345678901234567890" in base32, the secret of the RFC. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  // RFC 6238 appendix B, the last six of eight digits.
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at second %d is %s', (second, code) => {
  expect(codeAt(SECRET, Math.floor(second / 30))).toBe(code);
});

const isInstalled = spawnSync('oathtool', ['--version']).status === 0;

test.skipIf(!isInstalled)('codes are those of oathtool', () => {
  for (let round = 0; round < 20; round += 1) {
    const [secret, second] = [makeCodeSecret(), Math.floor(Math.random() * 4_000_000_000)];
    const args = ['--totp', '--base32', '--now', `@${second}`, secret];
    const code = execFileSync('oathtool', args, { encoding: 'utf8' }).trim();
    expect(codeAt(secret, Math.floor(second / 30)), `${secret} ${second}`).toBe(code);
  }
});

test('a code counts in its step and in the ones before and after', () => {
  const secret = makeCodeSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  for (const away of [-2, -1, 0, 1, 2]) {
    const found = stepOfCode(secret, codeAt(secret, 1000 + away), 1000 * 30_000);
    expect(found).toBe(Math.abs(away) < 2 ? 1000 + away : undefined);
  }
});

test('the address names workspace and person, whatever characters they have', () => {
  const uri = new URL(codeUri(SECRET, { issuer: 'A & B: "x"', user: 'ann+1@example.com' }));
  expect(uri.searchParams.get('issuer')).toBe('A & B: "x"');
  expect(decodeURIComponent(uri.pathname)).toContain('A & B: "x":ann+1@example.com');
});

test('recovery codes differ, and are found however they are written', () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(recoveryHash(` ${code.toUpperCase().replaceAll('-', '')}`)).toEqual(recoveryHash(code));
  }
});

// The messages for operators about the Node.js and the PostgreSQL that the service runs on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeNode, refuseNode } from '../../src/cli/service/node-release.ts';
import { describePostgres } from '../../src/cli/service/postgres-release.ts';

test.each([
  ['20.19.5', '2026-04-30', undefined],
  ['20.19.5', '2026-05-01', 'Node.js 20 has had no fixes since 2026-04-30'],
  ['22.23.3', '2026-11-23', undefined],
  ['22.23.3', '2027-05-01', 'Node.js 22 has had no fixes since 2027-04-30'],
  ['24.21.0', '2028-04-30', undefined],
  ['26.10.0', '2040-01-01', undefined],
])('%s on %s', (version, day, said) => {
  const sentence = describeNode(version, new Date(`${day}T12:00:00Z`));
  expect(sentence?.split(',')[0]).toBe(said);
});

test.each(['16.20.2', '18.20.8', '19.9.0', '20.9.0', '20.18.3'])('%s is too old', (version) => {
  expect(refuseNode(version)).toBe(
    `Node.js 20.19 or newer is needed, this is ${version}; Node.js 24 is recommended.`,
  );
});

test.each(['20.19.0', '20.20.2', '22.23.3', '24.21.0', '26.12.1'])(
  '%s is new enough',
  (version) => {
    expect(refuseNode(version)).toBeUndefined();
  },
);

test('the lowest Node.js is the one of package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  expect(JSON.parse(text).engines.node).toBe('>=20.19');
});

test.each([
  [180_004, 'PostgreSQL 18.4 lacks the fixes of 18.6 (August 2026), also for security.'],
  [150_019, 'PostgreSQL 15.19 lacks the fixes of 15.20 (November 2026), also for security.'],
  [180_006, undefined],
  [180_007, undefined],
  [150_020, undefined],
  // No release of these is in the table.
  [160_001, undefined],
  [190_000, undefined],
])('PostgreSQL %i', (version, problem) => {
  const upgrade = 'Upgrade the server; its data stays as it is.';
  expect(describePostgres(version, false)).toBe(problem && `${problem} ${upgrade}`);
  const bundled = describePostgres(version, true);
  expect(bundled?.includes('DATABASE_URL')).toBe(problem && true);
});

// The messages for operators about the Node.js that the service runs on.

import { expect, test } from 'vitest';
import { describeNode } from '../../src/cli/node-release.ts';

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

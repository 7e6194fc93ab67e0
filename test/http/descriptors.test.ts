// The connections that a limit of file descriptors leaves room for.

import { expect, test } from 'vitest';
import {
  connectionsWithin,
  describeDescriptors,
  parseDescriptorLimit,
} from '../../src/http/socket/descriptors.ts';

const LIMITS_TEXT = `Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max open files            256                  4096                 files
`;

test('the soft limit is read', () => {
  expect(parseDescriptorLimit(LIMITS_TEXT)).toBe(256);
  expect(parseDescriptorLimit(LIMITS_TEXT.replace('256 ', 'unlimited'))).toBeUndefined();
  expect(parseDescriptorLimit('')).toBeUndefined();
});

test.each([
  [undefined, 12_000],
  [256, 128],
  [1024, 512],
  [4096, 3584],
  [12_512, 12_000],
  [1_048_576, 12_000],
])('of %s descriptors clients have %i', (limit, connections) => {
  expect(connectionsWithin(limit)).toBe(connections);
});

test('a limit below all connections is a note of the start', () => {
  expect(describeDescriptors(256)).toBe(
    'This process may open 256 files and sockets (ulimit -n), so it accepts 128 connections of clients and refuses ' +
      'others with 503. Raise the limit to 12512.',
  );
  expect(describeDescriptors(12_512)).toBeUndefined();
  expect(describeDescriptors(undefined)).toBeUndefined();
});

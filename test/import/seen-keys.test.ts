// Keys that were seen: none is forgotten while the table grows.

import { expect, test } from 'vitest';
import { openSeenKeys } from '../../src/import/rows/seen-keys.ts';

test('every key that was added is known, others hardly ever', () => {
  const seen = openSeenKeys();
  const keys = Array.from({ length: 50_000 }, (_, index) =>
    JSON.stringify([`C-${index}`, index % 3]),
  );
  for (const [index, key] of keys.entries()) if (index % 2 === 0) seen.add(key);
  for (const key of keys.slice(0, 10)) seen.add(key);
  const added = keys.map((_, index) => index % 2 === 0 || index < 10);
  expect(keys.map((key) => seen.has(key))).toEqual(added);
});

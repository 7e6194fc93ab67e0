// The setting of hidden objects: a text that was changed by hand is no choice.

import { expect, test } from 'vitest';
import { parseHidden } from '../src/lib/hidden-objects.ts';

test('hidden objects are read from the setting, and a broken one is none', () => {
  expect(parseHidden('["events","products"]')).toEqual(['events', 'products']);
  expect(parseHidden('["events",1]')).toEqual(['events']);
  for (const text of [undefined, '', '{', '{"a":1}', 'null'])
    expect(parseHidden(text)).toBe(undefined);
});

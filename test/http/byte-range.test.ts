// Parts of files as the header `Range` asks for them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRange } from '../../src/http/answer/byte-range.ts';

test.each([
  [undefined, 10, undefined],
  ['', 10, undefined],
  ['bytes=0-', 10, { start: 0, end: 9 }],
  ['bytes=3-5', 10, { start: 3, end: 5 }],
  ['BYTES=3-5 ', 10, { start: 3, end: 5 }],
  ['bytes=9-20', 10, { start: 9, end: 9 }],
  ['bytes=10-', 10, 'none'],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-30', 10, { start: 0, end: 9 }],
  ['bytes=-0', 10, 'none'],
  ['bytes=0-0', 0, 'none'],
  ['bytes=5-3', 10, undefined],
  ['bytes=1-2,4-5', 10, undefined],
  ['bytes=a-b', 10, undefined],
  ['bytes=1.5-2', 10, undefined],
  ['lines=1-2', 10, undefined],
])('%j of %d bytes is %j', (header, size, part) => {
  expect(readRange(header, size)).toEqual(part);
});

test('a part is within the file, whatever is sent', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(1000), (text, from, to, size) => {
      for (const header of [text, `bytes=${text}`, `bytes=${from}-${to}`, `bytes=-${to}`]) {
        const part = readRange(header, size);
        if (part === undefined || part === 'none') continue;
        expect(part.start).toBeGreaterThanOrEqual(0);
        expect(part.start).toBeLessThanOrEqual(part.end);
        expect(part.end).toBeLessThan(size);
      }
    }),
  );
});

// Progress: a bar that stays on its line, or plain lines for logs.

import { expect, test } from 'vitest';
import { openProgress } from '../../src/import/progress.ts';

function show(output: { readonly isTTY?: boolean; readonly columns?: number }) {
  const written: string[] = [];
  const clock = { now: 0 };
  const write = (text: string) => written.push(text);
  const progress = openProgress({ ...output, write }, 'deals', 8800, () => clock.now);
  const at = (now: number, done: number) => {
    clock.now = now;
    progress.update(done);
  };
  return { written, at, finish: progress.finish };
}

test('a log gets a line every two seconds and one at the end', () => {
  const { written, at, finish } = show({});
  at(500, 1000);
  at(2100, 4200);
  at(2200, 4400);
  at(3900, 8800);
  finish();
  expect(written).toEqual([
    'deals: 4,200 of 8,800 rows (2,000/s)\n',
    'deals: 8,800 of 8,800 rows (2,256/s)\n',
  ]);
});

test('a terminal gets a bar that overwrites itself', () => {
  const { written, at, finish } = show({ isTTY: true, columns: 120 });
  at(10, 100);
  at(50, 200);
  at(1000, 4400);
  finish();
  expect(written).toEqual([
    '\r[..............................] deals: 100 of 8,800 rows\x1b[K',
    `\r[${'#'.repeat(15)}${'.'.repeat(15)}] deals: 4,400 of 8,800 rows (4,400/s)\x1b[K`,
    '\n',
  ]);
});

test('never wraps, and copes with a terminal of unknown width', () => {
  const narrow = show({ isTTY: true, columns: 20 });
  narrow.at(10, 100);
  expect(narrow.written).toEqual([`\r[${'.'.repeat(18)}\x1b[K`]);
  const unknown = show({ isTTY: true, columns: 0 });
  unknown.at(10, 100);
  expect(unknown.written[0]).toContain('deals: 100 of 8,800 rows');
});

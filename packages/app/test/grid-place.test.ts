// Where the keys of the grid lead, and what lies between two of its cells.

import { describe, expect, test } from 'vitest';
import { widthOf } from '../src/features/records/grid-columns.ts';
import {
  areaOf,
  type CellPosition,
  isIn,
  nextPlace,
  tabPlace,
} from '../src/features/records/grid-place.ts';
import { idsBetween } from '../src/features/records/use-chosen-rows.ts';

const SIZE = { rows: 100, columns: 5, page: 10 };

describe('keys', () => {
  test.each([
    ['ArrowDown', false, [3, 2], [4, 2]],
    ['ArrowUp', false, [3, 2], [2, 2]],
    ['ArrowUp', false, [0, 2], [-1, 2]],
    ['ArrowUp', false, [-1, 2], [-1, 2]],
    ['ArrowDown', false, [-1, 2], [0, 2]],
    ['ArrowDown', false, [99, 2], [99, 2]],
    ['ArrowLeft', false, [3, 0], [3, 0]],
    ['ArrowRight', false, [3, 4], [3, 4]],
    ['ArrowDown', true, [3, 2], [99, 2]],
    ['ArrowUp', true, [3, 2], [0, 2]],
    ['ArrowRight', true, [3, 2], [3, 4]],
    ['ArrowLeft', true, [3, 2], [3, 0]],
    ['Home', false, [3, 2], [3, 0]],
    ['End', false, [3, 2], [3, 4]],
    ['Home', true, [3, 2], [0, 0]],
    ['End', true, [3, 2], [99, 4]],
    ['PageDown', false, [3, 2], [13, 2]],
    ['PageDown', false, [95, 2], [99, 2]],
    ['PageDown', false, [-1, 2], [10, 2]],
    ['PageUp', false, [33, 2], [23, 2]],
    ['PageUp', false, [3, 2], [0, 2]],
    ['PageUp', false, [-1, 2], [-1, 2]],
  ] as const)('%s, with Ctrl %s, from %j leads to %j', (key, isCtrl, from, to) => {
    const [row, column] = from;
    expect(nextPlace({ row, column }, { key, isCtrl }, SIZE)).toEqual({
      row: to[0],
      column: to[1],
    });
  });

  test('Tab and Shift Tab visit each cell once, in the order of reading', () => {
    const size = { rows: 3, columns: 4, first: 1 };
    const seen: CellPosition[] = [];
    let at: CellPosition | undefined = { row: 0, column: 0 };
    for (at = tabPlace(at, false, size); at !== undefined; at = tabPlace(at, false, size))
      seen.push(at);
    const all = [0, 1, 2].flatMap((row) => [1, 2, 3].map((column) => ({ row, column })));
    expect(seen).toEqual(all);
    for (const [index, place] of all.entries())
      expect(tabPlace(place, true, size)).toEqual(all[index - 1]);
    expect(tabPlace({ row: 1, column: 0 }, true, size)).toEqual(all[2]);
  });

  test.each(['a', 'Enter', 'Tab', 'F2', ' '])('%s leads nowhere', (key) => {
    expect(nextPlace({ row: 0, column: 0 }, { key, isCtrl: false }, SIZE)).toBeUndefined();
  });
});

test('the cells between two cells, in either order', () => {
  const area = areaOf({ row: 5, column: 1 }, { row: 2, column: 3 });
  expect(area).toEqual({ top: 2, bottom: 5, left: 1, right: 3 });
  expect(isIn(area, { row: 2, column: 1 })).toBe(true);
  expect(isIn(area, { row: 6, column: 1 })).toBe(false);
  expect(isIn(area, { row: 3, column: 0 })).toBe(false);
});

test('rows between the last one that was chosen and this one', () => {
  const records = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  expect(idsBetween(records, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(idsBetween(records, 'c', 'a')).toEqual(['a', 'b', 'c']);
  expect(idsBetween(records, undefined, 'c')).toEqual(['c']);
  expect(idsBetween(records, 'gone', 'c')).toEqual(['c']);
});

describe('a column is as wide at first', () => {
  const base = { key: 'x', storage: 'physical' } as const;
  const width = (field: object) => widthOf({ ...base, ...field } as Parameters<typeof widthOf>[0]);

  test('as its type needs', () => expect(width({ type: 'integer', name: 'Size' })).toBe(120));

  test('as its heading needs', () => {
    expect(width({ type: 'integer', name: 'Year established' })).toBeGreaterThan(140);
  });

  test('as its longest option needs, up to a limit', () => {
    const of = (label: string) => width({ type: 'select', options: [{ value: 'a', label }] });
    expect(of('Retail')).toBe(140);
    expect(of('Telecommunications')).toBeGreaterThan(155);
    expect(of('Long'.repeat(40))).toBe(240);
  });
});

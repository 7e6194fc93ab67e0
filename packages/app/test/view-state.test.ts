// The address of a list: what is read from it, what is written to it, what is dropped.

import type { Field } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { parseSearch, printSearch } from '../src/lib/search-params.ts';
import { nextSort, parseView, printView } from '../src/lib/view-state.ts';

const field = (key: string, storage: Field['storage'] = 'physical'): Field => ({
  ...{ key, name: key, type: 'text', required: false, editable: true },
  ...{ storage, storage_key: key },
});
const FIELDS = [field('name'), field('amount'), field('closes_on'), field('note', 'jsonb')];

const read = (text: string) => parseView(parseSearch(text), FIELDS);

describe('an address', () => {
  test.each([
    '',
    '?q=rope+and+tar',
    '?sort=-amount,name',
    '?fields=amount,note',
    '?fields=',
    '?filter[amount][gte]=1000&filter[amount][lt]=2000',
    '?filter[name][in]=a,"b,c","d""e"',
    '?filter[name][is_null]=true',
    '?q=x&sort=name&fields=name&filter[name][ne]=%26%3D%25',
  ])('%s is read and written without a difference', (text) => {
    const { view, dropped } = read(text);
    expect(dropped).toEqual([]);
    const written = printSearch(printView(view));
    expect(parseSearch(written)).toEqual(parseSearch(text));
    expect(read(written).view).toEqual(view);
  });

  test('has filters with and without an operator', () => {
    expect(read('?filter[name]=a').view.filters).toEqual({ name: { eq: 'a' } });
    expect(read('?filter[name][in]=a,b').view.filters).toEqual({ name: { in: ['a', 'b'] } });
    expect(read('?filter[name][is_null]=false').view.filters).toEqual({ name: { is_null: false } });
  });

  test.each([
    ['?colour=red', ['colour']],
    ['?sort=nothing', ['sort']],
    ['?sort=name,-nothing,amount', ['sort']],
    ['?sort=note', ['sort']],
    ['?sort=name,amount,closes_on,-name', ['sort']],
    ['?fields=name,nothing', ['fields']],
    ['?filter[nothing]=1', ['filter[nothing]']],
    ['?filter[note]=1', ['filter[note]']],
    ['?filter[name][like]=1', ['filter[name][like]']],
    ['?filter[__proto__][eq]=1', ['filter[__proto__][eq]']],
  ])('%s: what it does not mean is dropped', (text, dropped) => {
    expect(read(text).dropped).toEqual(dropped);
    expect(read(printSearch(printView(read(text).view))).dropped).toEqual([]);
  });
});

test('a heading sorts up, down, not at all; with others beside it or alone', () => {
  const up = nextSort([], 'name', false);
  expect(up).toEqual([{ key: 'name', isDescending: false }]);
  const down = nextSort(up, 'name', false);
  expect(down).toEqual([{ key: 'name', isDescending: true }]);
  expect(nextSort(down, 'name', false)).toEqual([]);
  expect(nextSort(up, 'amount', false)).toEqual([{ key: 'amount', isDescending: false }]);
  const three = ['amount', 'closes_on'].reduce((sort, key) => nextSort(sort, key, true), up);
  expect(three.map(({ key }) => key)).toEqual(['name', 'amount', 'closes_on']);
  expect(nextSort(three, 'id', true).map(({ key }) => key)).toEqual(['name', 'amount', 'id']);
});

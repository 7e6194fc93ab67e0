// The address of a list: parsed, printed and dropped parts.

import type { Field } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { parseSearch, printSearch } from '../src/lib/search-params.ts';
import { nextSort, PLAIN_VIEW, parseView, printView } from '../src/lib/view-state.ts';
import { conditionsOf, orderedParts, parseTree, splitPlain } from '../src/lib/where.ts';

const field = (key: string, type = 'text', storage: Field['storage'] = 'physical'): Field => ({
  ...{ key, name: key, type, required: false, editable: true },
  ...{ storage, storage_key: key },
});
const FIELDS = [
  field('name'),
  field('amount', 'currency'),
  field('closes_on', 'date'),
  field('is_new', 'boolean'),
  field('owner_user_id', 'user'),
  field('company_id', 'reference'),
  field('note', 'text', 'jsonb'),
];

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
    '?filter[amount][eq]=00.10&filter[amount][gt]=much&filter[is_new][ne]=true',
    '?layout=board&by=owner_user_id',
    '?group=company_id',
    '?layout=calendar&by=closes_on&color=name',
    '?totals=amount:sum,closes_on:max,name:filled',
    '?rows=tall',
    '?where={"field":"name","op":"contains","value":"rope"}',
    '?filter[name][eq]=a&where={"all":[{"field":"name","op":"eq","value":"b"},{"not":{"field":"company_id.sector","op":"eq","value":"x"}}]}',
    '?where={"any":[{"field":"closes_on","op":"gte","value":{"relative":"-30d"}},{"field":"owner_user_id","op":"eq","value":{"me":true}}]}',
  ])('%s is read and written without a difference', (text) => {
    const { view, dropped } = read(text);
    expect(dropped).toEqual([]);
    const written = printSearch(printView(view));
    expect(parseSearch(written)).toEqual(parseSearch(text));
    expect(read(written).view).toEqual(view);
  });

  test('has filters with and without an operator', () => {
    const whereOf = (text: string) => read(text).view.where;
    expect(whereOf('?filter[name]=a')).toEqual([{ field: 'name', op: 'eq', value: 'a' }]);
    expect(whereOf('?filter[name][in]=a,b')).toEqual([
      { field: 'name', op: 'in', value: ['a', 'b'] },
    ]);
    expect(whereOf('?filter[name][is_null]=false')).toEqual([
      { field: 'name', op: 'is_null', value: false },
    ]);
  });

  test('has values as their types have them in JSON', () => {
    const { where } = read(
      '?filter[amount][gt]=1.5&filter[amount][lt]=x&filter[is_new]=false&filter[owner_user_id][in]=3,4',
    ).view;
    expect(where.flatMap(conditionsOf).map(({ value }) => value)).toEqual([
      1.5,
      'x',
      false,
      [3, 4],
    ]);
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
    ['?layout=poem', ['layout']],
    ['?by=nothing&group=note', ['by', 'group']],
    ['?where=rope', ['where']],
    ['?where={"field":"gone","op":"eq","value":1}', ['where gone']],
    [
      '?where={"any":[{"field":"name","op":"eq","value":1},{"field":"note","op":"eq","value":1}]}',
      ['where note'],
    ],
    ['?where={"field":"name.first","op":"eq","value":1}', ['where name.first']],
    ['?where={"field":"name","op":"like","value":1}', ['where name']],
  ])('%s: unknown parts are dropped', (text, dropped) => {
    expect(read(text).dropped).toEqual(dropped);
    expect(read(printSearch(printView(read(text).view))).dropped).toEqual([]);
  });
});

test('a heading sorts up, down, not at all; together with others or alone', () => {
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

describe('on top of a saved view', () => {
  const base = {
    ...PLAIN_VIEW,
    view: 'v1',
    q: 'tar',
    sort: [{ key: 'name', isDescending: true }],
    where: [{ field: 'name', op: 'eq' as const, value: 'a' }],
    group: 'company_id',
  };
  const readBeside = (text: string) => parseView(parseSearch(text), FIELDS, base);

  test('the address says what differs', () => {
    expect(readBeside('?view=v1').view).toEqual(base);
    expect(printView(base, base)).toEqual({ view: 'v1' });
    const changed = { ...base, sort: [], where: [], group: undefined, q: '' };
    const address = printSearch(printView(changed, base));
    expect(address).toBe('?view=v1&q=&group=&sort=&where=');
    expect(readBeside(address)).toEqual({ view: changed, dropped: [] });
  });

  test('filters of the address replace all those of the view', () => {
    const { view } = readBeside('?view=v1&filter[amount][gt]=1');
    expect(view.where).toEqual([{ field: 'amount', op: 'gt', value: 1 }]);
    expect(view.sort).toEqual(base.sort);
  });
});

describe('conditions', () => {
  const eq = (field: string, value: unknown = 1) => ({ field, op: 'eq' as const, value });

  test('are filters as far as a query string has them', () => {
    const parts = [
      { field: 'name', op: 'contains' as const, value: 'abc' },
      eq('name', 'a'),
      eq('company_id.name'),
      eq('name', 'b'),
      eq('owner_user_id', { me: true }),
      { field: 'name', op: 'in' as const, value: ['a', ''] },
      { field: 'name', op: 'is_null' as const, value: false },
      { any: [eq('amount')] },
    ];
    const { filters, others } = splitPlain(parts);
    expect(filters).toEqual({ name: { eq: 'a', is_null: false } });
    expect(others).toHaveLength(6);
    expect(orderedParts(parts)).toEqual([parts[1], parts[6], ...others]);
    expect(orderedParts(orderedParts(parts))).toEqual(orderedParts(parts));
  });

  test('beyond sixteen filters are in a tree', () => {
    const parts = Array.from({ length: 20 }, (_, index) => eq(`f${index}`));
    expect(splitPlain(parts).others).toHaveLength(4);
  });

  test('of a tree from elsewhere keep their meaning, or are named', () => {
    const known = (path: string) => path.startsWith('f');
    const read = (tree: unknown) => parseTree(tree, known);
    expect(read({ all: [eq('f'), { not: { any: [eq('f'), eq('g')] } }] })).toEqual({
      parts: [eq('f'), { not: { any: [eq('f')] } }],
      dropped: ['g'],
    });
    for (const wrong of [null, 1, [], {}, { all: 1 }, { not: null }, { any: [], all: [] }]) {
      expect(read(wrong)).toEqual({ parts: [], dropped: ['where'] });
    }
    expect(read({ any: [eq('g')] })).toEqual({ parts: [], dropped: ['g'] });
    const deep = Array.from({ length: 7 }).reduce((part) => ({ not: part }), eq('f'));
    expect(read(deep)).toEqual({ parts: [], dropped: ['where'] });
    const many = { all: Array.from({ length: 40 }, () => eq('f')) };
    expect(read(many).parts).toHaveLength(32);
  });
});

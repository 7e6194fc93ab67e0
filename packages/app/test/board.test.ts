// The pure parts of the board: columns and their cards, the fields of a card, keys, and records between columns.

import type { Field, ObjectDefinition, RecordData, Where } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { cardFields, summedField } from '../src/features/board/card-fields.ts';
import {
  columnIdOf,
  columnsOf,
  conditionOf,
  isRequested,
  withType,
} from '../src/features/board/columns.ts';
import { stepFocus, stepHeld } from '../src/features/board/keys.ts';
import {
  eachOnce,
  type Pages,
  placeOf,
  putIn,
  withoutRecord,
} from '../src/features/board/placing.ts';
import { columnField } from '../src/lib/board-fields.ts';
import { initialsOf } from '../src/lib/initials.ts';
import { presetOf } from '../src/lib/presets.ts';

const field = (key: string, type: string, more: Partial<Field> = {}) =>
  ({
    ...{ key, name: key, type, required: false, editable: true },
    ...{ storage: 'physical', storage_key: key, ...more },
  }) as Field;
const OPTIONS = { options: [{ value: 'gold', label: 'Gold' }, { value: 'silver' }] };
const ROLLUP = { reference: { object_type: 'deals', field: 'company_id' }, op: 'last' };
const FIELDS = [
  ...[field('id', 'text'), field('name', 'text'), field('status', 'text')],
  field('owner_user_id', 'user'),
  ...[field('count', 'integer'), field('amount', 'currency'), field('note', 'long_text')],
  ...[field('tier', 'select', OPTIONS as Partial<Field>), field('active', 'boolean')],
  ...[field('due', 'date'), field('until', 'date'), field('company_id', 'reference')],
  field('kind', 'select', { ...OPTIONS, storage: 'jsonb' } as Partial<Field>),
  field('late', 'boolean', { editable: false, formula: 'due < until' }),
  field('latest', 'select', { ...OPTIONS, editable: false, rollup: ROLLUP } as Partial<Field>),
];
const object = { fields: FIELDS, display_field: 'name' } as unknown as ObjectDefinition;
const words = {
  ...{ yes: 'Yes', no: 'No', none: 'None' },
  unknown: (id: string) => `Somebody (${id})`,
};
const named = (key: string) => FIELDS.find((one) => one.key === key) as Field;

describe('columns', () => {
  const of = (key: string, more: Partial<Field> = {}, found: readonly string[] = []) =>
    columnsOf({
      ...{ field: { ...named(key), ...more }, words, workflow: undefined, found },
      people: new Map([[7, 'Mia']]),
    }).map(({ value, name }) => [value, name]);

  test('are those of the status, of options, of both answers, of people', () => {
    const statuses = { options: [{ value: 'open', label: 'Open' }, { value: 'won' }] };
    expect(of('status', statuses as Partial<Field>)).toEqual([
      ['open', 'Open'],
      ['won', 'won'],
    ]);
    expect(of('tier')).toEqual([
      [null, 'None'],
      ['gold', 'Gold'],
      ['silver', 'silver'],
    ]);
    expect(of('tier', { required: true })).not.toContainEqual([null, 'None']);
    expect(of('active', { required: true })).toEqual([
      [false, 'No'],
      [true, 'Yes'],
    ]);
    expect(of('owner_user_id')).toEqual([
      [null, 'None'],
      [7, 'Mia'],
    ]);
  });

  test('are one for every other value that has records, too', () => {
    expect(of('owner_user_id', {}, ['', '7', '9'])).toEqual([
      [null, 'None'],
      [7, 'Mia'],
      [9, 'Somebody (9)'],
    ]);
    expect(of('tier', { required: true }, ['', 'bronze', 'gold'])).toEqual([
      [null, 'None'],
      ['gold', 'Gold'],
      ['silver', 'silver'],
      ['bronze', 'bronze'],
    ]);
  });

  test('are of the requested field, else of the status, never of one that lists cannot query', () => {
    expect(columnField(object, undefined)?.key).toBe('status');
    expect(columnField(object, 'tier')?.key).toBe('tier');
    expect(columnField(object, 'late')?.key).toBe('late');
    for (const wrong of ['kind', 'note', 'latest', 'nothing'])
      expect(columnField(object, wrong)?.key).toBe('status');
    expect(columnField({ fields: [named('note')] }, undefined)).toBeUndefined();
  });

  test('have their own condition, and those that the question leaves out are none', () => {
    const [none, gold, silver] = columnsOf({
      ...{ field: named('tier'), words, workflow: undefined, people: new Map(), found: [] },
    }) as [never, never, never];
    const tier = named('tier');
    expect(conditionOf(tier, gold)).toEqual({ field: 'tier', op: 'eq', value: 'gold' });
    expect(conditionOf(tier, none)).toEqual({ field: 'tier', op: 'is_null', value: true });
    const asked = (op: string, value: unknown) =>
      [none, gold, silver].map((one) =>
        isRequested(one, tier, [{ field: 'tier', op, value } as Where]),
      );
    expect(asked('eq', 'gold')).toEqual([false, true, false]);
    expect(asked('ne', 'gold')).toEqual([true, false, true]);
    expect(asked('in', ['silver', 'gold'])).toEqual([false, true, true]);
    expect(asked('is_null', true)).toEqual([true, false, false]);
    expect(asked('contains', 'x')).toEqual([true, true, true]);
    const record = { status: 'open', fields: { tier: 'gold' } } as unknown as RecordData;
    expect(columnIdOf(record, tier)).toBe('gold');
    expect(columnIdOf(record, named('due'))).toBe('');
  });

  test('a new record begins with the values of conditions on one value', () => {
    const where = [
      { field: 'tier', op: 'eq', value: 'gold' },
      { field: 'count', op: 'gt', value: 1 },
      { field: 'owner_user_id', op: 'eq', value: { me: true } },
      { any: [{ field: 'active', op: 'eq', value: true }] },
    ] as readonly Where[];
    expect(presetOf(object, where)).toEqual({ tier: 'gold' });
    const closed = { fields: [field('tier', 'select', { editable: false })] };
    expect(presetOf(closed, where)).toEqual({});
  });

  test('of one type of work items are selected by one condition', () => {
    const other: Where = { field: 'name', op: 'eq', value: 'x' };
    const one = withType([other], 'task');
    expect(one).toEqual([other, { field: 'work_item_type_id', op: 'eq', value: 'task' }]);
    expect(withType(one, 'permit')).toHaveLength(2);
    expect(withType(one, undefined)).toEqual([other]);
  });
});

test('a card shows the requested fields, else one of each telling kind, and never those shown elsewhere', () => {
  const keys = (wished?: readonly string[], by = 'status') =>
    cardFields(object, wished, by).map(({ key }) => key);
  expect(keys()).toEqual(['amount', 'company_id', 'due']);
  expect(keys(undefined, 'tier')).not.toContain('tier');
  const wished = ['due', 'name', 'owner_user_id', 'count', 'tier', 'amount', 'until'];
  expect(keys(wished)).toEqual(['due', 'count', 'tier', 'amount']);
  expect(keys([])).toEqual([]);
});

test('a column adds up the requested field, the first amount of money, or none', () => {
  expect(summedField(object, undefined)?.key).toBe('amount');
  expect(summedField(object, 'count')?.key).toBe('count');
  expect(summedField(object, 'none')).toBeUndefined();
  expect(summedField({ fields: [named('count')] }, undefined)).toBeUndefined();
});

test.each([
  ['Ada Lovelace', 'AL'],
  ['Ada', 'A'],
  ['Ada (North) Maria Lovelace', 'AL'],
  ['émile zola', 'ÉZ'],
  ['#7', '#'],
  ['', ''],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

describe('keys', () => {
  const counts = [
    ['a', 3],
    ['b', 0],
    ['c', 1],
  ] as const;

  test.each([
    ['a', 0, 'ArrowDown', 'a', 1],
    ['a', 2, 'ArrowDown', 'a', 2],
    ['a', 0, 'ArrowUp', 'a', 0],
    ['a', 1, 'End', 'a', 2],
    ['a', 1, 'Home', 'a', 0],
    ['a', 2, 'ArrowRight', 'c', 0],
    ['c', 0, 'ArrowRight', 'c', 0],
    ['c', 0, 'ArrowLeft', 'a', 0],
    ['a', 1, 'ArrowLeft', 'a', 1],
  ] as const)('from %s %d by %s to %s %d', (column, index, key, to, at) => {
    expect(stepFocus(counts, { column, index }, key)).toEqual({ column: to, index: at });
  });

  test('without an effect on a board are left to the page', () => {
    expect(stepFocus(counts, { column: 'a', index: 0 }, 'x')).toBeUndefined();
    expect(stepHeld(['a'], 'a', 'x')).toBeUndefined();
  });

  test('choose, drop and put back while a card is held', () => {
    const step = (target: string, key: string) => stepHeld(['a', 'b', 'c'], target, key);
    expect(step('a', 'ArrowRight')).toEqual({ kind: 'target', column: 'b' });
    expect(step('c', 'ArrowRight')).toEqual({ kind: 'target', column: 'c' });
    expect(step('b', 'ArrowLeft')).toEqual({ kind: 'target', column: 'a' });
    expect(step('b', 'End')).toEqual({ kind: 'target', column: 'c' });
    for (const key of ['Enter', ' ']) expect(step('b', key)).toEqual({ kind: 'drop' });
    for (const key of ['Escape', 'Tab']) expect(step('b', key)).toEqual({ kind: 'back' });
  });
});

describe('records between columns', () => {
  const record = (id: string, status = 'open') => ({ id, status }) as RecordData;
  const list = (...pages: readonly (readonly string[])[]) =>
    ({
      pages: pages.map((ids) => ({
        data: ids.map((id) => record(id)),
        pagination: { has_more: false, next_cursor: null },
      })),
      pageParams: pages.map((_, index) => ({ index })),
    }) as unknown as Pages;
  const ids = ({ pages }: Pages) => pages.map(({ data }) => data.map(({ id }) => id));

  test('leave one, come to the top of another, and back to where they were', () => {
    const before = list(['a', 'b'], ['c', 'd']);
    const place = placeOf(before, 'd');
    expect(place).toEqual({ page: 1, row: 1 });
    const without = withoutRecord(before, 'd');
    expect(ids(without)).toEqual([['a', 'b'], ['c']]);
    expect(without.pages[0]).toBe(before.pages[0]);
    expect(ids(putIn(without, record('d'), place))).toEqual(ids(before));
    expect(ids(putIn(list(['x']), record('d')))).toEqual([['d', 'x']]);
    expect(withoutRecord(before, 'nobody')).toBe(before);
  });

  test('are shown once, as they are now, whatever pages they came with', () => {
    const changed = putIn(list(['a', 'b']), record('b', 'won'));
    expect(ids(changed)).toEqual([['a', 'b']]);
    expect(changed.pages[0]?.data[1]?.status).toBe('won');
    const twice = [record('a'), record('b'), record('a', 'won')];
    expect(eachOnce(twice).map(({ id, status }) => [id, status])).toEqual([
      ['a', 'won'],
      ['b', 'open'],
    ]);
  });

  test('of a page that is no longer loaded come to the last one', () => {
    expect(ids(putIn(list(['a']), record('z'), { page: 4, row: 9 }))).toEqual([['a', 'z']]);
  });
});

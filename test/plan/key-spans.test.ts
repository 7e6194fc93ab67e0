// The keys that fields have had, and where their histories begin.

import { describe, expect, test } from 'vitest';
import type { FieldChange } from '../../src/model/definition/revision.ts';
import { beginningOf, historySince, keySpans } from '../../src/plan/read/key-spans.ts';

const END = 2_147_483_647;

const renamed = (revision: number, path: string, from: string): FieldChange => ({
  ...{ revision, path, from },
  ends: null,
});
const ended = (revision: number, path: string, ends: string): FieldChange => ({
  ...{ revision, path, ends },
  from: null,
});
const field = (object: string, key: string) => `objects.${object}.fields.${key}`;

/** `[key, first, until]` of the field `a` of `boats`. */
const spansOf = (changes: readonly FieldChange[], name = 'a') =>
  keySpans({ object_type: 'boats' }, [name], changes).map(({ key, first, until }) => [
    ...[key, first],
    until === END ? 'now' : until,
  ]);

test('a field without changes has one span', () => {
  expect(spansOf([])).toEqual([['a', 0, 'now']]);
  const others = [renamed(3, field('ships', 'a'), 'b'), ended(4, field('boats', 'b'), 'b')];
  expect(spansOf(others)).toEqual([['a', 0, 'now']]);
});

test('names follow renames of the field and of its object', () => {
  const changes = [
    renamed(2, field('barges', 'y'), 'x'),
    renamed(5, 'objects.boats', 'barges'),
    renamed(5, field('boats', 'z'), 'y'),
    renamed(9, field('boats', 'a'), 'z'),
  ];
  expect(spansOf(changes)).toEqual([
    ['a', 9, 'now'],
    ['z', 5, 9],
    ['y', 2, 5],
    ['x', 0, 2],
  ]);
});

test('two fields that change places keep their own values', () => {
  const changes = [renamed(4, field('boats', 'a'), 'b'), renamed(4, field('boats', 'b'), 'a')];
  expect(spansOf(changes)).toEqual([
    ['a', 4, 'now'],
    ['b', 0, 4],
  ]);
  expect(spansOf(changes, 'b')).toEqual([
    ['b', 4, 'now'],
    ['a', 0, 4],
  ]);
});

describe('a history begins', () => {
  test('with another type, also where the field is renamed at the same time', () => {
    const changes = [
      renamed(6, field('boats', 'a'), 'z'),
      ended(6, field('boats', 'a'), 'a'),
      renamed(8, field('boats', 'b'), 'c'),
    ];
    expect(spansOf(changes)).toEqual([['a', 6, 'now']]);
  });

  test('behind a field of the same key that was dropped', () => {
    const changes = [ended(3, field('boats', 'a'), 'a')];
    const spans = keySpans({ object_type: 'boats' }, ['a', 'b'], changes);
    expect([beginningOf('a', spans), beginningOf('b', spans)]).toEqual([3, 0]);
  });

  test('again when it was turned off meanwhile', () => {
    const changes = [
      ended(2, 'objects.barges.history', '*'),
      renamed(4, 'objects.boats', 'barges'),
      renamed(7, field('boats', 'a'), 'z'),
    ];
    expect(spansOf(changes)).toEqual([
      ['a', 7, 'now'],
      ['z', 2, 7],
    ]);
    expect(historySince({ object_type: 'boats' }, changes)).toBe(2);
    expect(historySince({ object_type: 'ships' }, changes)).toBe(0);
  });

  test('without an owner', () => {
    const changes = [ended(5, 'objects.boats', 'owner_user_id')];
    expect(spansOf(changes, 'owner_user_id')).toEqual([['owner_user_id', 5, 'now']]);
    expect(spansOf(changes)).toEqual([['a', 0, 'now']]);
  });
});

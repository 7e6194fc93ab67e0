// Where the fields of a record are shown, and the way back to the list of a record.

import type { Field, RecordData } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { foldedFields, layoutOf } from '../src/features/record/field-layout.ts';
import { tintOfName } from '../src/lib/initials.ts';
import { neighboursOf } from '../src/lib/list-trail.ts';
import { splitPeek, withPeek } from '../src/lib/peek.ts';

const field = (key: string, type: string): Field => ({
  ...{ key, type, name: key, required: false, editable: true },
  ...{ storage: 'physical', storage_key: key },
});

const keysOf = (fields: readonly Field[]) => fields.map(({ key }) => key);

const DEAL = {
  display_field: 'name',
  fields: [
    field('id', 'text'),
    field('name', 'text'),
    field('notes', 'long_text'),
    field('status', 'select'),
    field('owner_user_id', 'user'),
    field('code', 'text'),
    field('first_date', 'date'),
    field('second_date', 'date'),
    field('third_date', 'date'),
    field('company_id', 'reference'),
    field('amount', 'currency'),
    field('created_at', 'datetime'),
  ],
};

test('the key facts are the owner and one field of a type before a second one of any', () => {
  const { facts, sections } = layoutOf(DEAL);
  expect(keysOf(facts)).toEqual([
    'owner_user_id',
    'first_date',
    'second_date',
    'company_id',
    'amount',
  ]);
  expect(sections.map(({ fields }) => keysOf(fields))).toEqual([['code', 'third_date', 'notes']]);
});

test('a name that is not a text stays among the fields', () => {
  const { facts } = layoutOf({ ...DEAL, display_field: 'company_id' });
  expect(keysOf(facts)).toContain('company_id');
});

test('empty fields are folded where there are more than a few, except those that are kept', () => {
  const { sections } = layoutOf(DEAL);
  const record = { id: 'a', fields: {} } as unknown as RecordData;
  expect([...foldedFields(sections, record, () => false)]).toEqual(['code', 'third_date', 'notes']);
  expect(foldedFields(sections, record, ({ key }) => key === 'code').size).toBe(0);
});

test('the records before and after one, as the list has them', () => {
  const ids = ['a', 'b', 'c'];
  expect(neighboursOf(ids, 'a')).toEqual({ previous: undefined, next: 'b', position: 1 });
  expect(neighboursOf(ids, 'c')).toEqual({ previous: 'b', next: undefined, position: 3 });
  expect(neighboursOf(ids, 'd')).toBeUndefined();
});

test('the record beside a list is not a part of its question', () => {
  const search = { q: 'a', peek: '1' };
  expect(splitPeek(search)).toEqual({ list: { q: 'a' }, peek: '1' });
  expect(splitPeek(search)).toBe(splitPeek(search));
  expect(withPeek({ q: 'a' }, '2')).toEqual({ q: 'a', peek: '2' });
  expect(withPeek({ q: 'a' }, undefined)).toEqual({ q: 'a' });
});

test('a name keeps its tint', () => {
  expect(tintOfName('Ada')).toBe(tintOfName('Ada'));
  expect(new Set(['Ada', 'Rob', 'Mia', 'Sam', 'Con'].map(tintOfName)).size).toBeGreaterThan(2);
});

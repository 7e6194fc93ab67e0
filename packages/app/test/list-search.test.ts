// The search of a list: its columns, its condition, and the address that a change of the list leads to.

import type { Field } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { searchedColumns, searchPart, withoutSearch, withSearch } from '../src/lib/list-search.ts';
import { PLAIN_VIEW } from '../src/lib/view-state.ts';

const field = (key: string, type = 'text', storage = 'physical') =>
  ({ key, type, storage, name: key }) as unknown as Field;
const [NAME, MAIL, PHONE] = [field('name'), field('mail', 'email'), field('phone', 'phone')];
const [SUM, NOTE] = [field('sum', 'number'), field('note', 'text', 'jsonb')];
const object = { fields: [NAME, MAIL, PHONE, SUM, NOTE], display_field: 'name' };
const columns = searchedColumns(object, [MAIL, PHONE, SUM, NOTE], new Set(['mail', 'sum']));

test('texts with an index are searched, and the name; the others are named', () => {
  expect(columns).toEqual({ searched: [NAME, MAIL], left: [PHONE] });
  expect(searchPart('ada', columns)).toEqual({
    any: [
      { field: 'name', op: 'contains', value: 'ada' },
      { field: 'mail', op: 'contains', value: 'ada' },
    ],
  });
});

test('a short text, and a list with a name only, are left to the search of names', () => {
  expect(searchPart('ad', columns)).toBeUndefined();
  expect(searchPart('ada', { searched: [NAME], left: [] })).toBeUndefined();
});

test('a change of the list keeps the search in the address until it is cleared', () => {
  const part = searchPart('ada', columns);
  const other = { field: 'sum', op: 'gt', value: 1 } as const;
  const view = { ...PLAIN_VIEW, q: 'ada', where: [other] };
  const searched = withSearch(view, part);
  expect(searched).toMatchObject({ q: '', where: [other, part] });
  const sorted = { ...searched, sort: [{ key: 'sum', isDescending: true }] };
  expect(withoutSearch(sorted, view, part)).toEqual({ ...view, sort: sorted.sort });
  expect(withoutSearch({ ...searched, where: [] }, view, part)).toEqual({
    ...view,
    q: '',
    where: [],
  });
  expect(withSearch(view, undefined)).toBe(view);
});

// Where the fields of a record are shown, and the way back to the list of a record.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Field, RecordData } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { foldedFields, layoutOf } from '../src/features/record/field-layout.ts';
import type { DefinitionDocument, ObjectEntry } from '../src/lib/definition/document.ts';
import { mergePatch } from '../src/lib/definition/edits.ts';
import { plainDefinition } from '../src/lib/definition-text.ts';
import { tintOfName } from '../src/lib/initials.ts';
import { neighboursOf } from '../src/lib/list-trail.ts';
import { splitPeek, withPeek } from '../src/lib/peek.ts';

const field = (key: string, type: string): Field => ({
  ...{ key, type, name: key, required: false, editable: true },
  ...{ storage: 'physical', storage_key: key },
});

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): unknown => parse(readFileSync(join(ROOT, path), 'utf8'));

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

test('the records of the demo have their fields in sections', () => {
  const demo = mergePatch(
    read('definitions/base.yaml'),
    read('examples/crm-sales/definition.yaml'),
  );
  const { objects } = plainDefinition(demo as DefinitionDocument, 'en');
  const sectionsOf = (type: string) => {
    const { fields, display_field = null } = objects[type] as ObjectEntry;
    const all = Object.entries(fields).map(([key, one]) => ({
      ...{ ...field(key, one.type), section: one.section ?? null },
    }));
    return layoutOf({ fields: all, display_field }).sections.map(({ name }) => name);
  };
  expect(sectionsOf('companies')).toEqual(['Profile', 'Account']);
  expect(sectionsOf('contacts')).toEqual(['Contact details', 'Work']);
  expect(sectionsOf('deals')).toEqual([undefined, 'Schedule']);
  expect(sectionsOf('work_items')).toEqual(expect.arrayContaining(['Planning', 'Onboarding']));
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

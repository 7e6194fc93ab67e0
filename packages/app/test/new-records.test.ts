// Records that references of a file name and that do not exist.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { startDraft, withColumn } from '../src/features/imports/import-draft.ts';
import { otherNeeds, recordsImport, rejectedNames } from '../src/features/imports/new-records.ts';
import { readTableFile as readTable } from '../src/lib/table-file.ts';

const fieldOf = (key: string, type: string, more: object = {}) =>
  ({ key, name: key, type, storage: 'physical', editable: true, ...more }) as unknown as Field;
const objectOf = (object_type: string, fields: readonly Field[]) =>
  ({
    object_type,
    name: object_type,
    singular_name: object_type,
    display_field: 'name',
    fields,
  }) as unknown as ObjectDefinition;

const companies = objectOf('companies', [
  fieldOf('id', 'text', { editable: false }),
  fieldOf('name', 'text', { required: true }),
  fieldOf('sector', 'select', { required: true, options: [{ value: 'retail' }] }),
  fieldOf('tier', 'select', { required: true, constraints: { default: 'gold' }, options: [] }),
]);
const deals = objectOf('deals', [
  fieldOf('name', 'text'),
  fieldOf('company_id', 'reference', { constraints: { reference_object_type: 'companies' } }),
]);
const target = {
  object: deals,
  head: { object_type: 'deals' },
  others: new Map([['companies', companies]]),
};

const problem = (heading: string) => ({ heading, field: '', reason: 'No.' });
const rejects = {
  headings: ['name', 'company_id'],
  rows: [
    { line: 2, cells: ['Rope', ' Bolt '], problems: [problem('company_id')] },
    { line: 3, cells: ['Net', 'Bolt'], problems: [problem('company_id')] },
    { line: 4, cells: ['', 'Cord'], problems: [problem('name')] },
    { line: 5, cells: ['Hook', ''], problems: [problem('company_id')] },
  ],
};

async function draftOf(text: string) {
  return startDraft(target, await readTable(new Blob([text]), {}));
}

test('names are those of the rejected cells, each once', async () => {
  const draft = await draftOf('name,company_id\nRope,Bolt\n');
  const found = rejectedNames(target, draft, rejects);
  expect(found.map(({ heading, by, names }) => [heading, by.key, names])).toEqual([
    ['company_id', 'name', ['Bolt']],
  ]);
});

test('a file that has ids makes no records', async () => {
  const draft = await draftOf('name,company_id\nRope,Bolt\n');
  const plan = draft.columns.find(({ heading }) => heading === 'company_id');
  if (plan === undefined) throw new Error('the column is not there');
  const byId = withColumn(target, draft, { ...plan, naming: 'id' });
  expect(rejectedNames(target, byId, rejects)).toEqual([]);
});

test('a record may need fields that the file does not have', () => {
  const [, name] = companies.fields;
  if (name === undefined) throw new Error('the field is not there');
  expect(otherNeeds(companies, name).map(({ key }) => key)).toEqual(['sector']);
});

test('the names are imported by their field, so that a repeated import makes none twice', async () => {
  const { content, mapping } = recordsImport(companies, fieldOf('name', 'text'), [
    'Bolt, Inc',
    '=1',
  ]);
  expect(await content.text()).toBe('name\n"Bolt, Inc"\n=1\n');
  expect(mapping).toEqual({ object_type: 'companies', match: ['name'], columns: { name: 'name' } });
});

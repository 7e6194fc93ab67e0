// The subject of an import: records with the fields of all types, comments on them, and links.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { startDraft } from '../src/features/imports/import-draft.ts';
import { withFieldsOf } from '../src/features/imports/import-fields.ts';
import { mappingOf } from '../src/features/imports/mapping-document.ts';
import { offeredRows, subjectOf } from '../src/features/imports/subjects.ts';
import { translate } from '../src/lib/messages/index.ts';
import { readTableFile as readTable } from '../src/lib/table-file.ts';

const field = (key: string, type = 'text', rest: Partial<Field> = {}): Field => ({
  ...{ key, name: null, type, required: false, editable: true, storage: 'physical' },
  ...{ storage_key: key, ...rest },
});
const BOATS = {
  ...{ object_type: 'boats', name: 'Boats', singular_name: 'Boat', display_field: 'name' },
  ...{ fields: [field('id'), field('name')], relationships: [] },
} as unknown as ObjectDefinition;

test('work items have the fields of all types, and a field of one type is not required', () => {
  const types = [
    { fields: [field('name'), field('phase', 'text', { required: true })] },
    { fields: [field('phase', 'number'), field('health')] },
  ];
  const { fields } = withFieldsOf(BOATS, types);
  expect(fields.map(({ key, type, required }) => [key, type, required])).toEqual([
    ...BOATS.fields.map(({ key, type, required }) => [key, type, required]),
    ...[
      ['phase', 'text', false],
      ['health', 'text', false],
    ],
  ]);
});

test('rows are records, comments on them, or links, but references are fields', () => {
  const relationship = (id: string, source_field: string | null, can_link = true) => ({
    ...{ id, labels: ['Deals and crews'], object: { key: 'crews', name: 'Crews' } },
    ...{ cardinality: 'many_to_many', can_link, source_field },
  });
  const deals = {
    ...BOATS,
    ...{ object_type: 'deals', singular_name: 'Deal', comments: true },
    relationships: [
      relationship('ref.crew_id', 'crew_id'),
      relationship('inv.boats.deal_id', null, false),
      relationship('assoc.deals_crews', null),
    ],
  } as unknown as ObjectDefinition;
  const t = translate();
  expect(offeredRows(deals)).toEqual(['records', 'comments', 'assoc.deals_crews']);
  const links = subjectOf(deals, 'assoc.deals_crews', t);
  const { columns, ...mapping } = mappingOf(
    links,
    {
      ...{ columns: [], constants: {}, templates: {}, match: ['id'], onlyNew: false },
    },
    { encoding: 'utf-8', delimiter: ',', skipLines: 0 },
  );
  expect(mapping).toEqual({ links_of: 'deals', relationship: 'assoc.deals_crews' });
  expect(columns).toEqual({});
  expect(links.object.fields.map(({ key, name }) => [key, name])).toEqual([
    ['record_id', 'Deal'],
    ['target_id', 'Crews'],
  ]);
  expect(subjectOf(deals, 'assoc.gone', t).rows).toBe('records');
});

test('comments are found by the names of their parts, and mention several people', async () => {
  const deals = { ...BOATS, object_type: 'deals', singular_name: 'Deal' };
  const { object, head } = subjectOf(deals, 'comments', translate());
  const target = { object, head, others: new Map([['deals', deals]]) };
  const table = await readTable(
    new Blob([
      'deal,author,text,created,mentions\nRope,Ada,Hello,2026-01-31T10:00:00Z,"Ada, Bo"\n',
    ]),
  );
  expect(mappingOf(target, startDraft(target, table), table)).toEqual({
    comments_on: 'deals',
    columns: {
      deal: { field: 'record_id', lookup: { object_type: 'deals', field: 'name' } },
      author: { field: 'author_user_id', user: 'name' },
      text: 'body',
      created: 'created_at',
      mentions: { field: 'mention_user_ids', separator: ',', user: 'name' },
    },
  });
});

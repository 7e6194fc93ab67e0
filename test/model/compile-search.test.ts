// The search model of a definition: its objects and fields, and the fields of a hit.

import { describe, expect, test } from 'vitest';
import { diffDefinitions } from '../../src/definitions/changes/diff/diff.ts';
import { checkDefinition } from '../../src/definitions/document/check-definition.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { SAMPLE_IDENTITY } from '../sample-definition.ts';

const FIELDS = {
  name: { type: 'text' },
  mail: { type: 'email' },
  call: { type: 'phone' },
  note: { type: 'text' },
  size: { type: 'number' },
};

function documentOf(objectType: string, object: object): DefinitionDocument {
  const shared = { name: 'Things', singular_name: 'Thing', display_field: 'name', fields: FIELDS };
  const document = { objects: { [objectType]: { ...shared, ...object } } };
  return document as unknown as DefinitionDocument;
}

function definitionOf(objectType: string, object: object) {
  const document = documentOf(objectType, object);
  return { document, storage: {}, model: compileModel(SAMPLE_IDENTITY, document) };
}

function searchOf(objectType: string, object: object) {
  const found = definitionOf(objectType, object).model.objects.get(objectType);
  return {
    searched: found?.searched.map(({ source, kind }) => `${source} ${kind}`),
    subtitles: found?.subtitles.map(({ key }) => key),
  };
}

describe('searched fields', () => {
  test('display, e-mail and phone fields; e-mail before other texts as subtitle', () => {
    expect(searchOf('things', {})).toEqual({
      searched: ['things.name display', 'things.mail email', 'things.call phone'],
      subtitles: ['mail', 'note'],
    });
  });

  test.each(['companies', 'contacts', 'meetings', 'events'])('%s', (objectType) => {
    expect(searchOf(objectType, {}).searched).toHaveLength(3);
  });

  test('work items by their public ids too', () => {
    const { searched, subtitles } = searchOf('work_items', {});
    expect(subtitles).toEqual(['public_id']);
    expect(searched).toHaveLength(4);
    expect(searched).toContain('work_items.public_id text');
    expect(searchOf('work_items', { searchable: false }).searched).toEqual([]);
  });

  test('deals and products only when the definition says so', () => {
    expect(searchOf('deals', {}).searched).toEqual([]);
    expect(searchOf('products', {}).searched).toEqual([]);
    expect(searchOf('deals', { searchable: true }).searched).toHaveLength(3);
    expect(searchOf('things', { searchable: false }).searched).toEqual([]);
  });

  test('a field is added or left out by its own word', () => {
    const note = { type: 'text', storage: 'jsonb', searchable: true };
    const fields = { ...FIELDS, name: { type: 'text', searchable: false }, note };
    expect(searchOf('things', { fields }).searched).toEqual([
      'things.mail email',
      'things.call phone',
      'things.note text',
    ]);
  });

  test('a declared subtitle is the only one', () => {
    expect(searchOf('things', { subtitle_field: 'note' }).subtitles).toEqual(['note']);
  });
});

test.each([
  [
    { fields: { ...FIELDS, size: { type: 'number', searchable: true } } },
    'objects.things.fields.size.searchable',
  ],
  [{ subtitle_field: 'nope' }, 'objects.things.subtitle_field'],
  [{ subtitle_field: 'size' }, 'objects.things.subtitle_field'],
])('%j is refused', (object, path) => {
  expect(checkDefinition(documentOf('things', object)).map((problem) => problem.path)).toEqual([
    path,
  ]);
});

test.each([
  [{ searchable: false }, '~ search over things (nothing)'],
  [{ owned: false }, '~ search over things (name, mail, call)'],
  [
    { fields: { ...FIELDS, note: { type: 'text', searchable: true } } },
    '~ search over things (name, mail, call, note)',
  ],
  [{ subtitle_field: 'note', singular_name: 'Other' }, undefined],
])('%j rebuilds the index: %s', (object, summary) => {
  const changes = diffDefinitions(definitionOf('things', {}), definitionOf('things', object));
  const found = changes.filter(({ kind }) => kind === 'index_search');
  expect(found.map((change) => change.summary)).toEqual(summary === undefined ? [] : [summary]);
});

// Other keys in the draft of the definition, and names in several languages: what is sent keeps data and translations.

import { describe, expect, test } from 'vitest';
import { stateOf } from '../src/features/model/entry-state.tsx';
import { changesOf } from '../src/lib/definition/changes.ts';
import type { DefinitionDocument } from '../src/lib/definition/document.ts';
import { editsBetween, mergePatch, patchOf } from '../src/lib/definition/edits.ts';
import { pathInForce, presentKey, renameEntry } from '../src/lib/definition/rename.ts';
import { keyProblem, renameWords } from '../src/lib/definition/rename-words.ts';
import { translatedEdits } from '../src/lib/definition/translations.ts';
import { plainDefinition } from '../src/lib/definition-text.ts';
import { DOCUMENT } from './definition-specimen.ts';

const told = (after: DefinitionDocument) =>
  changesOf(editsBetween(DOCUMENT, after)).map(({ path, action }) => [path.join('.'), action]);

describe('another key is one change', () => {
  test('of an object, with the references, relationships and grants that name it', () => {
    const deals = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'deals'], 'sales');
    expect(told(deals)).toEqual([['objects.sales', 'rename']]);
    const boats = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'boats'], 'ships');
    expect(told(boats)).toEqual([['objects.ships', 'rename']]);
  });

  test('of an object whose records a rollup summarizes', () => {
    const total = { type: 'rollup', rollup: { reference: { object_type: 'deals' }, op: 'sum' } };
    const patch = { objects: { boats: { fields: { total } } } };
    const before = mergePatch(DOCUMENT, patch) as DefinitionDocument;
    const { boats } = renameEntry(before, before, ['objects', 'deals'], 'sales').objects;
    expect(boats?.fields.total?.rollup?.reference.object_type).toBe('sales');
  });

  test('of a field, with its place and grants', () => {
    const path = ['objects', 'deals', 'fields', 'name'];
    expect(told(renameEntry(DOCUMENT, DOCUMENT, path, 'title'))).toEqual([
      ['objects.deals.fields.title', 'rename'],
    ]);
  });

  test('of a status, with the moves to it', () => {
    const path = ['workflows', 'pipeline', 'statuses', 'open'];
    expect(told(renameEntry(DOCUMENT, DOCUMENT, path, 'fresh'))).toEqual([
      ['workflows.pipeline.statuses.fresh', 'rename'],
    ]);
  });

  test('and what else is changed is another', () => {
    const renamed = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'boats'], 'ships');
    const field = { name: 'Vessel', reference_object_type: 'ships' };
    const patch = { objects: { deals: { fields: { boat_id: field } } } };
    expect(told(mergePatch(renamed, patch) as DefinitionDocument)).toEqual(
      expect.arrayContaining([
        ['objects.ships', 'rename'],
        ['objects.deals.fields.boat_id', 'change'],
      ]),
    );
  });
});

test('a field of an object that has another key keeps its data too', () => {
  const ships = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'boats'], 'ships');
  const path = ['objects', 'ships', 'fields', 'name'];
  const { objects } = renameEntry(ships, DOCUMENT, path, 'title');
  expect(objects.ships?.fields.title).toMatchObject({ renamed_from: 'name' });
  const both = { ...ships, objects };
  const title = ['objects', 'ships', 'fields', 'title'];
  expect(pathInForce(DOCUMENT, both, title)).toEqual(['objects', 'boats', 'fields', 'name']);
  expect(stateOf(DOCUMENT, both, title)).toBe('changed');
  expect(stateOf(DOCUMENT, ships, path)).toBe('same');
  expect(presentKey(objects, 'boats')).toBe('ships');
});

test('keys have a form, are free, and are told for each kind of entry', () => {
  expect(keyProblem(DOCUMENT, ['objects', 'boats'], '2-ships')).toBeUndefined();
  expect(keyProblem(DOCUMENT, ['objects', 'boats'], 'Ships')).toBe('model.keyForm');
  expect(keyProblem(DOCUMENT, ['objects', 'boats'], 'deals')).toBe('model.keyTaken');
  expect(keyProblem(DOCUMENT, ['objects', 'boats'], 'boats')).toBeUndefined();
  expect(keyProblem(DOCUMENT, ['relationships', 'boats_deals'], '2')).toBe('fields.keyForm');
  expect(renameWords(['workflows', 'pipeline', 'statuses', 'won'])?.keeps).toBe(
    'rename.statusKeeps',
  );
  expect(renameWords(['workflows', 'pipeline'])).toBeUndefined();
});

describe('names in several languages', () => {
  const stored = {
    objects: {
      boats: {
        name: { en: 'Boats', de: 'Boote' },
        singular_name: 'Boat',
        fields: {
          size: {
            name: { en: 'Size', de: 'Größe' },
            type: 'select',
            options: [
              { value: 's', label: { en: 'Small', de: 'Klein' } },
              { value: 'l', label: { en: 'Large', de: 'Groß' } },
            ],
          },
        },
      },
    },
  };
  const plain = plainDefinition(stored, 'en') as unknown as DefinitionDocument;
  const sent = (after: DefinitionDocument) =>
    mergePatch(
      stored,
      patchOf(translatedEdits(editsBetween(plain, after), { stored, document: plain }, 'en')),
    ) as unknown as typeof stored;
  const sized = (field: object) =>
    mergePatch(plain, { objects: { boats: { fields: { size: field } } } }) as DefinitionDocument;

  test('stay when options are added, ordered and coloured', () => {
    const options = [
      { value: 'xl', label: 'Huge' },
      { value: 'l', label: 'Large', color: 'red' },
      { value: 's', label: 'Small' },
    ];
    expect(sent(sized({ options })).objects.boats.fields.size.options).toEqual([
      { value: 'xl', label: 'Huge' },
      { value: 'l', label: { en: 'Large', de: 'Groß' }, color: 'red' },
      { value: 's', label: { en: 'Small', de: 'Klein' } },
    ]);
  });

  test('have another text in the language of the page only', () => {
    const options = [
      { value: 's', label: 'Tiny' },
      { value: 'l', label: 'Large' },
    ];
    const { size } = sent(sized({ name: 'Extent', options })).objects.boats.fields;
    expect(size.name).toEqual({ en: 'Extent', de: 'Größe' });
    expect(size.options[0]).toEqual({ value: 's', label: { en: 'Tiny', de: 'Klein' } });
  });

  test('stay with another key', () => {
    const renamed = renameEntry(plain, plain, ['objects', 'boats'], 'ships');
    const path = ['objects', 'ships', 'fields', 'size'];
    const { objects } = sent(renameEntry(renamed, plain, path, 'extent'));
    expect(objects).toEqual({
      ships: {
        ...stored.objects.boats,
        renamed_from: 'boats',
        field_order: ['extent'],
        fields: { extent: { ...stored.objects.boats.fields.size, renamed_from: 'size' } },
      },
    });
  });
});

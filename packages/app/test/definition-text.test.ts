// Definition documents with names in several languages, as pages show them.

import { expect, test } from 'vitest';
import { plainDefinition } from '../src/lib/definition-text.ts';

const document = {
  objects: {
    boats: {
      name: { en: 'Boats', de: 'Boote' },
      singular_name: 'Boat',
      fields: {
        name: { name: { de: 'Name', fr: 'Nom' }, type: 'text' },
        label: { type: 'select', options: [{ value: 'a', label: { en: 'A', de: 'Ä' } }] },
        section: { section: { en: 'Hull' } },
      },
    },
  },
};

test('a definition is shown in one language, with keys that are words left alone', () => {
  expect(plainDefinition(document, 'de')).toEqual({
    objects: {
      boats: {
        name: 'Boote',
        singular_name: 'Boat',
        fields: {
          name: { name: 'Name', type: 'text' },
          label: { type: 'select', options: [{ value: 'a', label: 'Ä' }] },
          section: { section: 'Hull' },
        },
      },
    },
  });
  expect(plainDefinition(document, 'fr').objects.boats).toMatchObject({
    name: 'Boats',
    fields: { name: { name: 'Nom' } },
  });
});

// Names of the base on the pages of the data model: in German as the service has them elsewhere, and in patches as they
// are stored.

import { describe, expect, test } from 'vitest';
import { readBase } from '../../../src/definitions/document/definition-file.ts';
import type { DefinitionDocument as ServedDocument } from '../../../src/model/definition/definition.ts';
import { translationSteps } from '../../../src/model/definition/translations.ts';
import { runSteps } from '../../../src/model/steps.ts';
import { documentOf } from '../src/features/model/import-file.ts';
import { withBaseNames } from '../src/lib/definition/base-names.ts';
import { type DefinitionDocument, valueAt, withValue } from '../src/lib/definition/document.ts';
import { editsBetween, editsToStored, patchOf } from '../src/lib/definition/edits.ts';
import { renameEntry } from '../src/lib/definition/rename.ts';
import { translatedEdits } from '../src/lib/definition/translations.ts';
import { plainDefinition } from '../src/lib/definition-text.ts';
import { baseNames } from '../src/lib/messages/de/index.ts';

const base = readBase() as DefinitionDocument;
const say = (name: string) => baseNames[name] ?? name;
const inForce = (stored: DefinitionDocument) => ({
  stored,
  document: withBaseNames(plainDefinition(stored, 'de'), say),
});

test('all of them are those of the service', () => {
  const { document } = inForce(base);
  const texts = runSteps(translationSteps(base as unknown as ServedDocument));
  expect(texts.size).toBeGreaterThan(40);
  for (const [place, { en = '', de }] of texts) {
    const isSystem = place.startsWith('system.');
    expect(isSystem ? say(en) : valueAt(document, place.split('.')), place).toBe(de);
  }
});

const stored = documentOf(base, {
  objects: {
    companies: { name: 'Accounts', fields: { size: { name: { en: 'Size', de: 'Größe' } } } },
    boats: { name: 'Deals', singular_name: 'Deal', fields: { name: { name: 'Title' } } },
  },
});

test('names of the definition come first, and other objects keep theirs', () => {
  const { companies, boats, contacts } = inForce(stored).document.objects;
  expect([companies?.name, companies?.singular_name]).toEqual(['Accounts', 'Firma']);
  expect(companies?.fields.size?.name).toBe('Größe');
  expect([boats?.name, boats?.fields.name?.name]).toEqual(['Deals', 'Title']);
  expect([contacts?.name, contacts?.fields.phone?.name]).toEqual(['Kontakte', 'Telefon']);
});

describe('a patch', () => {
  const present = inForce(stored);
  const sent = (after: DefinitionDocument) =>
    patchOf(translatedEdits(editsBetween(present.document, after), present, 'de'));

  test('has the name that a person gives', () => {
    const after = withValue(present.document, ['objects', 'contacts', 'name'], 'Leute');
    expect(sent(after)).toEqual({ objects: { contacts: { name: 'Leute' } } });
  });

  test('has the stored name of a field with another key', () => {
    const path = ['objects', 'contacts', 'fields', 'phone'];
    const after = renameEntry(present.document, present.document, path, 'telephone');
    const fields = valueAt(sent(after), path.slice(0, -1));
    expect(fields).toEqual({
      phone: null,
      telephone: { name: 'Phone', type: 'phone', renamed_from: 'phone' },
    });
  });
});

test('a file with the stored names changes none, and one with a translation only that', () => {
  const present = inForce(stored);
  expect(editsToStored(present, documentOf(stored, {}))).toEqual([]);
  const size = { name: { en: 'Size', de: 'Umfang' } };
  const after = documentOf(stored, { objects: { companies: { fields: { size } } } });
  expect(editsToStored(present, after)).toEqual([
    { path: ['objects', 'companies', 'fields', 'size', 'name'], before: 'Größe', after: size.name },
  ]);
});

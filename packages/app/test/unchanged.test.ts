// A field that is opened and left stays the same: the initial draft has the value that it was made of, for every type
// of field.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIELD_TYPES } from '../../../src/model/values/field-types.ts';
import type { FieldSamples } from '../../../test/field-samples.ts';
import { editOf } from '../src/fields/edits.ts';
import { type AnyFieldEdit, parseEdited } from '../src/fields/field-edit.ts';
import type { Language } from '../src/lib/messages/index.ts';

const LANGUAGES: readonly Language[] = ['en', 'de'];

async function samplesOf(type: string): Promise<FieldSamples> {
  const found = await import(`../../../test/fields/${type}.ts`);
  return found.samples;
}

/** As the tab keeps drafts. */
const kept = (draft: unknown): unknown => JSON.parse(JSON.stringify(draft));

function left(edit: AnyFieldEdit, began: unknown, language: Language): unknown {
  return parseEdited(edit, { began, draft: kept(edit.start(began, language)) }, language);
}

describe.each(FIELD_TYPES)('%s', (type) => {
  const edit = editOf({ type }) as AnyFieldEdit;

  test.each(LANGUAGES)('an unchanged draft keeps its value, in %s', async (language) => {
    const { accepted, pool, arbitrary } = await samplesOf(type);
    for (const value of [null, ...pool, ...accepted.map(([, canonical]) => canonical)])
      expect(left(edit, value, language)).toEqual({ value });
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(left(edit, value, language)).toEqual({ value });
      }),
    );
  });
});

test.each([
  ['datetime', '2027-01-31T09:30:45.123Z'],
  ['datetime', '2026-10-25T01:30:00.000Z'],
  ['number', 1.234e-16],
  ['percent', 1.5e-17],
  ['text', '   '],
])('a %s such as %j is more than its draft says', (type, value) => {
  const edit = editOf({ type }) as AnyFieldEdit;
  expect(left(edit, value, 'en')).toEqual({ value });
});

test('a draft that was changed is read', () => {
  const edit = editOf({ type: 'number' }) as AnyFieldEdit;
  expect(parseEdited(edit, { began: 1.234e-16, draft: '2' }, 'en')).toEqual({ value: 2 });
  expect(parseEdited(edit, { began: 1, draft: 'much' }, 'en')).toHaveProperty('problem');
});

// Options for words of a file that a field lacks.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { startDraft } from '../src/features/imports/import-draft.ts';
import { optionChange, wordsWithoutOption } from '../src/features/imports/new-options.ts';
import { readTableFile as readTable } from '../src/lib/table-file.ts';

const chosen = (word: string, name = word) => ({ word, name, isChosen: true });
const AT = ['companies', 'tier'] as const;
const documentOf = (options: readonly object[]) =>
  ({ objects: { companies: { fields: { tier: { type: 'select', options } } } } }) as never;

test('new options come after those of the definition, which keep their translations', () => {
  const options = [{ value: 'gold', label: { en: 'Gold', de: 'Golden' } }, { value: 'silver' }];
  const wanted = [
    chosen('Platinum'),
    chosen('PLATINUM!', 'platinum'),
    chosen('golden'),
    chosen('tin', ' '),
    { ...chosen('Junk'), isChosen: false },
  ];
  const { patch, values } = optionChange(documentOf(options), AT, wanted);
  expect(patch).toEqual({
    objects: {
      companies: {
        fields: {
          tier: {
            options: [...options, { value: 'platinum', label: 'Platinum' }, { value: 'tin' }],
          },
        },
      },
    },
  });
  expect(values).toEqual({
    ...{ Platinum: 'platinum', 'PLATINUM!': 'platinum', golden: 'gold', tin: 'tin' },
  });
});

test('two names with one form get two values', () => {
  const { values } = optionChange(documentOf([{ value: 'a_b' }]), AT, [
    chosen('A-B'),
    chosen('A+B'),
  ]);
  expect(values).toEqual({ 'A-B': 'a_b_2', 'A+B': 'a_b_3' });
});

test('the words without an option are those of the rejected cells', async () => {
  const select = (key: string, type: string) =>
    ({
      key,
      type,
      storage: 'physical',
      editable: true,
      options: [{ value: 'gold' }],
    }) as unknown as Field;
  const object = {
    object_type: 'companies',
    ...{ name: 'Companies', singular_name: 'Company', display_field: null },
    fields: [select('tier', 'select'), select('tags', 'multi_select')],
  } as unknown as ObjectDefinition;
  const table = await readTable(new Blob(['tier,tags\ngold,gold\n']));
  const draft = startDraft(
    { object, head: { object_type: 'companies' }, others: new Map() },
    table,
  );
  const problem = (heading: string) => [{ heading, field: heading, reason: 'No.' }];
  const found = wordsWithoutOption(object, draft, {
    headings: ['tier', 'tags'],
    rows: [
      { line: 2, cells: ['bronze', 'gold'], problems: problem('tier') },
      { line: 3, cells: ['iron', 'gold; new;old'], problems: problem('tags') },
      { line: 4, cells: ['bronze', ''], problems: problem('tier') },
    ],
  });
  expect(found.map(({ field, words }) => [field.key, words])).toEqual([
    ['tier', ['bronze']],
    ['tags', ['new', 'old']],
  ]);
});

// Fields are guessed from the columns of a file: type, options, form of numbers and times, keys.

import { expect, test } from 'vitest';
import { guessType, guessTypes, keysOf } from '../src/lib/guess-types.ts';
import { findNumbers, findTimes, readNumber } from '../src/lib/written-forms.ts';

const repeated = (words: readonly string[]) => [...words, ...words, ...words];

test.each([
  ['Name', ['Acme', 'Bolt', 'Cord'], 'text'],
  ['E-mail', ['a@b.example', 'c.d@e.example'], 'email'],
  ['Website', ['https://acme.example', 'http://x.example/a?b'], 'url'],
  ['Phone', ['+49 30 1234-56', '(030) 123 456'], 'phone'],
  ['Contact', ['+49 30 1234', '+1 555 0100 22'], 'phone'],
  ['Employees', ['12', '1200', '-3'], 'integer'],
  ['Postal code', ['01234', '98765'], 'text'],
  ['Weight', ['1.5', '2', '.25'], 'number'],
  ['Share', ['10 %', '20 %'], 'percent'],
  ['Amount', ['€1,200.50', '€3'], 'currency'],
  ['Active', ['Yes', 'no', 'YES'], 'boolean'],
  ['Aktiv', ['ja', 'Nein'], 'boolean'],
  ['Due', ['2026-01-31', '2026-02-01'], 'date'],
  ['Due', ['31.01.2026', '1.2.2026'], 'date'],
  ['At', ['2026-01-31T10:00:00Z', '2026-01-31 10:00+02:00'], 'datetime'],
  ['At', ['1/31/26 9:05 PM'], 'datetime'],
  ['Stage', repeated(['Won', 'Lost', 'In talks']), 'select'],
  ['Company name', repeated(['Acme', 'Bolt']), 'text'],
  ['Tags', repeated(['a;b', 'b', 'a; c']), 'multi_select'],
  ['Notes', ['first\nsecond'], 'long_text'],
  ['Notes', ['x'.repeat(300)], 'long_text'],
  ['Mixed', ['12', 'many'], 'text'],
  ['Empty', [], 'text'],
])('%s with %j is %s', (heading, texts, type) => {
  expect(guessType(heading, texts).type).toBe(type);
});

test('options have a key of their own and the text of the file', () => {
  const guess = guessType('Stage', repeated(['Won!', 'Won?', 'Zürich', '2026']));
  expect(guess.options).toEqual([
    { value: 'won', label: 'Won!' },
    { value: 'won_2', label: 'Won?' },
    { value: 'zuerich', label: 'Zürich' },
    { value: 'n_2026', label: '2026' },
  ]);
});

test('columns have keys of their own, and none of those that every record has', () => {
  const headings = ['Name', 'name ', 'ID', 'Größe (cm)', '1st call', '', '電話', 'a'.repeat(80)];
  expect(keysOf(headings)).toEqual([
    ...['name', 'name_2', 'id_2', 'groesse_cm', 'n_1st_call', 'column_6', 'column_7'],
    'a'.repeat(50),
  ]);
  expect(keysOf(['Name'], ['name'])).toEqual(['name_2']);
});

test('rows may be shorter than the header, and blank cells say nothing', () => {
  const found = guessTypes(
    ['Company', 'Founded', ''],
    [['Acme', ' 1999 '], ['Bolt'], ['Cord', '', '']],
  );
  expect(found.map(({ key, name, type }) => [key, name, type])).toEqual([
    ['company', 'Company', 'text'],
    ['founded', 'Founded', 'integer'],
    ['column_3', 'Column 3', 'text'],
  ]);
});

test.each([
  [['2026-01-31'], undefined, []],
  [['31/01/2026', '1/2/2026'], 'D/M/YYYY', []],
  [['1/31/2026', '1/2/2026'], 'M/D/YYYY', []],
  [['1/2/2026', '3/4/2026'], 'M/D/YYYY', ['D/M/YYYY']],
  [['31.1.26 23:59'], 'D.M.YY H:mm', []],
  [['Jan 31, 2026', 'feb 1, 2026'], 'MMM D, YYYY', []],
  [['2026-01-31 10:00 PM'], 'YYYY-MM-DD h:mm A', []],
])('%j are times as %s, or as %j', (texts, format, others) => {
  const found = findTimes(texts);
  expect([found?.form.format, found?.others]).toEqual([format, others]);
});

test.each([
  [
    ['1.234,50', '7'],
    [
      { text: '.', with: '' },
      { text: ',', with: '.' },
    ],
    false,
  ],
  [['1,234.50', '7'], [{ text: ',', with: '' }], false],
  [['1,5', '20,25'], [{ text: ',', with: '.' }], false],
  [['1.234', '2.5'], undefined, false],
  [['12 000', '7'], [{ text: ' ', with: '' }], true],
  [["1'000.5"], [{ text: "'", with: '' }], false],
  [
    ['12 €', '1.000,5 €'],
    [
      { text: ' €', with: '' },
      { text: '.', with: '' },
      { text: ',', with: '.' },
    ],
    false,
  ],
  [['$12'], [{ text: '$', with: '' }], true],
])('%j are numbers by %j', (texts, replace, isWhole) => {
  const found = findNumbers(texts);
  expect([found?.form.replace, found?.isWhole]).toEqual([replace, isWhole]);
});

test.each([
  [['1.234'], [1.234, 1234]],
  [['1,234'], [1234, 1.234]],
  [
    ['1.234', '2,345'],
    [1.234, 1234],
  ],
  [['12.5'], [12.5]],
  [['1,234', '12,5'], [1.234]],
  [['1,234.5'], [1234.5]],
  [['1 234'], [1234]],
  [['7'], [7]],
  [['$1.234'], [1.234, 1234]],
])('the first of %j may be %j', (texts, numbers) => {
  const { form, others } = findNumbers(texts) ?? { form: {}, others: [] };
  expect([form, ...others].map((one) => readNumber(texts[0] ?? '', one))).toEqual(numbers);
});

test.each([
  [['1', 'two']],
  [['00123']],
  [['1.2.3']],
  [['12345678901234567']],
  [['5 €', '5 $']],
  [[]],
])('%j are no numbers', (texts) => {
  expect(findNumbers(texts)).toBeUndefined();
});

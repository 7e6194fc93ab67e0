// Fields are guessed from the columns of a file: type, options, form of numbers and times, keys.

import { expect, test } from 'vitest';
import { keysOf } from '../../packages/tables/src/field-keys.ts';
import type { Guess } from '../../packages/tables/src/guess.ts';
import { openColumn } from '../../packages/tables/src/guess-types.ts';
import { parseTimeFormat, readFormatted } from '../../packages/tables/src/time-formats.ts';
import {
  findNumbers,
  findTimes,
  readNumber,
  readTime,
  zoneInHeading,
} from '../../packages/tables/src/written-forms.ts';
import { readTimeCell } from '../../src/model/values/cell-times.ts';
import { FIELD_TYPE_TRAITS } from '../../src/model/values/field-types.ts';

const TODAY = new Date('2026-11-28');

function guessType(heading: string, texts: readonly string[]): Guess {
  const column = openColumn(heading, TODAY);
  for (const text of texts) column.add(text);
  return column.guess();
}

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
  ['Aktiv', ['WAHR', 'FALSCH'], 'boolean'],
  ['Done', ['checked', 'unchecked'], 'boolean'],
  ['Due', ['2026-01-31', '2026-02-01'], 'date'],
  ['Due', ['31.01.2026', '1.2.2026'], 'date'],
  ['At', ['2026-01-31T10:00:00Z', '2026-01-31 10:00+02:00'], 'datetime'],
  ['At', ['1/31/26 9:05 PM'], 'datetime'],
  ['Stage', repeated(['Won', 'Lost', 'In talks']), 'select'],
  ['Joined', repeated(['2026-01-02', '03/04/2026', '5 May 2026']), 'text'],
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
  expect(keysOf(['Custom status ID'])).toEqual(['custom_status_id_2']);
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
  expect([found?.form.format, found?.others.map((one) => one.format)]).toEqual([format, others]);
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

const many = (text: string, last: string) => [...Array<string>(1500).fill(text), last];

test.each([
  // Zeros, ids, codes, telephone numbers, article numbers, large numbers.
  ['Record ID', ['20512345678'], 'text', 'identifier'],
  ['Customer', ['20512345678'], 'number', 'beyond'],
  ['Amount', ['2147483647'], 'integer', 'numbers'],
  ['Amount', ['-2147483649'], 'number', 'beyond'],
  ['Amount', ['1234567890123456'], 'text', 'digits'],
  ['Size', ['1.23E+18'], 'text', 'texts'],
  ['Zip', many('10000', 'M'), 'text', 'identifier'],
  ['Plz', many('10000', '02134'), 'text', 'zeros'],
  ['Region', many('10000', '02134'), 'text', 'zeros'],
  ['accountId', ['17', '18'], 'text', 'identifier'],
  ['Order #', ['1001', '1002'], 'text', 'identifier'],
  ['Invoice No.', ['1', '2'], 'text', 'identifier'],
  ['Kundennummer', ['44711', '44712'], 'text', 'identifier'],
  ['Phone 1', ['1234', '5678'], 'text', 'identifier'],
  ['Article', ['4006381333931', '9780306406157'], 'text', 'barcodes'],
  ['Article', ['4006381333931', '4006381333932'], 'number', 'beyond'],
  ['Number of employees', ['12', '250'], 'integer', 'numbers'],
  ['Number', ['12', '250'], 'integer', 'numbers'],
  // The last row decides.
  ['Count', many('12', 'many'), 'text', 'words'],
  ['Due', many('2026-01-31', 'soon'), 'text', 'words'],
  ['Mail', many('a@b.example', 'none'), 'text', 'words'],
  // Days and times that do not exist.
  ['Due', ['2026-02-31'], 'text', 'texts'],
  ['Due', ['31.04.2026', '1.5.2026'], 'text', 'texts'],
  ['At', ['2026-01-31 25:00'], 'text', 'texts'],
  ['At', ['2026-01-31 24:00'], 'text', 'texts'],
  // Names with semicolons, and lists of words.
  ['Account', repeated(['Acme', 'Bolt', 'Smith; Jones & Co']), 'text', 'texts'],
  ['Account', repeated(['Smith; Jones', 'Smith; Brown & Co']), 'text', 'texts'],
  ['Labels', repeated(['red;blue', 'blue', 'red', 'green;red', 'green']), 'multi_select', 'lists'],
  // Amounts.
  ['Total', ['($1,234.50)', '$20.00'], 'currency', 'amounts'],
  ['Total', ['-€5,00', '5,00 €'], 'currency', 'amounts'],
  ['Total', ['5€', '5 €'], 'currency', 'amounts'],
  ['Total', ['5 €', '5 $'], 'text', 'texts'],
] as const)('%#: %s', (heading, texts, type, rule) => {
  const guess = guessType(heading, texts);
  const isWords = rule === 'words';
  expect([guess.type === 'select' && isWords ? 'text' : guess.type, guess.reason.rule]).toEqual([
    type,
    rule,
  ]);
});

/** The value that an import makes of a text by a guess, checked by the field. */
function isTaken({ type, form, options }: Guess, text: string): boolean {
  const traits = FIELD_TYPE_TRAITS[type];
  const plain = (form.replace ?? []).reduce(
    (rest, one) => rest.replaceAll(one.text, one.with),
    text,
  );
  const format = form.format === undefined ? undefined : parseTimeFormat(form.format);
  const read = typeof format === 'object' ? readFormatted(format, plain, form.first_year) : plain;
  if (read === undefined) return false;
  if (options !== undefined) {
    return text.split(';').every((part) => options.some(({ label }) => label === part.trim()));
  }
  const isTime = type === 'datetime' && read.includes(':');
  const moment = isTime ? `${readTimeCell(read)}Z`.replace(/([+-]\d\d:\d\d|Z)Z$/, '$1') : read;
  const cell = traits.readCell(moment, undefined);
  return 'value' in cell && 'value' in traits.parse(cell.value, {});
}

const POOL = [
  ...[
    '1',
    '-7',
    '+5',
    '0',
    '007',
    '2147483648',
    '999999999999999',
    '1e3',
    '1.5',
    '.5',
    '5.',
    '1,5',
    '1.234',
    '1,234.5',
  ],
  ...[
    '1 234',
    '$5',
    '€ 5',
    '5 %',
    '(5)',
    '1e400',
    '12345678901234567890',
    '0x10',
    'Infinity',
    '1_000',
  ],
  ...[
    '2026-01-31',
    '2024-02-29',
    '2023-02-29',
    '0000-01-01',
    '9999-12-31',
    '31.12.1999',
    '1/2/26',
    '3/14/52',
  ],
  ...[
    '2026-01-31T10:00:00Z',
    '2026-01-31 10:00',
    '2026-01-31 23:59:60',
    '1/31/26 13:05 PM',
    'Sep 8, 2023 12:33 AM',
  ],
  ...[
    'a@b.example',
    'a@b',
    'ä@ö.example',
    'https://x.example',
    'http://',
    'https://x y',
    'ftp://x.example',
  ],
  ...['+49 30 1234567', '+49 30 1234567 / 1234568', '0301234567', '(503) 555-9831', '+1'],
  ...['yes', 'no', 'TRUE', 'x', 'a;b', '', ' ', 'NA', '-', '—', 'line\nbreak', 'y'.repeat(250)],
];

test.each(['ja', 'Nein', 'WAHR', 'falsch', 'checked', 'unchecked'])('%s is a boolean', (word) => {
  expect(isTaken(guessType('Active', [word]), word)).toBe(true);
});

test('a guessed type takes every text that it was guessed from', () => {
  const headings = ['Value', 'Phone', 'Mail', 'Due (UTC)', 'Record ID', 'Date of birth'];
  let guesses = 0;
  for (const heading of headings) {
    for (const one of POOL) {
      for (const other of [one, ...POOL]) {
        const texts = [one, other, one].map((text) => text.trim()).filter((text) => text !== '');
        const guess = guessType(heading, texts);
        guesses += 1;
        for (const text of texts) {
          expect(
            isTaken(guess, text),
            `${heading}: ${text} of ${JSON.stringify(texts)} as ${JSON.stringify(guess)}`,
          ).toBe(true);
        }
      }
    }
  }
  expect(guesses).toBeGreaterThan(10_000);
});

test.each([
  ['Created (UTC)', 'UTC'],
  ['created_at GMT', 'GMT'],
  ['Start [Europe/Berlin]', 'Europe/Berlin'],
  ['At (America/Argentina/Ushuaia)', 'America/Argentina/Ushuaia'],
  ['UTC+2', 'Etc/GMT-2'],
  ['Time (GMT +01:00)', 'Etc/GMT-1'],
  ['At (-05:00)', 'Etc/GMT+5'],
  ['Due (CET)', 'CET'],
  ['Due (BST)', undefined],
  ['Start (+05:30)', undefined],
  ['Rank (1-5)', undefined],
  ['Yes/No', undefined],
  ['Created', undefined],
  ['Butcher', undefined],
])('the zone of %s', (heading, zone) => {
  expect(zoneInHeading(heading)).toBe(zone === 'GMT' ? 'UTC' : zone);
});

test('years of birth of two digits are not in the future', () => {
  const guess = guessType('Date of birth', ['3/14/52', '12/31/01']);
  expect(guess).toMatchObject({ type: 'date', form: { format: 'M/D/YY', first_year: 1927 } });
  expect(readTime('3/14/52', guess.form)).toBe('1952-03-14');
  expect(readTime('3/14/26', guess.form)).toBe('2026-03-14');
  expect(readTime('3/14/27', guess.form)).toBe('1927-03-14');
  expect(readTime('3/14/52', guessType('Due', ['3/14/52']).form)).toBe('2052-03-14');
});

// Text of spreadsheets: cells, values of each type, the plan of a paste and its problems; writes in batches.

import type { Field, RecordData } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { recordsError } from '../../client/src/errors.ts';
import type { GridColumn } from '../src/features/records/grid-columns.ts';
import { placeText, shownOnly } from '../src/features/records/paste-place.ts';
import { filled, type PasteTarget, planPaste } from '../src/features/records/paste-plan.ts';
import { parseCells, printCells, printPlain } from '../src/features/records/tab-text.ts';
import { parseDay } from '../src/fields/date-text.ts';
import { editOf } from '../src/fields/edits.ts';
import type { Named } from '../src/fields/field-text.ts';
import { parseValue, printValue } from '../src/fields/texts.ts';
import { writeInBatches } from '../src/lib/record-batches.ts';

describe('cells', () => {
  test.each([
    ['a', [['a']]],
    [
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      '\t\n\t',
      [
        ['', ''],
        ['', ''],
      ],
    ],
    ['"a\nb"\t"say ""so"""', [['a\nb', 'say "so"']]],
    ['5" pipe\tx', [['5" pipe', 'x']]],
    ['"open\tx', [['"open', 'x']]],
    ['a\n\nb', [['a'], [''], ['b']]],
  ] as const)('%j', (text, cells) => {
    expect(parseCells(text)).toEqual(cells);
  });

  test('copied text is parsed to the same cells', () => {
    const cells = [
      ['plain', 'tab\there', 'line\nhere', '"quoted"'],
      ['', ' ', "o'clock", 'ü\r\nx'],
    ];
    expect(parseCells(printCells(cells))).toEqual(cells);
  });

  test('one cell is copied as it is, several as a table', () => {
    expect(printPlain([['say "so"\n- twice']])).toBe('say "so"\n- twice');
    expect(printPlain([['a "b"', 'c']])).toBe('"a ""b"""\tc');
  });

  test('one text fills all that are marked', () => {
    expect(filled([['x']], 2, 3)).toEqual([
      ['x', 'x', 'x'],
      ['x', 'x', 'x'],
    ]);
    expect(filled([['a', 'b']], 2, 3)).toEqual([['a', 'b']]);
  });
});

test.each([
  ['en-GB', '2027-01-31', '2027-01-31'],
  ['en-GB', '31/1/2027', '2027-01-31'],
  ['en-US', '1/31/2027', '2027-01-31'],
  ['en-US', 'Jan 31, 2027', '2027-01-31'],
  ['de', '31.01.27', '2027-01-31'],
  ['de', '31. März 2027', '2027-03-31'],
  ['en-GB', '31 Jan 2027', '2027-01-31'],
  ['de', '3. Okt. 1985', '1985-10-03'],
  ['en-GB', '0001-01-01', '0001-01-01'],
  ['en-GB', '31/12/9999', '9999-12-31'],
  ['en-GB', '0000-12-31', undefined],
  ['en-GB', '1/31/2027', undefined],
  ['en-GB', '30 Feb 2027', undefined],
  ['en-GB', 'Ju 3 2027', undefined],
  ['en-GB', '2027', undefined],
  ['en-GB', 'tomorrow', undefined],
])('in %s %s is the day %s', (locale, text, day) => {
  expect(parseDay(text, locale)).toBe(day);
});

const field = (key: string, type: string, more: Partial<Field> = {}): Field => ({
  ...{ key, name: key, type, required: false, editable: true },
  ...{ storage: 'physical' as const, storage_key: key, ...more },
});
const OPTIONS = [{ value: 'gold', label: 'Gold' }, { value: 'silver' }];
const context = (of: Field, named: Named = new Map()) => ({
  ...{ field: of, language: 'en' as const, named },
  nameOf: (value: unknown) => (value === 7 ? 'Ada' : undefined),
});

describe('values', () => {
  test.each([
    ['number', '1234.5', 1234.5],
    ['integer', '12', 12],
    ['currency', '$12.50', 12.5],
    ['currency', 'USD 12', 12],
    ['percent', '12 %', 12],
    ['boolean', 'Yes', true],
    ['boolean', '0', false],
    ['select', 'GOLD', 'gold'],
    ['select', 'silver', 'silver'],
    ['multi_select', 'Gold; silver, gold', ['gold', 'silver']],
    ['email', ' a@b.example ', 'a@b.example'],
    ['url', 'HTTP://a.example/x', 'HTTP://a.example/x'],
    ['url', ' example.com ', 'https://example.com'],
    ['url', 'www.bücher.example:8080/a?b#c', 'https://www.bücher.example:8080/a?b#c'],
    ['json', '{"a":1}', { a: 1 }],
    ['text', ' kept ', ' kept '],
    ['datetime', '2027-01-31T14:30:00Z', '2027-01-31T14:30:00.000Z'],
  ])('%s: %j is %j', (type, text, value) => {
    expect(parseValue(text, context(field('f', type, { options: OPTIONS })))).toEqual({ value });
  });

  test.each([
    ['number', 'much', 'edit.notNumber'],
    ['integer', '1.5', 'edit.notWhole'],
    ['currency', 'twelve USD', 'edit.notNumber'],
    ['boolean', 'maybe', 'grid.notYesNo'],
    ['date', '31/31/2027', 'grid.notDate'],
    ['datetime', 'noon', 'grid.notMoment'],
    ['datetime', '2027-01-31 25:00', 'grid.notMoment'],
    ['select', 'bronze', 'grid.notOption'],
    ['multi_select', 'gold, bronze', 'grid.notOption'],
    ['email', 'a@b', 'edit.notEmail'],
    ['url', 'example', 'edit.notUrl'],
    ['url', 'v1.2', 'edit.notUrl'],
    ['url', 'ftp://example.com', 'edit.notUrl'],
    ['url', 'javascript:alert(1)', 'edit.notUrl'],
    ['url', 'two words.com', 'edit.notUrl'],
    ['json', '{', 'edit.notJson'],
    ['user', 'nobody', 'grid.noPerson'],
    ['reference', 'nothing', 'grid.noRecord'],
  ])('%s: %j is none', (type, text, problem) => {
    expect(parseValue(text, context(field('f', type, { options: OPTIONS })))).toEqual({ problem });
  });

  test.each([
    ['currency', 'en', '$1,500', 1500],
    ['currency', 'de', '€ 1.500,00', 1500],
    ['currency', 'de', '1.500,50 €', 1500.5],
    ['percent', 'en', '12 %', 12],
    ['url', 'en', 'example.com', 'https://example.com'],
    ['email', 'en', 'a@b.example ', 'a@b.example'],
    ['integer', 'en', '1,500', 1500],
  ] as const)('%s typed in %s: %j is %j', (type, language, typed, value) => {
    expect(editOf({ type })?.parse(typed, language)).toEqual({ value });
  });

  test('people and records by their names, unless several have them', () => {
    const named: Named = new Map<string, string | number>([
      ['ada', 7],
      ['ada@acme.example', 7],
      ['sam', 'ambiguous'],
      ['rope ltd', 'id-1'],
    ]);
    const read = (type: string, text: string) => parseValue(text, context(field('f', type), named));
    expect(read('user', 'Ada@acme.example')).toEqual({ value: 7 });
    expect(read('user', ' ADA ')).toEqual({ value: 7 });
    expect(read('user', 'Sam')).toEqual({ problem: 'grid.ambiguous' });
    expect(read('reference', 'Rope Ltd')).toEqual({ value: 'id-1' });
  });

  test('a blank cell is not a value, and is refused where one is required', () => {
    expect(parseValue(' ', context(field('f', 'number')))).toEqual({ value: null });
    const required = field('f', 'text', { required: true });
    expect(parseValue('', context(required))).toEqual({ problem: 'grid.required' });
  });

  test.each([
    ['number', 1234.5, '1234.5'],
    ['select', 'gold', 'Gold'],
    ['multi_select', ['gold', 'silver'], 'Gold, silver'],
    ['date', '2027-01-31', '2027-01-31'],
    ['user', 7, 'Ada'],
    ['user', 8, '#8'],
    ['json', { a: 1 }, '{"a":1}'],
    ['text', null, ''],
  ])('%s: %j is copied as %j', (type, value, text) => {
    expect(printValue(value, context(field('f', type, { options: OPTIONS })))).toBe(text);
  });
});

test.each(['2027-01-31T09:30:00.000Z', '2027-01-31T09:30:45.000Z', '2027-01-31T09:30:45.120Z'])(
  'a moment is copied with the seconds that it has: %s',
  (value) => {
    const moment = context(field('f', 'datetime'));
    expect(parseValue(printValue(value, moment), moment)).toEqual({ value });
  },
);

const NAME = field('name', 'text', { required: true });
const AMOUNT = field('amount', 'number');
const NOTE = field('note', 'text', { storage: 'jsonb' });
const FIXED = field('origin', 'text', { editable: false });
const columns = (shown: readonly Field[]): readonly GridColumn[] => [
  { kind: 'name', id: '#name', field: NAME },
  ...shown.map((of) => ({ kind: 'field' as const, id: of.key, field: of })),
];
const record = (id: string, amount: number): RecordData => ({
  ...{ object_type: 'deals', id, display: id, status: null, owner_user_id: 1, version: `v-${id}` },
  ...{ created_at: null, updated_at: null },
  fields: { name: id, amount, custom_fields: { note: null } },
});
const target = (more: Partial<PasteTarget> = {}): PasteTarget => ({
  object: { object_type: 'deals' },
  columns: columns([AMOUNT, NOTE]),
  records: [record('a', 1), record('b', 2)],
  canUpdate: () => true,
  canCreate: true,
  canDelete: true,
  headings: 0,
  preset: [],
  required: [],
  isNewestFirst: false,
  ...more,
});
const plan = (text: string, more: Partial<PasteTarget> = {}) =>
  planPaste(parseCells(text), target(more), (of) => context(of));

describe('a paste', () => {
  test('changes cells that differ and makes records for rows beyond the end', () => {
    const { writes, created, changed, problems } = plan('a\t1\t\nB\t5\thigh\nc\t3\t');
    expect(problems).toEqual([]);
    expect([changed, created]).toEqual([1, 1]);
    expect(writes.map(({ operation }) => operation)).toEqual([
      {
        ...{ action: 'update', object_type: 'deals', id: 'b', expected_version: 'v-b' },
        fields: { name: 'B', amount: 5, custom_fields: { note: 'high' } },
      },
      { action: 'create', object_type: 'deals', fields: { name: 'c', amount: 3 } },
    ]);
    expect(writes.map((write) => write.inverse({ id: 'x', version: 'n' }))).toEqual([
      {
        ...{ action: 'update', object_type: 'deals', id: 'b', expected_version: 'n' },
        fields: { name: 'b', amount: 2, custom_fields: { note: null } },
      },
      { action: 'delete', object_type: 'deals', id: 'x', expected_version: 'n' },
    ]);
  });

  test('reports all problems, by row and column', () => {
    const { problems } = plan('\t1\nB\tmuch\nc\tmore');
    expect(problems.map(({ row, column, problem }) => [row, column, problem])).toEqual([
      [0, 'name', 'grid.required'],
      [1, 'amount', 'edit.notNumber'],
      [2, 'amount', 'edit.notNumber'],
    ]);
  });

  test('is refused where it does not fit, or is not allowed', () => {
    const told = (text: string, more: Partial<PasteTarget>) =>
      plan(text, more).problems.map(({ row, problem }) => [row, problem]);
    expect(told('a\tb\tc\td', {})).toEqual([[undefined, 'grid.tooWide']]);
    expect(told('a\nb\nc', { canCreate: false })).toEqual([[2, 'grid.mayNotCreate']]);
    const canUpdate = ({ id }: RecordData) => id === 'a';
    expect(told('x\ny', { canUpdate })).toEqual([[1, 'grid.mayNotChange']]);
  });

  test('omits columns that cannot be edited, unless they are the same', () => {
    const more = { columns: columns([FIXED, AMOUNT]) };
    const same = plan('a\t\t5', more);
    expect([same.leftOut, same.problems, same.changed]).toEqual([[], [], 1]);
    const other = plan('a\tAsia\t5', more);
    expect([other.leftOut, other.problems, other.changed]).toEqual([['origin'], [], 1]);
    const only = plan('a\tAsia', more);
    expect([only.leftOut, only.writes]).toEqual([['origin'], []]);
    const made = plan('a\t\t1\nb\t\t2\nc\tAsia\t3', more);
    expect([made.leftOut, made.created, made.changed]).toEqual([['origin'], 1, 0]);
  });

  test('makes no change where the text equals the cells', () => {
    const AT = field('at', 'datetime');
    const SMALL = field('small', 'number');
    const held = record('a', 1);
    const fields = { ...held.fields, at: '2027-01-31T09:30:45.123Z', small: 1.234e-16 };
    const [at, small] = [AT, SMALL].map((of) =>
      printValue(fields[of.key as 'at' | 'small'], context(of)),
    );
    const more = { columns: columns([AT, SMALL]), records: [{ ...held, fields }] };
    expect(plan(`a\t${at}\t${small}`, more).writes).toEqual([]);
    expect(plan('a', { canUpdate: () => false }).problems).toEqual([]);
  });

  test('new records have the values of the filters, and lack none that is required', () => {
    const STAGE = field('stage', 'text', { required: true });
    const more = { records: [], required: [NAME, STAGE] };
    const lacking = plan('a\t1\t\nb\t2\t', more).problems;
    expect(lacking.map(({ row, column, problem }) => [row, column, problem])).toEqual([
      [undefined, 'stage', 'grid.columnNeeded'],
    ]);
    const blank = plan('a\t1\t\n\t2\t', { records: [], required: [NAME] });
    expect(blank.problems.map(({ row, problem }) => [row, problem])).toEqual([
      [1, 'grid.required'],
    ]);
    const preset = [[STAGE, 'first']] as const;
    const [made] = plan('a\t1\t', { ...more, preset }).writes;
    expect(made?.operation).toMatchObject({ fields: { name: 'a', amount: 1, stage: 'first' } });
  });

  test('blank rows are no records, and rows come in the order of the text', () => {
    const names = (more: Partial<PasteTarget>) =>
      plan('a\t1\n\t\nb\t2', { records: [], ...more }).writes.map(({ row, operation }) => [
        row,
        'fields' in operation && (operation.fields as { readonly name: string }).name,
      ]);
    expect(names({})).toEqual([
      [0, 'a'],
      [2, 'b'],
    ]);
    // A list that shows new records first turns them around.
    expect(names({ isNewestFirst: true, headings: 1 })).toEqual([
      [3, 'b'],
      [1, 'a'],
    ]);
  });

  test('a write that cannot be deleted is not undone', () => {
    const [, made] = plan('a\nb\nc', { canDelete: false, records: [record('a', 1)] }).writes;
    expect(made?.inverse({ id: 'x', version: 'n' })).toBeUndefined();
  });
});

describe('headings', () => {
  const object = {
    fields: [NAME, { ...AMOUNT, name: 'Close value' }, NOTE],
    display_field: 'name',
    singular_name: 'Deal',
  };
  const placed = (text: string, shown: readonly Field[] = [AMOUNT]) =>
    placeText(parseCells(text), object, columns(shown));

  test('name the fields, in any order; others are skipped and named', () => {
    const { cells, columns: found, headings, unknown } = placed('close VALUE\tDeal\tMood\n5\ta\tx');
    expect([cells, headings, unknown]).toEqual([[['5', 'a', 'x']], 1, ['Mood']]);
    expect(found.map((column) => column?.field?.key)).toEqual(['amount', 'name', undefined]);
  });

  test('are none where the text is one row, or mostly names nothing', () => {
    expect(placed('Deal\tamount').headings).toBe(0);
    expect(placed('Deal\tx\ty\na\t1\t2').headings).toBe(0);
    expect(placed('name\tDeal\na\tb').headings).toBe(0);
  });

  test('of columns that are not shown are skipped over present rows', () => {
    const text = placed('Deal\tnote\na\thigh');
    expect(text.columns.map((column) => column?.id)).toEqual(['#name', 'note']);
    const over = shownOnly(text, columns([AMOUNT]));
    expect(over.columns.map((column) => column?.id)).toEqual(['#name', undefined]);
    expect(over.unknown).toEqual(['note']);
  });
});

describe('batches', () => {
  const operations = Array.from({ length: 250 }, (_, at) => ({
    ...{ action: 'update' as const, object_type: 'deals', id: String(at), fields: {} },
  }));

  test('refused writes are left out, and the others are written', async () => {
    const sizes: number[] = [];
    const bad = new Set(['3', '120', '121']);
    const client = {
      batch: async (sent: readonly { readonly id?: unknown }[]) => {
        sizes.push(sent.length);
        const errors = sent.flatMap(({ id }, operation_index) =>
          bad.has(String(id))
            ? [
                {
                  operation_index,
                  code: 'stale_record',
                  message: 'old',
                  param: `operations[${operation_index}].fields.x`,
                },
              ]
            : [],
        );
        if (errors.length > 0)
          throw recordsError({
            code: 'stale_record',
            message: 'old',
            status: 412,
            details: { errors },
          });
        return sent.map(({ id }) => ({ id: String(id), version: 'n' }));
      },
    };
    const told: number[] = [];
    const outcome = await writeInBatches(client as never, operations, (count) => told.push(count));
    expect(sizes).toEqual([100, 99, 100, 98, 50]);
    expect(told).toEqual([100, 200, 250]);
    expect(outcome.refused.map(({ index, param }) => [index, param])).toEqual([
      [3, 'fields.x'],
      [120, 'fields.x'],
      [121, 'fields.x'],
    ]);
    expect(outcome.written).toHaveLength(247);
    expect(outcome.written.every(({ index, id }) => String(index) === id)).toBe(true);
  });

  test('without an answer no further batch is sent, and all of it is reported', async () => {
    let calls = 0;
    const client = {
      batch: async (sent: readonly { readonly id?: unknown }[]) => {
        calls += 1;
        if (calls === 2) throw recordsError({ code: 'connection_failed', message: 'gone' });
        return sent.map(({ id }) => ({ id: String(id), version: 'n' }));
      },
    };
    const { written, refused } = await writeInBatches(client as never, operations);
    expect(calls).toBe(2);
    expect(written).toHaveLength(100);
    expect(refused.map(({ index }) => index)).toEqual(
      Array.from({ length: 150 }, (_, at) => at + 100),
    );
  });
});

// Mapping files: the short forms, everything that is refused and where, templates and cells.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMapping, type ImportPlan } from '../../src/import/mapping/compile-mapping.ts';
import type { Target } from '../../src/import/mapping/compile-target.ts';
import { parseMapping, readMappingFile } from '../../src/import/mapping/mapping.ts';
import { parseTemplate, templateTexts } from '../../src/import/mapping/template.ts';
import { cellValue, convertValue, readCell } from '../../src/import/rows/cell-values.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import type { Parsed } from '../../src/model/values/parsed.ts';
import { TIME_ZONE_PROBLEM } from '../../src/plan/read/relative-time.ts';
import { fieldOf, objectOf, SAMPLE_IDENTITY, sampleModel } from '../sample-definition.ts';
import { openTestFiles, type TestFiles } from './import-world.ts';

const model = sampleModel();

let files: TestFiles;
beforeAll(() => {
  files = openTestFiles();
});
afterAll(() => files.remove());

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    const [title, ...lines] = (error as Error).message.split('\n');
    expect(title).toBe('m.yaml cannot be used:');
    return lines.map((line) => line.trim());
  }
  return [];
}

const compile = (
  mapping: object,
  columns: readonly string[] | undefined,
  into = model,
): ImportPlan => ({
  ...compileMapping(into, parseMapping('m.yaml', mapping), columns, 'm.yaml'),
  noStatus: false,
});

const targetOf = (plan: ImportPlan, key: string) =>
  plan.targets?.find(({ field }) => field.key === key) as Target;

test('short forms are written out', () => {
  const path = files.put(
    'm.yaml',
    'object_type: gadgets\nmatch: [code]\ncolumns:\n  A: name\n  B: [code, { field: a_text, values: { x: y } }]\n',
  );
  expect(readMappingFile(path)).toEqual({
    object_type: 'gadgets',
    match: ['code'],
    columns: {
      A: [{ field: 'name' }],
      B: [{ field: 'code' }, { field: 'a_text', values: { x: 'y' } }],
    },
  });
});

test('every problem of the structure is named with its path', () => {
  const mapping = {
    object: 'gadgets',
    match: ['a', 'b', 'c', 'd'],
    delimiter: ';;',
    columns: {
      A: 'No Field',
      B: { field: 'name', lookup: { object_type: 'parts' }, user: 'id' },
      C: ['name', { fild: 'code' }],
      D: [],
      E: 5,
    },
    fields: { 'No Field': { constant: 1 }, name: { template: '', colour: 'red' } },
  };
  expect(problemsOf(() => parseMapping('m.yaml', mapping))).toEqual(
    expect.arrayContaining([
      'object is not one of $schema, object_type, comments_on, links_of, relationship, match, delimiter, encoding, skip_lines, sheet, uneven_rows, unfit_values, doubles, fields, columns',
      'match must NOT have more than 3 items',
      'delimiter must NOT have more than 1 characters',
      'columns.A.field is not a name that can be used here',
      'columns.B.lookup.field is missing',
      'columns.B.user must be one of email, name',
      'columns.C.1.field is missing',
      'columns.C.1.fild is not one of field, values, lookup, user, fallback, replace, time, format, first_year, timezone, round, separator',
      'columns.D must NOT have fewer than 1 items',
      'columns.E must be object',
      'fields.No Field is not the name of a field',
      'fields.name.template must NOT have fewer than 1 characters',
    ]),
  );
  expect(problemsOf(() => parseMapping('m.yaml', null))).toEqual(['The mapping must be object']);
});

test('every name that does not exist or does not fit is named with its path', () => {
  const columns = ['A', 'B', 'C', 'D', 'E', 'F', 'Unused'];
  const mapping = {
    object_type: 'gadgets',
    match: ['code', 'a_json', 'a_number'],
    columns: {
      A: 'nam',
      B: { field: 'a_reference', lookup: { object_type: 'gadgets', field: 'name' } },
      C: { field: 'a_reference', lookup: { object_type: 'parts', field: 'labl' } },
      D: [
        { field: 'a_text', user: 'email', fallback: 'x' },
        { field: 'rating', separator: ',', fallback: null },
      ],
      E: 'id',
      F: 'a_json',
      G: 'price',
    },
    fields: {
      due: { template: '{A}[' },
      serial: { template: '{Z}' },
      secret: {},
    },
  };
  expect(problemsOf(() => compile(mapping, columns))).toEqual([
    'columns.A: there is no field of gadgets "nam"; did you mean "name"?',
    'columns.B.lookup: a_reference is not a reference to gadgets',
    'columns.C.lookup.field: there is no field of parts "labl"; did you mean "label"?',
    'columns.D.user: a_text is a text field, not a user field',
    'columns.D.fallback: needs a user field or a lookup',
    'columns.D.separator: rating is a integer field and takes no lists',
    'fields.due.template: has a bracket without its partner, or brackets inside […]',
    'fields.secret: needs either a template or a constant',
    'a_reference: is written more than once',
    'columns.G: there is no column of the file "G"; did you mean "A"?',
    'fields.serial.template: there is no column of the file "Z"; did you mean "A"?',
    'id: already identifies records: match by it alone, or remove its column',
    'match: no column gives code',
    'match: a_json cannot be compared',
    'match: no column gives a_number',
  ]);
  expect(problemsOf(() => compile({ object_type: 'gadget' }, ['A']))).toEqual([
    'object_type: there is no object type "gadget"; did you mean "gadgets"?',
  ]);
});

test('without columns the header names the fields', () => {
  const plan = compile({ object_type: 'gadgets' }, ['name', 'x_text', 'custom_fields.x_level']);
  expect(plan.targets?.map(({ field }) => field.storage_key)).toEqual([
    'name',
    'custom_fields.x_text',
    'custom_fields.x_level',
  ]);
  expect(problemsOf(() => compile({ object_type: 'gadgets' }, ['name', 'Name', 'id']))).toEqual([
    'columns.Name: there is no field of gadgets "Name"; did you mean "name"?',
    'id: already identifies records: match by it alone, or remove its column',
  ]);
});

test('system fields an import may set, and columns that go nowhere', () => {
  const columns = {
    s: 'status',
    o: 'owner_user_id',
    t: 'created_at',
    c: 'updated_at',
    u: 'created_by_user_id',
  };
  const plan = compile({ object_type: 'gadgets', columns }, ['s', 'o', 't', 'c', 'u', 'v']);
  expect(plan.targets?.map(({ field }) => field.key)).toEqual(Object.values(columns));
  expect(plan.unused).toEqual(['v']);
});

describe('templates', () => {
  const fill = (template: string, cells: Record<string, string>) => {
    const parts = parseTemplate(template);
    return typeof parts === 'string'
      ? parts
      : templateTexts(parts, (key) => cells[key] ?? '').join('');
  };

  test.each([
    ['{a} – {b}', { a: '1', b: '2' }, '1 – 2'],
    ['{a}[ – {b}]', { a: '1', b: '2' }, '1 – 2'],
    ['{a}[ – {b}]', { a: '1' }, '1'],
    ['[{a}: ]{b}', { b: '2' }, '2'],
    ['{a b.c}', { 'a b.c': '{x}[y]' }, '{x}[y]'],
    ['text', {}, 'text'],
    ['a]', {}, 'has a bracket without its partner, or brackets inside […]'],
    ['{a', {}, 'has a bracket without its partner, or brackets inside […]'],
    ['[a[b]]', {}, 'has a bracket without its partner, or brackets inside […]'],
  ])('%s', (template, cells, text) => {
    expect(fill(template, cells as Record<string, string>)).toBe(text);
  });

  test('see the replaced values of their columns', () => {
    const plan = compile(
      {
        object_type: 'gadgets',
        columns: { p: { field: 'a_text', values: { GTXPro: 'GTX Pro' } } },
        fields: { name: { template: '{p}!' } },
      },
      ['p'],
    );
    const cells = new Map([['p', 'GTXPro']]);
    expect(cellValue(plan, targetOf(plan, 'name'), cells)).toEqual({ value: 'GTX Pro!' });
    expect(cellValue(plan, targetOf(plan, 'a_text'), cells)).toEqual({ value: 'GTX Pro' });
  });
});

function madeOf(parsed: Parsed): unknown {
  return 'value' in parsed ? parsed.value : parsed;
}

test('cells: replacements, constants, empty ones, properties of JSON', () => {
  const plan = compile(
    {
      object_type: 'gadgets',
      columns: {
        a: {
          field: 'a_text',
          replace: [{ text: '&', with: '$$' }],
          values: { '': 'none', 1: 'one', gone: null },
        },
        'b.c': 'secret',
      },
      fields: { name: { constant: 'N' }, rating: { constant: 5 } },
    },
    undefined,
  );
  const value = (key: string, cells: object) =>
    madeOf(cellValue(plan, targetOf(plan, key), new Map(Object.entries(cells))));
  expect(value('a_text', { a: '' })).toBe('none');
  expect(value('a_text', {})).toBe('none');
  expect(value('a_text', { a: 1 })).toBe('one');
  expect(value('a_text', { a: 'gone' })).toBeNull();
  expect(value('a_text', { a: 'other' })).toBe('other');
  expect(value('a_text', { a: 'A & B & C' })).toBe('A $$ B $$ C');
  expect(value('a_text', { a: ['x', 1, 'gone', ''] })).toEqual(['x', 'one', 'none']);
  expect(value('name', {})).toBe('N');
  expect(value('rating', {})).toBe(5);
  expect(value('secret', { b: { c: 'deep' } })).toBe('deep');
  expect(value('secret', { b: { c: 'deep' }, 'b.c': 'flat' })).toBe('flat');
  expect(value('secret', { b: 'text' })).toBeNull();
  expect(readCell(new Map([['b', {}]]), 'b.constructor')).toBeNull();
});

test('forms of times that cannot be', () => {
  const columns = {
    a: { field: 'a_text', format: 'DD.MM.YYYY' },
    b: { field: 'a_datetime', format: 'DD.MM.YYYY HH:mm' },
    c: { field: 'a_date', format: 'DD.MM', timezone: 'Berlin' },
    d: {
      field: 'created_at',
      format: 'DD.MM.YYYY HH:mm',
      timezone: 'Europe/Berlin',
      time: 'seconds',
    },
  };
  expect(
    problemsOf(() => compile({ object_type: 'gadgets', columns }, ['a', 'b', 'c', 'd'])),
  ).toEqual([
    'columns.a.format: a_text is a text field, not a date or a time',
    'columns.b.format: has no offset (Z), so it needs a timezone',
    `columns.c.timezone: ${TIME_ZONE_PROBLEM.text}`,
    'columns.c.format: must have one year (YYYY), one month (MM) and one day (DD)',
    'columns.d.timezone: is only for times that are not numbers (time)',
    'columns.d.format: is only for times that are not numbers (time)',
  ]);
});

describe('comments', () => {
  const columns = { issue: 'record_id', text: 'body', key: 'id' };
  const header = ['issue', 'text', 'key', 'who', 'more'];
  const thing = { name: 'Things', singular_name: 'Thing', fields: { name: { type: 'text' } } };
  const document = { objects: { deals: thing, boats: thing } };
  const built = compileModel(SAMPLE_IDENTITY, document as unknown as DefinitionDocument);
  const refused = (mapping: object) => problemsOf(() => compile(mapping, header, built));

  test('have fields of their own, and name their record', () => {
    const who = { field: 'author_user_id', user: 'name' };
    const more = { field: 'mention_user_ids', user: 'email', separator: ',', fallback: null };
    const plan = compile(
      { comments_on: 'deals', columns: { ...columns, who, more } },
      header,
      built,
    );
    expect(plan.subject).toEqual({ kind: 'comments', of: objectOf(built, 'deals') });
    expect(plan.targets?.map(({ field }) => field.key)).toEqual([
      ...Object.values(columns),
      'author_user_id',
      'mention_user_ids',
    ]);
  });

  test('need an object that has comments, a record, a text and something to know them by', () => {
    expect(refused({ comments_on: 'deal', columns })).toEqual([
      'comments_on: there is no object type "deal"; did you mean "deals"?',
    ]);
    expect(refused({ comments_on: 'boats', columns })).toEqual([
      'comments_on: Things have no comments',
    ]);
    expect(refused({ comments_on: 'deals', object_type: 'deals', columns })).toEqual([
      'comments_on: cannot be combined with object_type',
    ]);
    expect(refused({ comments_on: 'deals', columns: { who: 'author_user_id' } })).toEqual([
      'comments_on: a column must give record_id',
      'comments_on: a column must give body',
      'comments_on: a column must give id or created_at, so that a second run adds nothing',
    ]);
  });

  test('have no match and no fields of records', () => {
    const wrong = {
      ...columns,
      who: ['created_by_user_id', 'status'],
      more: { field: 'body', user: 'email' },
    };
    expect(refused({ comments_on: 'deals', match: ['id'], columns: wrong })).toEqual([
      'columns.who: there is no field of comments on deals "created_by_user_id"',
      'columns.who: there is no field of comments on deals "status"',
      'columns.more.user: body is a long_text field, not a user field',
      'body: is written more than once',
      'match: comments and links are identified by the record they belong to',
    ]);
  });
});

test.each([
  ['a_text', ['x', 5, null, ['y']], 'x; 5; ["y"]'],
  ['a_long_text', ['x', 'y'], 'x; y'],
  ['a_text', [], null],
  ['a_multi_select', ['red'], ['red']],
  ['a_url', ' kestrel.example/a ', 'https://kestrel.example/a'],
  ['a_url', 'http://kestrel.example', 'http://kestrel.example'],
  ['a_url', 'not an address', 'not an address'],
])('%s takes %j', (key, given, value) => {
  const field = fieldOf(objectOf(model, 'gadgets'), key);
  expect(convertValue({ field, longest: 1000, separator: undefined }, given)).toEqual({ value });
});

test.each([
  ['a_number', '1.50', 1.5],
  ['a_integer', ' 42 ', 42],
  ['a_currency', '-0.5e2', -50],
  ['a_currency', '1,200', '1,200'],
  ['a_percent', '', ''],
  ['a_boolean', 'Yes', true],
  ['a_boolean', '0', false],
  ['a_boolean', 'perhaps', 'perhaps'],
  ['a_date', ' 2026-01-31 ', '2026-01-31'],
  ['a_datetime', '2012-05-16T08:10:19.000+0000', '2012-05-16T08:10:19.000+00:00'],
  ['a_datetime', '2012-05-16 08:10:19-0130', '2012-05-16 08:10:19-01:30'],
  ['a_datetime', '2012-05-16', '2012-05-16'],
  ['a_datetime', '2026-01-01 10:00:00+00', '2026-01-01 10:00:00+00:00'],
  ['a_datetime', ' 2026-01-01T10:00Z ', '2026-01-01T10:00:00Z'],
  ['a_datetime', '2026-01-01 10:00:00 UTC', '2026-01-01 10:00:00Z'],
  ['a_datetime', '2026-01-01 10:00:00.123456+00', '2026-01-01 10:00:00.123+00:00'],
  ['a_datetime', '2026-01-01 10:00:00,5 GMT', '2026-01-01 10:00:00.5Z'],
  ['a_datetime', '2026-01-01 10:00:00', '2026-01-01 10:00:00'],
  ['a_datetime', '01.02.2026', '01.02.2026'],
  ['a_date', '2026-01-01 00:00:00', '2026-01-01'],
  ['a_date', '2026-01-01T00:00:00.000+02:00', '2026-01-01'],
  ['a_date', '2026-01-01T00:00', '2026-01-01'],
  ['a_date', '2026-01-01 00:00:01', '2026-01-01 00:00:01'],
  ['a_date', '1/2/2026', '1/2/2026'],
  ['a_multi_select', 'red; blue;', ['red', 'blue']],
  ['a_multi_select', '', []],
  ['a_user', '17', 17],
  ['a_user', 'Ben', 'Ben'],
  ['a_json', '{"a":[1]}', { a: [1] }],
  ['a_text', ' spaces stay ', ' spaces stay '],
  ['a_number', 7, 7],
  ['a_text', 7, '7'],
  ['a_long_text', true, 'true'],
  ['a_text', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['a_json', 7, 7],
])('%s takes %j', (key, given, value) => {
  const field = fieldOf(objectOf(model, 'gadgets'), key);
  expect(convertValue({ field, longest: 1000, separator: ';' }, given)).toEqual({ value });
});

test('text that is not JSON is refused for a json field', () => {
  const field = fieldOf(objectOf(model, 'gadgets'), 'a_json');
  expect(convertValue({ field, longest: 1000, separator: ';' }, '{a}')).toEqual({
    problem: 'must be JSON',
  });
});

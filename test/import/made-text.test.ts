// A mapping makes no text that cannot be stored: what would grow beyond its field is refused before it is there, and a
// row costs so much and no more, whatever its mapping says.

import { expect, test } from 'vitest';
import { compileMapping, type ImportPlan } from '../../src/import/mapping/compile-mapping.ts';
import { parseMapping } from '../../src/import/mapping/mapping.ts';
import { draftRow } from '../../src/import/rows/build-rows.ts';
import { convertValue } from '../../src/import/rows/cell-values.ts';
import { ROW_BUDGET } from '../../src/import/rows/made-text.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { SAMPLE_IDENTITY } from '../sample-definition.ts';

const KEYS = Array.from({ length: 200 }, (_, index) => `long_${index}`);
const fields = {
  name: { type: 'text' },
  short: { type: 'text', maxLength: 20 },
  labels: { type: 'multi_select', options: [{ value: 'a' }] },
  any: { type: 'json' },
  ...Object.fromEntries(KEYS.map((key) => [key, { type: 'long_text', storage: 'jsonb' }])),
};
const things = { name: 'Things', singular_name: 'Thing', commentable: true, fields };
const model = compileModel(SAMPLE_IDENTITY, {
  objects: { things },
} as unknown as DefinitionDocument);

function planOf(mapping: object, columns: readonly string[] | undefined): ImportPlan {
  const parsed = parseMapping('m.yaml', { object_type: 'things', ...mapping });
  return { ...compileMapping(model, parsed, columns, 'm.yaml'), noStatus: false };
}

/** The problems of the row, otherwise its values, and the milliseconds of a processor that it took. */
function draft(mapping: object, cells: Readonly<Record<string, unknown>>) {
  const typed = Object.values(cells).some((cell) => typeof cell !== 'string');
  const plan = planOf(mapping, typed ? undefined : Object.keys(cells));
  const raw = typed ? JSON.stringify(cells) : Object.values(cells).join();
  const before = process.cpuUsage();
  const about = { line: 2, raw, texts: [], problem: undefined, isBlank: false };
  const row = { ...about, cells: new Map(Object.entries(cells)) };
  const { problems, given, length } = draftRow(plan, row);
  const { user, system } = process.cpuUsage(before);
  return { problems, values: [...given.values()], length, spent: (user + system) / 1000 };
}

const step = (text: string, times: number, by: string) => ({ text, with: by.repeat(times) });
/** From a single letter to 500 to the power of 20. */
const STEPS = Array.from({ length: 20 }, (_, index) =>
  step('abcdefghijklmnopqrst'[index] as string, 500, 'bcdefghijklmnopqrstu'[index] as string),
);

test('replacements that multiply are refused where they pass the length of the field', () => {
  const column = (field: string) => ({ columns: { c: { field, replace: STEPS } } });
  expect(draft(column('short'), { c: 'a' })).toMatchObject({
    problems: [{ field: 'short', reason: 'The value must not be longer than 20 characters.' }],
  });
  const { problems, spent } = draft(column('long_1'), { c: 'a'.repeat(1000) });
  expect(problems).toEqual([
    {
      field: 'custom_fields.long_1',
      reason: 'The value must not be longer than 100000 characters.',
    },
  ]);
  expect(spent).toBeLessThan(100);
});

test('a text that shrinks may begin longer than its field', () => {
  const replace = [step('ab', 0, ''), step('c', 20, 'd')];
  const columns = { c: { field: 'short', replace } };
  expect(draft({ columns }, { c: `${'ab'.repeat(100_000)}c` }).values).toEqual(['d'.repeat(20)]);
});

test('the longest text of a field is made, one more is not', () => {
  const columns = { c: { field: 'short', replace: [step('a', 4, 'b')] } };
  expect(draft({ columns }, { c: 'aaaaa' }).values).toEqual(['b'.repeat(20)]);
  // A character has two units at most, so the write path checks text of up to twice the length.
  expect(draft({ columns }, { c: 'a'.repeat(11) }).problems).toHaveLength(1);
});

test('a template that repeats a column is refused before it is made', () => {
  const made = (constant: string) => ({ columns: {}, fields: { long_1: { template: constant } } });
  const { problems, spent } = draft(made('{c}'.repeat(3000)), { c: 'x'.repeat(300_000) });
  expect(problems).toEqual([
    {
      field: 'custom_fields.long_1',
      reason: 'The value must not be longer than 100000 characters.',
    },
  ]);
  expect(spent).toBeLessThan(100);
  // The text of an object is made once, however often the template names it.
  const nested = draft(made('{c}'.repeat(3000)), { c: { deep: 'x'.repeat(300_000) }, d: 1 });
  expect(nested.spent).toBeLessThan(100);
});

test('many values of one row share a budget', () => {
  const many = Object.fromEntries(KEYS.map((key) => [key, { template: '{c}' }]));
  const { problems, spent } = draft({ columns: {}, fields: many }, { c: 'x'.repeat(200_000) });
  const reason = `The value makes more than ${ROW_BUDGET} characters of a row.`;
  expect(problems).toEqual([{ field: expect.any(String), reason }]);
  expect(spent).toBeLessThan(500);
});

test('a list whose items become long texts is refused', () => {
  const columns = { c: { field: 'any', values: { a: 'x'.repeat(100_000) } } };
  const { problems, spent } = draft({ columns }, { c: Array(1_000_000).fill('a') });
  expect(problems).toHaveLength(1);
  expect(spent).toBeLessThan(1000);
});

test('a list is joined to the longest text of its field at most', () => {
  const field = model.objects.get('things')?.fields.get('long_1');
  if (field === undefined) throw new Error('no field');
  const target = { field, longest: 200_000, separator: '-'.repeat(500) };
  expect(convertValue(target, Array(1_000_000).fill('a'))).toEqual({
    problem: 'must not be longer than 100000 characters',
  });
  expect(convertValue(target, ['a', 'b'])).toEqual({ value: `a${'-'.repeat(500)}b` });
});

test('numbers whose digits are lost become no text of a template', () => {
  // JSON lines have Infinity in their place (json-text.ts).
  const lost = Number.POSITIVE_INFINITY;
  const reason = 'The value must have at most 15 significant digits and be below 1e15.';
  const made = { columns: {}, fields: { name: { template: '{c} – Ann' } } };
  for (const c of [lost, [lost], { id: lost }]) {
    expect(draft(made, { c }).problems).toEqual([{ field: 'name', reason }]);
  }
  expect(draft(made, { c: 7, d: lost }).values).toEqual(['7 – Ann']);
});

test('converted text counts for the number of rows held at once', () => {
  const columns = { c: { field: 'long_1', replace: [step('a', 500, 'b')] } };
  expect(draft({ columns }, { c: 'a'.repeat(200) }).length).toBeGreaterThan(100_000);
});

test.each([
  ['replace', { replace: [{ text: 'a', with: 'b'.repeat(501) }] }],
  ['replace', { replace: [{ text: 'a'.repeat(501), with: '' }] }],
  ['separator', { separator: ';'.repeat(501) }],
])('a mapping with a longer %s is refused', (_, conversions) => {
  const columns = { c: { field: 'labels', ...conversions } };
  expect(() => planOf({ columns }, ['c'])).toThrow('must NOT have more than 500 characters');
});

test('a mapping with a longer template is refused', () => {
  const made = (length: number) =>
    planOf({ fields: { name: { template: 'x'.repeat(length) } } }, []);
  expect(made(10_000).targets).toHaveLength(1);
  expect(() => made(10_001)).toThrow('must NOT have more than 10000 characters');
});

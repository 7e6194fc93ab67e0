// Values as people type them: numbers in the way of their language, and types that have what shows and edits them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Field } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { FIELD_TYPE_TRAITS, FIELD_TYPES } from '../../../src/model/values/field-types.ts';
import { type FieldSamples, OPTIONS } from '../../../test/field-samples.ts';
import type { TextContext } from '../src/fields/field-text.ts';
import { filterOf } from '../src/fields/filters.ts';
import { FIELD_TYPES_TO_CHOOSE, kindOf } from '../src/fields/kinds.ts';
import {
  parseNumber,
  printNumber,
  typedNumber,
  withOtherMarks,
} from '../src/fields/number-text.ts';
import { parseValue, printValue } from '../src/fields/texts.ts';
import { isYear } from '../src/fields/year.ts';
import { factsOf } from '../src/lib/field-facts.ts';
import { changeOf, fieldValue } from '../src/lib/field-value.ts';
import { bytesText, formatsOf, PERCENT } from '../src/lib/format.ts';

describe('numbers', () => {
  test.each([
    ['en-GB', '1,234.5', 1234.5],
    ['en-GB', '1234.5', 1234.5],
    ['en-GB', '-0.5', -0.5],
    ['en-GB', '.5', 0.5],
    ['en-GB', '5.', 5],
    ['en-GB', ' 12 000 ', 12000],
    ['de', '1.234,5', 1234.5],
    ['de', '1234,5', 1234.5],
    ['de', '−7', -7],
    ['en-IN', '12,345', 12345],
  ])('in %s, %j is %d', (locale, text, value) => {
    expect(parseNumber(text, locale)).toBe(value);
  });

  test.each([
    ['en-GB', '1.234,5'],
    ['en-GB', '1,23'],
    ['en-GB', '12,34,567.0.0'],
    ['en-GB', ''],
    ['en-GB', '.'],
    ['en-GB', '-'],
    ['en-GB', 'much'],
    ['en-GB', '1e5'],
    ['en-GB', '0x10'],
    ['de', '1.5'],
    ['de', '1,234.5'],
  ])('in %s, %j is none', (locale, text) => {
    expect(parseNumber(text, locale)).toBeUndefined();
  });

  test.each([
    ['1.234,50', 1234.5],
    ['12,5', 12.5],
    ['1,234', 1234],
    ['1.234', 1.234],
  ])('a reader of English types %j for %d', (text, value) => {
    expect(withOtherMarks(typedNumber('edit.notNumber'))(text, 'en')).toEqual({ value });
  });

  test.each(['1.234,5.6', '1,2,3', 'much'])('%j is none in any language', (text) => {
    const problem = 'edit.notNumber';
    expect(withOtherMarks(typedNumber(problem))(text, 'en')).toEqual({ problem });
  });

  test.each(['en-GB', 'de', 'de-CH', 'fr'])(
    'in %s a printed value is parsed to the same one',
    (locale) => {
      for (const value of [0, -1, 0.1, 1234.5, 123456789012345, 0.000001, -987654.321]) {
        expect(parseNumber(printNumber(value, locale), locale)).toBe(value);
      }
    },
  );
});

test.each([
  ['year_established', 'Year established', true],
  ['year', null, true],
  ['founded', 'Gründungsjahr', true],
  ['model_year', 'Model', true],
  ['years_active', 'Years active', false],
  ['hires', 'Hires per year', false],
  ['visits_per_year', 'Visits', false],
  ['besuche', 'Besuche im Jahr', false],
  ['employees', 'Employees', false],
  ['yearly', 'Yearly', false],
])('%s (%s) is a year: %s', (key, name, is) => {
  expect(isYear({ key, name })).toBe(is);
});

test.each([
  ['en-US', ['35%', '12.5%'], ['14 B', '12 kB', '1.3 MB']],
  ['de', ['35\u00a0%', '12,5\u00a0%'], ['14 B', '12 kB', '1,3 MB']],
])('shares and sizes in %s', (locale, shares, sizes) => {
  const { number } = formatsOf(locale);
  expect([35, 12.5].map((share) => number(share, PERCENT))).toEqual(shares);
  expect([14, 12_345, 1_250_000].map((bytes) => bytesText(bytes, number))).toEqual(sizes);
});

test('values are found, and written, where they are kept', () => {
  const record = {
    ...{ object_type: 'deals', id: '1', display: 'x', status: 'open', owner_user_id: 3 },
    ...{ created_at: null, updated_at: null, fields: { name: 'x', custom_fields: { note: 'y' } } },
  };
  expect(fieldValue(record, { key: 'status', storage: 'physical' })).toBe('open');
  expect(fieldValue(record, { key: 'name', storage: 'physical' })).toBe('x');
  expect(fieldValue(record, { key: 'note', storage: 'jsonb' })).toBe('y');
  expect(fieldValue(record, { key: 'gone', storage: 'jsonb' })).toBeNull();
  expect(changeOf({ key: 'name', storage: 'physical' }, 1)).toEqual({ name: 1 });
  expect(changeOf({ key: 'note', storage: 'jsonb' }, 1)).toEqual({ custom_fields: { note: 1 } });
});

/** The options of the samples, and names that lead to themselves. */
const contextOf = (type: string): TextContext => ({
  field: {
    ...{ key: 'x', name: 'X', type, required: false, editable: true },
    ...{ storage: 'physical', storage_key: 'x', options: OPTIONS.map((value) => ({ value })) },
  } as Field,
  language: 'en',
  named: { get: (text: string) => text } as unknown as TextContext['named'],
  nameOf: (value) => String(value),
});

describe.each(FIELD_TYPES)('%s', (type) => {
  const kind = kindOf({ type });

  test('has a module of its own, an icon and words in each language', () => {
    expect(existsSync(join(import.meta.dirname, '..', 'src', 'fields', `${type}.tsx`))).toBe(true);
    expect(FIELD_TYPES_TO_CHOOSE).toContain(type);
    const same = FIELD_TYPES.filter((other) => {
      const { icon, name, example } = kindOf({ type: other });
      return icon === kind.icon || name === kind.name || example === kind.example;
    });
    expect(same).toEqual([type]);
  });

  test('has a phrase for each operator, and no other', () => {
    const offered = new Set((filterOf({ type })?.phrases ?? []).map(({ op }) => op));
    expect([...offered].sort()).toEqual([...FIELD_TYPE_TRAITS[type].whereOperators].sort());
  });

  test('a condition about a part of a value takes any text', () => {
    const { phrases = [], edit } = filterOf({ type }) ?? {};
    const isText = phrases.some(({ isPart }) => isPart);
    if (isText) expect(edit?.parse('two@', 'en')).toEqual({ value: 'two@' });
    expect(isText).toBe(factsOf({ type }).operators.includes('contains'));
  });

  test('reads the values that it prints', async () => {
    const { samples } = (await import(`../../../test/fields/${type}.ts`)) as {
      readonly samples: FieldSamples;
    };
    const context = contextOf(type);
    // Files come with an upload, and words of a list may have commas.
    const values = factsOf({ type }).value === 'array' ? [] : samples.pool;
    for (const value of values.filter((one) => String(one).trim() !== ''))
      expect(parseValue(printValue(value, context), context)).toEqual({ value });
  });

  test('an amount is formatted, and nothing else is', () => {
    expect(kind.numbers !== undefined).toBe(factsOf({ type }).aggregates.includes('sum'));
  });
});

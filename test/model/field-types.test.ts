// Every field type with accepted, canonical and refused values.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUserId } from '../../src/model/fields/user-field.ts';
import type { ValueRules } from '../../src/model/values/field-type.ts';
import {
  FIELD_TYPE_TRAITS,
  FIELD_TYPES,
  type FieldType,
} from '../../src/model/values/field-types.ts';
import { parseRecordId } from '../../src/model/values/record-id.ts';
import { isStorableText } from '../../src/model/values/storable-text.ts';
import { fieldOf, objectOf, sampleModel } from '../sample-definition.ts';
import { ACCEPTED, REFUSED, SAMPLES } from '../sample-values.ts';

const gadgets = objectOf(sampleModel(), 'gadgets');

function rulesOf(type: FieldType): ValueRules {
  return fieldOf(gadgets, `a_${type}`).rules;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 50 ? `${text.slice(0, 50)}… (${text.length})` : text;
}

function flat<Item>(table: Readonly<Record<FieldType, readonly Item[]>>) {
  return FIELD_TYPES.flatMap((type) => table[type].map((item) => ({ type, item })));
}

describe('written values', () => {
  test.each(
    flat(ACCEPTED).map(({ type, item: [given, canonical] }) => ({
      type,
      given,
      canonical,
      title: show(given),
    })),
  )('$type takes $title', ({ type, given, canonical }) => {
    const parsed = FIELD_TYPE_TRAITS[type].parse(given, rulesOf(type));
    expect(parsed).toEqual({ value: canonical });
    if ('value' in parsed) expect(Object.is(parsed.value, -0)).toBe(false);
  });

  test.each(flat(ACCEPTED))(
    '$type: the canonical value is its own canonical form',
    ({ type, item }) => {
      const [, canonical] = item;
      if (canonical === null)
        return expect(FIELD_TYPE_TRAITS[type].textual || /multi_select|file/.test(type)).toBe(true);
      expect(FIELD_TYPE_TRAITS[type].parse(canonical, rulesOf(type))).toEqual({ value: canonical });
    },
  );

  test.each(flat(REFUSED).map(({ type, item }) => ({ type, given: item, title: show(item) })))(
    '$type refuses $title',
    ({ type, given }) => {
      expect(FIELD_TYPE_TRAITS[type].parse(given, rulesOf(type))).toEqual({
        problem: expect.objectContaining({ text: expect.stringMatching(/^must /) }),
      });
    },
  );

  const cases: readonly (readonly [FieldType, ValueRules, unknown, unknown])[] = [
    ['text', { maxLength: 3 }, 'abc', 'abc'],
    ['text', { maxLength: 3 }, 'abcd', /longer than 3/],
    ['text', { maxLength: 3 }, '😀😀😀', '😀😀😀'],
    ['text', { maxLength: 3 }, '😀😀😀😀', /longer than 3/],
    ['text', { maxLength: 3 }, 'e\u0301e\u0301', /longer than 3/],
    ['text', { minLength: 2 }, 'a', /shorter than 2/],
    ['text', { minLength: 2 }, '😀', /shorter than 2/],
    ['text', { minLength: 2 }, '😀😀', '😀😀'],
    ['text', { minLength: 2 }, '', null],
    ['text', { pattern: '^[a-z]+$' }, 'abc', 'abc'],
    ['text', { pattern: '^[a-z]+$' }, 'Abc', /pattern/],
    ['text', { pattern: '^[a-z]+$' }, '', null],
    ['text', { pattern: '^.$' }, '😀', '😀'],
    ['email', { pattern: '@example\\.com$' }, 'A@Example.COM', 'a@example.com'],
    ['email', { maxLength: 10 }, 'a@İ.example', /longer than 10/],
    ['email', { maxLength: 11 }, 'a@İ.example', /longer than 11/],
    ['email', { maxLength: 12 }, 'a@İ.example', 'a@i\u0307.example'],
    ['number', { minimum: 0 }, -0, 0],
    ['number', { minimum: 0 }, -0.5, /at least 0/],
    ['number', { minimum: 0.5 }, 0.5, 0.5],
    ['number', { maximum: 100 }, 100, 100],
    ['number', { maximum: 100 }, 100.001, /at most 100/],
    ['currency', { scale: 2 }, 12.34, 12.34],
    ['currency', { scale: 2 }, 12.345, /at most 2 decimal/],
    ['currency', { scale: 0 }, 12, 12],
    ['currency', { scale: 0 }, 12.5, /at most 0 decimal/],
    ['currency', { scale: 7 }, 1e-7, 1e-7],
    ['currency', { scale: 6 }, 1e-7, /at most 6 decimal/],
    ['percent', { scale: 2 }, 1.5e-3, /at most 2 decimal/],
    ['integer', { minimum: 1, maximum: 5 }, 5, 5],
    ['integer', { minimum: 1, maximum: 5 }, 6, /at most 5/],
    ['select', {}, 'red', /one of the options/],
    ['multi_select', {}, [], null],
    ['multi_select', {}, ['red'], /only options of the field/],
    ['multi_select', rulesOf('multi_select'), Array(100).fill('red'), ['red']],
    ['multi_select', rulesOf('multi_select'), Array(101).fill('red'), /more than 100/],
  ];

  test.each(cases)('%s under %o: %o', (type, rules, given, expected) => {
    const parsed = FIELD_TYPE_TRAITS[type].parse(given, rules);
    if (expected instanceof RegExp) {
      expect(parsed).toEqual({
        problem: expect.objectContaining({ text: expect.stringMatching(expected) }),
      });
    } else expect(parsed).toEqual({ value: expected });
  });

  test('any text is taken when PostgreSQL can hold it, and unchanged', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(text, (value) => {
        const parsed = FIELD_TYPE_TRAITS.long_text.parse(value, rulesOf('long_text'));
        const expected = value === '' ? { value: null } : { value };
        if (isStorableText(value)) expect(parsed).toEqual(expected);
        else expect(parsed).toHaveProperty('problem');
      }),
    );
  });

  test('a number is taken when it has 15 significant digits and is below 1e15', () => {
    const digits = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 30 }), (integer, places) => {
        const value = Number(`${integer}e-${places}`);
        const canonical = value === 0 ? 0 : value;
        expect(FIELD_TYPE_TRAITS.number.parse(value, {})).toEqual({ value: canonical });
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const isShort = Number(value.toPrecision(15)) === value && Math.abs(value) < 1e15;
        expect('value' in FIELD_TYPE_TRAITS.number.parse(value, {})).toBe(isShort);
      }),
    );
  });

  test('a datetime is the clock time of its offset', () => {
    const date = fc.date({
      min: new Date('0001-01-03T00:00:00Z'),
      max: new Date('9999-12-29T00:00:00Z'),
      noInvalidDate: true,
    });
    const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(date, minutes, (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const pad = (value: number) => String(Math.abs(value)).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${pad(Math.trunc(offset / 60))}:${pad(offset % 60)}`;
        const parsed = FIELD_TYPE_TRAITS.datetime.parse(`${local}${zone}`, {});
        expect(parsed).toEqual({ value: moment.toISOString() });
      }),
    );
  });

  test('no value of any kind throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_TYPES), fc.jsonValue(), (type, value) => {
        if (value === null) return;
        const parsed = FIELD_TYPE_TRAITS[type].parse(value, rulesOf(type));
        expect(Object.keys(parsed)).toHaveLength(1);
      }),
    );
  });
});

describe('filter operands', () => {
  const REFUSED_OPERAND = Symbol('refused');
  type OperandCase = readonly [FieldType, unknown, 'text' | 'json', unknown];
  const id = '01900000-0000-7000-8000-00000000000a';
  const cases: readonly OperandCase[] = [
    ['text', 'a', 'text', 'a'],
    ['text', '', 'text', ''],
    ['text', 'null', 'text', 'null'],
    ['text', 'x'.repeat(1000), 'json', 'x'.repeat(1000)],
    ['text', 5, 'json', REFUSED_OPERAND],
    ['text', null, 'json', REFUSED_OPERAND],
    ['text', 'a\0', 'text', REFUSED_OPERAND],
    ['text', '\ud800', 'json', REFUSED_OPERAND],
    ['email', 'Some@Example.COM', 'text', 'some@example.com'],
    ['email', 'not an address', 'text', 'not an address'],
    ['url', 'HTTP://A.Example/X', 'json', 'http://a.example/X'],
    ['number', '5', 'text', 5],
    ['number', '5', 'json', 5],
    ['number', 5, 'json', 5],
    ['number', '-0.5', 'text', -0.5],
    ['number', '-0', 'text', 0],
    ['number', '+5', 'text', 5],
    ['number', '5.', 'text', 5],
    ['number', '.5', 'text', 0.5],
    ['number', '1e3', 'text', 1000],
    ['number', '1E-3', 'text', 0.001],
    ['number', '000000000000000000001.5', 'text', 1.5],
    ['number', '1.50000000000000000000', 'text', 1.5],
    ['number', '', 'text', REFUSED_OPERAND],
    ['number', ' 5', 'text', REFUSED_OPERAND],
    ['number', 'five', 'text', REFUSED_OPERAND],
    ['number', 'NaN', 'text', REFUSED_OPERAND],
    ['number', 'Infinity', 'text', REFUSED_OPERAND],
    ['number', '1e400', 'text', REFUSED_OPERAND],
    ['number', '1e15', 'text', REFUSED_OPERAND],
    ['number', '0x10', 'text', REFUSED_OPERAND],
    ['number', '1_000', 'text', REFUSED_OPERAND],
    ['number', '1,5', 'text', REFUSED_OPERAND],
    ['number', '.', 'text', REFUSED_OPERAND],
    ['number', '１', 'text', REFUSED_OPERAND],
    ['number', '1.0000000000000001', 'text', REFUSED_OPERAND],
    ['number', '0.1000000000000000055511151231257827', 'text', REFUSED_OPERAND],
    ['number', '9'.repeat(100_000), 'json', REFUSED_OPERAND],
    ['number', `0.1${'0'.repeat(1_000_000)}`, 'json', 0.1],
    ['number', `0.1${'0'.repeat(1_000_000)}1`, 'json', REFUSED_OPERAND],
    ['number', true, 'json', REFUSED_OPERAND],
    ['number', [5], 'json', REFUSED_OPERAND],
    ['number', Number.NaN, 'json', REFUSED_OPERAND],
    ['number', Number.POSITIVE_INFINITY, 'json', REFUSED_OPERAND],
    ['integer', '7', 'text', 7],
    ['integer', '7.0', 'text', 7],
    ['integer', '7.5', 'text', REFUSED_OPERAND],
    ['integer', '2147483648', 'text', REFUSED_OPERAND],
    ['integer', '-2147483648', 'text', -2_147_483_648],
    ['boolean', 'true', 'text', true],
    ['boolean', 'false', 'text', false],
    ['boolean', 'TRUE', 'text', REFUSED_OPERAND],
    ['boolean', '1', 'text', REFUSED_OPERAND],
    ['boolean', '', 'text', REFUSED_OPERAND],
    ['boolean', true, 'json', true],
    ['boolean', 'true', 'json', REFUSED_OPERAND],
    ['boolean', 1, 'json', REFUSED_OPERAND],
    ['date', '2025-01-31', 'text', '2025-01-31'],
    ['date', 'today', 'text', REFUSED_OPERAND],
    ['date', '2025-02-30', 'json', REFUSED_OPERAND],
    ['datetime', '2025-01-31T10:00:00+01:00', 'text', '2025-01-31T09:00:00.000Z'],
    ['datetime', '2025-01-31', 'json', '2025-01-31T00:00:00.000Z'],
    ['datetime', 'infinity', 'text', REFUSED_OPERAND],
    ['select', 'red', 'text', 'red'],
    ['select', 'an option of old', 'json', 'an option of old'],
    ['select', 1, 'json', REFUSED_OPERAND],
    ['select', '\0', 'text', REFUSED_OPERAND],
    ['multi_select', 'red', 'text', 'red'],
    ['multi_select', ['red'], 'json', REFUSED_OPERAND],
    ['reference', id.toUpperCase(), 'text', id],
    ['reference', '9223372036854775808', 'text', REFUSED_OPERAND],
    ['user', 5, 'json', 5],
    ['user', '5', 'json', REFUSED_OPERAND],
    ['user', 2 ** 63, 'json', REFUSED_OPERAND],
  ];

  const titled = cases.map(([type, operand, form, expected]) => ({
    type,
    operand,
    form,
    expected,
    title: show(operand),
  }));
  test.each(titled)('$type: $title as $form', ({ type, operand, form, expected }) => {
    const parsed = FIELD_TYPE_TRAITS[type].parseOperand(operand, form === 'text');
    if (expected === REFUSED_OPERAND) {
      expect(parsed).toEqual({
        problem: expect.objectContaining({ text: expect.stringMatching(/^must /) }),
      });
    } else {
      expect(parsed).toEqual({ value: expected });
      if ('value' in parsed) expect(Object.is(parsed.value, -0)).toBe(false);
    }
  });

  test('an operand that equals a written value finds it', () => {
    for (const { type, item } of flat(ACCEPTED)) {
      const [given, canonical] = item;
      if (canonical === null || type === 'file' || type === 'multi_select' || type === 'json')
        continue;
      expect(FIELD_TYPE_TRAITS[type].parseOperand(given, false)).toEqual({ value: canonical });
    }
  });
});

describe('the traits of a type match its samples (D31, D42)', () => {
  test.each(FIELD_TYPES)('%s', (type) => {
    const { operators, aggregates, isOrdered } = SAMPLES[type];
    const traits = FIELD_TYPE_TRAITS[type];
    expect([...traits.operators].sort()).toEqual([...operators].sort());
    expect(traits.aggregates).toEqual(aggregates);
    expect([traits.sortable, traits.groupable]).toEqual([isOrdered, isOrdered]);
  });
});

describe('ids', () => {
  test.each([
    ['01900000-0000-7000-8000-00000000000A', '01900000-0000-7000-8000-00000000000a'],
    ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['01900000-0000-7000-8000-00000000000', undefined],
    ['01900000-0000-7000-8000-0000000000001', undefined],
    ['01900000-0000-7000-8000-00000000000\0', undefined],
    ["01900000-0000-7000-8000-000000000001'--", undefined],
    ['', undefined],
    [42, undefined],
    [null, undefined],
  ])('record id %j', (given, expected) => {
    expect(parseRecordId(given)).toBe(expected);
  });

  test.each([
    ['1', 1],
    ['007', 7],
    [2_147_483_647, 2_147_483_647],
    ['2147483648', undefined],
    ['9223372036854775808', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['', undefined],
    [1.5, undefined],
    [null, undefined],
  ])('user id %j', (given, expected) => {
    expect(parseUserId(given)).toBe(expected);
  });
});

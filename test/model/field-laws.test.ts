// The laws of every field type: with its samples and with values of all other types.

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardText, unguardText } from '../../packages/tables/src/csv-text.ts';
import { writtenSchema } from '../../src/api/definitions/workspace-openapi-fields.ts';
import { TYPE_WORDS } from '../../src/model/values/field-type.ts';
import {
  FIELD_TYPE_TRAITS,
  FIELD_TYPES,
  type FieldType,
} from '../../src/model/values/field-types.ts';
import { fieldOf, objectOf, sampleModel } from '../sample-definition.ts';
import { SAMPLES } from '../sample-values.ts';
import { timesOf } from '../until.ts';

const RUNS = { numRuns: timesOf(200) };
const model = sampleModel();
const object = objectOf(model, 'gadgets');

/** RFC 3339, to the letter. */
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const ajv = new Ajv({ strict: false });
addFormats.default(ajv, ['date', 'uuid', 'int32']);
const isDate = ajv.compile({ type: 'string', format: 'date' });
ajv.addFormat('date-time', (text) => isDate(DATE_TIME.exec(text)?.[1]));
// The definition of an address is in words.
for (const name of ['idn-email', 'iri']) ajv.addFormat(name, true);

const HOSTILE: readonly unknown[] = [
  ...FIELD_TYPES.flatMap((type) => [
    ...SAMPLES[type].accepted.flat(),
    ...SAMPLES[type].refused,
    ...SAMPLES[type].cells.flat(),
  ]),
  [[]],
  [{}],
  Array(101).fill('red'),
  -1,
  Number.MAX_SAFE_INTEGER,
].filter((value) => value !== null);

function parse(type: FieldType, value: unknown) {
  return FIELD_TYPE_TRAITS[type].parse(value, fieldOf(object, `a_${type}`).rules);
}

/** The canonical value of something that is taken. */
function canonicalOf(type: FieldType, value: unknown): unknown {
  const parsed = parse(type, value);
  if ('problem' in parsed) return expect.fail(`${JSON.stringify(value)} ${parsed.problem}`);
  return parsed.value;
}

describe.each(FIELD_TYPES)('%s', (type) => {
  const traits = FIELD_TYPE_TRAITS[type];
  const samples = SAMPLES[type];
  const taken = fc.oneof(
    samples.arbitrary,
    fc.constantFrom(...samples.accepted.map(([one]) => one)),
  );
  const canonical = taken
    .map((value) => canonicalOf(type, value))
    .filter((value) => value !== null);

  test('a value that is shown and sent again is the same value', () => {
    fc.assert(
      fc.property(canonical, (value) => {
        expect(canonicalOf(type, JSON.parse(JSON.stringify(value)))).toEqual(value);
      }),
      RUNS,
    );
  });

  test('the JSON Schema takes accepted values and refuses refused ones, as far as it can express them', () => {
    const field = fieldOf(object, `a_${type}`);
    const isValid = ajv.compile(writtenSchema(model, { object, field, refersTo: null }));
    const agree = (value: unknown) => {
      const isTaken = 'value' in parse(type, value);
      if (isValid(value) === isTaken) return;
      const isExcepted = isTaken ? samples.isTakenAsWell : samples.isRefusedAsWell;
      expect(isExcepted?.(value), `${isTaken} ${JSON.stringify(value)}`).toBe(true);
    };
    for (const value of HOSTILE) agree(value);
    fc.assert(fc.property(samples.arbitrary, agree), RUNS);
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
        agree,
      ),
      RUNS,
    );
  });

  test('a cell of a file that was written is read as the same value', () => {
    fc.assert(
      fc.property(canonical, (value) => {
        const printed = traits.printCell(value);
        const text = traits.isHarmless ? printed : unguardText(guardText(printed));
        const read = traits.readCell(text);
        expect('value' in read && canonicalOf(type, read.value)).toEqual(value);
      }),
      RUNS,
    );
  });

  test.each(samples.cells)('the cell %j is %j', (text, value) => {
    const read = traits.readCell(text);
    expect('value' in read && canonicalOf(type, read.value)).toEqual(value);
  });

  test('a cell of anything is read or refused, and none throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = traits.readCell(text);
        if ('value' in read && read.value !== null) parse(type, read.value);
      }),
      RUNS,
    );
  });

  test('a value is an operand for itself, typed and as text', () => {
    if (!traits.operators.includes('in')) return;
    fc.assert(
      fc.property(canonical, (value) => {
        for (const item of [value].flat()) {
          expect(traits.parseOperand(item, false)).toEqual({ value: item });
          expect(traits.parseOperand(String(item), true)).toEqual({ value: item });
        }
      }),
      RUNS,
    );
  });

  test('the equality key of a value is its own key, and no operand lacks one', () => {
    const { equalityKey } = traits;
    if (equalityKey === undefined) return;
    fc.assert(
      fc.property(canonical, fc.string(), (value, operand) => {
        const key = equalityKey.of(String(value));
        expect(equalityKey.of(key)).toBe(key);
        expect(key).not.toBe('');
        expect(equalityKey.of(equalityKey.of(operand))).toBe(equalityKey.of(operand));
      }),
      RUNS,
    );
  });

  test('its traits are consistent', () => {
    expect(traits.name).toBe(type);
    expect(Object.isFrozen(traits)).toBe(true);
    expect(TYPE_WORDS).toEqual(expect.arrayContaining([...traits.words]));
    expect(FIELD_TYPES).toEqual(expect.arrayContaining(Object.keys(traits.becomes)));
    expect(traits.defaultMaxLength !== undefined).toBe(traits.words.includes('maxLength'));
    if (traits.canDisplay) expect(traits.textual).toBe(true);
    if (traits.search !== undefined) expect(traits.words).toContain('searchable');
    for (const text of [traits.toJson, ...Object.values(traits.predicates)]) {
      expect(text).toMatch(/\{(?:column|folded)\}/);
    }
  });
});

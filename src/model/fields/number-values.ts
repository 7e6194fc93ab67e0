// The common part of the number types: 15 significant digits, bounds, decimal places. Pure.

import { type Message, say } from '../../messages/message.ts';
import { significantDigits, survivesDouble } from '../values/decimals.ts';
import {
  defineFieldType,
  type FieldTypeTraits,
  ORDER,
  type OwnTraits,
  type ValueRules,
} from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { sqlText } from '../values/sql-text.ts';
import { FROM_DECIMAL } from './conversions.ts';

interface NumberOptions<Name extends string>
  extends Partial<Omit<OwnTraits<Name>, 'parse' | 'parseOperand' | 'predicates'>> {
  readonly name: Name;
  /** Returns the problem of a number that is exact enough. */
  readonly check?: (value: number) => Message | undefined;
}

export function defineNumberType<const Name extends string>({
  check,
  ...own
}: NumberOptions<Name>): FieldTypeTraits<Name> {
  const checked = (parsed: Parsed): Parsed => {
    if ('problem' in parsed) return parsed;
    const wrong = check?.(parsed.value as number);
    return wrong === undefined ? parsed : problem(wrong);
  };
  return defineFieldType({
    columnType: sqlText`numeric`,
    castType: sqlText`numeric`,
    predicates: ORDER,
    formula: { kind: 'number', isResult: true },
    aggregates: ['sum', 'avg', 'min', 'max'],
    becomes: FROM_DECIMAL,
    words: ['minimum', 'maximum', 'scale'],
    schema: { type: 'number' },
    isHarmless: true,
    parse(value, rules) {
      if (typeof value !== 'number') return problem(say('must_be_number'));
      const parsed = checked(checkNumber(value));
      return 'problem' in parsed ? parsed : checkBounds(parsed.value as number, rules);
    },
    parseOperand: (value) => checked(operandNumber(value)),
    readCell(given) {
      const text = given.trim();
      if (!DECIMAL.test(text)) return { value: text };
      // No field takes Infinity, which is in the place of a number that a double does not keep.
      return { value: survivesDouble(text) ? Number(text) : Number.POSITIVE_INFINITY };
    },
    ...own,
  });
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;

const DIGITS = 15;

/** `sent` is the number as text, which may be more exact than the number. */
function checkNumber(value: number, sent?: string): Parsed {
  // A body says Infinity for numbers that a double does not keep (json-text.ts).
  if (!Number.isFinite(value)) {
    return problem(say('must_be_below_1e15_with_digits', { digits: DIGITS }));
  }
  if (Math.abs(value) >= 1e15) return problem(say('must_be_below_1e15'));
  const decimal = sent ?? String(value);
  // A decimal of so few characters is exact in a double.
  const isExact = sent === undefined && decimal.length <= DIGITS;
  if (!isExact && (significantDigits(decimal) > DIGITS || !survivesDouble(decimal))) {
    return problem(say('must_have_fewer_digits', { digits: DIGITS }));
  }
  return { value: value === 0 ? 0 : value };
}

function checkBounds(value: number, rules: ValueRules): Parsed {
  const { minimum, maximum, scale } = rules;
  if (minimum !== undefined && value < minimum)
    return problem(say('must_be_at_least', { least: minimum }));
  if (maximum !== undefined && value > maximum)
    return problem(say('must_be_at_most', { most: maximum }));
  if (scale !== undefined && decimalPlaces(value) > scale) {
    return problem(say('must_have_fewer_decimals', { places: scale }));
  }
  return { value };
}

function decimalPlaces(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

function operandNumber(value: unknown): Parsed {
  if (typeof value === 'number') return checkNumber(value);
  if (typeof value !== 'string' || !DECIMAL.test(value)) return problem(say('must_be_number'));
  return checkNumber(Number(value), value);
}

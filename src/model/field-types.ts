// The field types: which column each needs, which operators it knows, and how a value from outside
// becomes the one canonical form that is stored, compared and printed. Pure; knows no field keys.

import { LIMITS } from '../limits.ts';
import { significantDigits, survivesDouble } from './decimals.ts';
import { inStoredOrder } from './json-order.ts';
import { type Parsed, problem } from './parsed.ts';
import { patternProblem } from './pattern.ts';
import { parseDate, parseDateTime } from './times.ts';

export type { Parsed };

export const FIELD_TYPES = [
  'text',
  'long_text',
  'number',
  'integer',
  'currency',
  'percent',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'email',
  'phone',
  'url',
  'reference',
  'user',
  'json',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export const FILTER_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** What a value is checked against; the words are JSON Schema's (specification §2.5). */
export interface ValueRules {
  readonly options?: readonly { readonly value: string; readonly label?: string }[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scale?: number;
}

export interface FieldTypeTraits {
  /** Column type in DDL; text always compares by code point. */
  readonly columnType: string;
  /** Type name for `$n::…` casts and `jsonb_to_recordset`. */
  readonly castType: string;
  readonly operators: readonly FilterOperator[];
  readonly sortable: boolean;
  readonly groupable: boolean;
  readonly aggregates: readonly ('sum' | 'avg' | 'min' | 'max')[];
  /** Stored as text: `''` is null, and a display field may have it. */
  readonly textual: boolean;
  readonly defaultMaxLength?: number;
  /** Parse a value written as JSON; null never gets here. */
  parse(value: unknown, rules: ValueRules): Parsed;
  /** Parse a filter operand: `text` is true for query strings, false for JSON bodies. */
  parseOperand(value: unknown, text: boolean): Parsed;
}

const RANGES: readonly FilterOperator[] = FILTER_OPERATORS;
const EQUALITY: readonly FilterOperator[] = ['eq', 'ne', 'in', 'is_null'];

/** True for strings PostgreSQL can hold: no U+0000, no lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** True when the text has more code points than this; it looks no further than it has to. */
function isLonger(text: string, length: number): boolean {
  if (text.length <= length || text.length > 2 * length) return text.length > length;
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    // The text is well formed: each of these begins a pair.
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs > length;
}

function parseString(value: unknown, rules: ValueRules): Parsed {
  if (typeof value !== 'string') return problem('must be a string');
  if (!isStorableText(value)) return problem('must not contain U+0000 or lone surrogates');
  const { minLength, maxLength, pattern } = rules;
  if (maxLength !== undefined && isLonger(value, maxLength)) {
    return problem(`must not be longer than ${maxLength} characters`);
  }
  if (minLength !== undefined && value !== '' && !isLonger(value, minLength - 1)) {
    return problem(`must not be shorter than ${minLength} characters`);
  }
  const wrong = pattern === undefined || value === '' ? undefined : patternProblem(pattern, value);
  if (wrong !== undefined) return problem(wrong);
  return { value: value === '' ? null : value };
}

function textType(options: {
  normalise?: (text: string) => string;
  check?: (text: string) => string | undefined;
  defaultMaxLength: number;
}): FieldTypeTraits {
  const normalise = options.normalise ?? ((text: string) => text);
  return {
    columnType: 'text collate "C"',
    castType: 'text',
    operators: RANGES,
    sortable: true,
    groupable: true,
    aggregates: ['min', 'max'],
    textual: true,
    defaultMaxLength: options.defaultMaxLength,
    // The rules hold for what is stored: lower case can be longer.
    parse(value, rules) {
      const parsed = parseString(typeof value === 'string' ? normalise(value) : value, rules);
      if ('problem' in parsed || parsed.value === null) return parsed;
      const wrong = options.check?.(parsed.value as string);
      return wrong === undefined ? parsed : problem(wrong);
    },
    parseOperand(value) {
      if (typeof value !== 'string') return problem('must be a string');
      if (!isStorableText(value)) return problem('must not contain U+0000 or lone surrogates');
      return { value: normalise(value) };
    },
  };
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;

const DIGITS = 15;

/** `decimal` is the number as it was sent: as text it may be more exact than the number. */
function checkNumber(value: number, decimal = String(value)): Parsed {
  // A body says Infinity for numbers that a double does not keep (json-text.ts).
  if (!Number.isFinite(value)) {
    return problem(`must have at most ${DIGITS} significant digits and be below 1e15`);
  }
  if (Math.abs(value) >= 1e15) return problem('must be a number of magnitude below 1e15');
  if (significantDigits(decimal) > DIGITS || !survivesDouble(decimal)) {
    return problem(`must have at most ${DIGITS} significant digits`);
  }
  return { value: value === 0 ? 0 : value };
}

function decimalPlaces(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

function checkBounds(value: number, rules: ValueRules): Parsed {
  const { minimum, maximum, scale } = rules;
  if (minimum !== undefined && value < minimum) return problem(`must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) return problem(`must be at most ${maximum}`);
  if (scale !== undefined && decimalPlaces(value) > scale) {
    return problem(`must have at most ${scale} decimal places`);
  }
  return { value };
}

function operandNumber(value: unknown): Parsed {
  if (typeof value === 'number') return checkNumber(value);
  if (typeof value !== 'string' || !DECIMAL.test(value)) return problem('must be a number');
  return checkNumber(Number(value), value);
}

function numberType(whole: boolean): FieldTypeTraits {
  const type = whole ? 'integer' : 'numeric';
  function checkWhole(parsed: Parsed): Parsed {
    if ('problem' in parsed || !whole) return parsed;
    const value = parsed.value as number;
    if (!Number.isInteger(value)) return problem('must be a whole number');
    return value === (value | 0) ? parsed : problem('must fit 32 bits');
  }
  return {
    columnType: type,
    castType: type,
    operators: RANGES,
    sortable: true,
    groupable: true,
    aggregates: ['sum', 'avg', 'min', 'max'],
    textual: false,
    parse(value, rules) {
      if (typeof value !== 'number') return problem('must be a number');
      const parsed = checkWhole(checkNumber(value));
      return 'problem' in parsed ? parsed : checkBounds(parsed.value as number, rules);
    },
    parseOperand: (value) => checkWhole(operandNumber(value)),
  };
}

/** A decimal integer id that fits a PostgreSQL `integer`, or undefined. */
export function parseUserId(value: unknown): number | undefined {
  const digits = typeof value === 'string' && /^[0-9]{1,10}$/.test(value);
  const id = digits ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647
    ? id
    : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The canonical (lower-case) form of a record id, or undefined when it is none. */
export function parseRecordId(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}

function identityType(castType: string, parse: (value: unknown) => Parsed): FieldTypeTraits {
  return {
    columnType: castType,
    castType,
    operators: EQUALITY,
    sortable: true,
    groupable: true,
    aggregates: [],
    textual: false,
    parse,
    parseOperand: parse,
  };
}

function parseReference(value: unknown): Parsed {
  const id = parseRecordId(value);
  return id === undefined ? problem('must be a record id') : { value: id };
}

function timeType(castType: string, parse: (value: unknown) => Parsed): FieldTypeTraits {
  return {
    columnType: castType,
    castType,
    operators: RANGES,
    sortable: true,
    groupable: true,
    aggregates: ['min', 'max'],
    textual: false,
    parse,
    parseOperand: parse,
  };
}

type Options = NonNullable<ValueRules['options']>;

/** A field has up to 1,000 options and a body 100,000 values to look for among them. */
const optionSets = new WeakMap<Options, ReadonlySet<unknown>>();

function optionsOf({ options = NO_OPTIONS }: ValueRules): ReadonlySet<unknown> {
  const known = optionSets.get(options);
  if (known !== undefined) return known;
  const made = new Set(options.map(({ value }) => value));
  optionSets.set(options, made);
  return made;
}

const NO_OPTIONS: Options = Object.freeze([]);

function parseOption(value: unknown, rules: ValueRules): Parsed {
  if (typeof value !== 'string') return problem('must be a string');
  if (optionsOf(rules).has(value)) return { value };
  return problem('must be one of the options of the field');
}

function parseOptions(value: unknown, rules: ValueRules): Parsed {
  if (!Array.isArray(value)) return problem('must be an array of options');
  if (value.length > LIMITS.multiSelectValues) {
    return problem(`must not have more than ${LIMITS.multiSelectValues} values`);
  }
  for (const item of value) {
    const parsed = parseOption(item, rules);
    if ('problem' in parsed) return problem('must hold options of the field only');
  }
  return { value: value.length === 0 ? null : [...new Set(value as string[])] };
}

function parseOptionOperand(value: unknown): Parsed {
  if (typeof value !== 'string') return problem('must be a string');
  return isStorableText(value) ? { value } : problem('must not contain U+0000 or lone surrogates');
}

function parseBoolean(value: unknown): Parsed {
  return typeof value === 'boolean' ? { value } : problem('must be true or false');
}

function parseBooleanOperand(value: unknown, text: boolean): Parsed {
  if (text && (value === 'true' || value === 'false')) return { value: value === 'true' };
  return text ? problem('must be true or false') : parseBoolean(value);
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorableJson(item));
}

function parseJsonValue(value: unknown): Parsed {
  if (!isStorableJson(value)) {
    return problem(
      'must not contain U+0000, lone surrogates or numbers that a double does not keep',
    );
  }
  return JSON.stringify(value).length <= LIMITS.longTextLength
    ? { value: inStoredOrder(value) }
    : problem(`must not be longer than ${LIMITS.longTextLength} characters as JSON`);
}

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\.]+$/u;

/** Scheme and host in lower case (D30); the user name and password between them keep their case. */
function lowerHost(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?([^/?#]*)/i.exec(url);
  if (match === null) return url;
  const [start, scheme = '', credentials = '', host = ''] = match;
  return scheme.toLowerCase() + credentials + host.toLowerCase() + url.slice(start.length);
}

function checkUrl(url: string): string | undefined {
  const valid = /^https?:\/\/[^\s/?#]/i.test(url) && URL.canParse(url) && !/\s/u.test(url);
  return valid ? undefined : 'must be an http or https URL';
}

function checkPhone(phone: string): string | undefined {
  const valid = /^[+\d][\d\s().,;/#*x-]*$/iu.test(phone) && phone.replace(/\D/g, '').length >= 3;
  return valid ? undefined : 'must be a phone number';
}

/** Everything the service knows about each field type. */
export const FIELD_TYPE_TRAITS: Readonly<Record<FieldType, FieldTypeTraits>> = Object.freeze({
  text: textType({ defaultMaxLength: LIMITS.textLength }),
  long_text: textType({ defaultMaxLength: LIMITS.longTextLength }),
  number: numberType(false),
  integer: numberType(true),
  currency: numberType(false),
  percent: numberType(false),
  boolean: {
    ...identityType('boolean', parseBoolean),
    parseOperand: parseBooleanOperand,
  },
  date: timeType('date', parseDate),
  datetime: timeType('timestamptz(3)', parseDateTime),
  select: {
    ...identityType('text', parseOptionOperand),
    columnType: 'text collate "C"',
    textual: true,
    parse: parseOption,
  },
  multi_select: {
    ...identityType('text[]', parseOptionOperand),
    operators: ['eq', 'in', 'is_null'],
    sortable: false,
    groupable: false,
    parse: parseOptions,
  },
  email: textType({
    normalise: (text) => text.toLowerCase(),
    check: (text) => (EMAIL.test(text) ? undefined : 'must be an e-mail address'),
    defaultMaxLength: 320,
  }),
  phone: textType({ check: checkPhone, defaultMaxLength: 50 }),
  url: textType({ normalise: lowerHost, check: checkUrl, defaultMaxLength: LIMITS.textLength }),
  reference: identityType('uuid', parseReference),
  user: identityType('integer', (value) => {
    const id = typeof value === 'number' ? parseUserId(value) : undefined;
    return id === undefined ? problem('must be a user id') : { value: id };
  }),
  json: {
    ...identityType('jsonb', parseJsonValue),
    operators: ['is_null'],
    sortable: false,
    groupable: false,
  },
});

// The field types: which column each needs, which operators it knows, and how a value from outside
// becomes the one canonical form that is stored, compared and printed. Pure; knows no field keys.

import { LIMITS } from '../limits.ts';
import { inStoredOrder } from './json-order.ts';

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

/** A canonical value or the sentence that says what is wrong with it. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

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

function problem(text: string): Parsed {
  return { problem: text };
}

/** True for strings PostgreSQL can hold: no U+0000, no lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const compiledPatterns = new Map<string, RegExp>();

function matchesPattern(pattern: string, text: string): boolean {
  let compiled = compiledPatterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, 'u');
    compiledPatterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

function parseString(value: unknown, rules: ValueRules): Parsed {
  if (typeof value !== 'string') return problem('must be a string');
  if (!isStorableText(value)) return problem('must not contain U+0000 or lone surrogates');
  const { minLength, maxLength, pattern } = rules;
  if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength) {
    return problem(`must not be longer than ${maxLength} characters`);
  }
  if (minLength !== undefined && value !== '' && codePoints(value) < minLength) {
    return problem(`must not be shorter than ${minLength} characters`);
  }
  if (pattern !== undefined && value !== '' && !matchesPattern(pattern, value)) {
    return problem(`must match the pattern ${pattern}`);
  }
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

/** Linear in the length of the text, which a client chooses. */
function hasFewDigits(decimal: string): boolean {
  const digits = decimal.replace(/e.*$/i, '').replace(/[^0-9]/g, '');
  return !/[1-9]/.test(digits.replace(/^0+/, '').slice(15));
}

/** `decimal` is the number as it was sent: as text it may be more exact than the number. */
function checkNumber(value: number, decimal = String(value)): Parsed {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) {
    return problem('must be a number of magnitude below 1e15');
  }
  if (!hasFewDigits(decimal)) return problem('must have at most 15 significant digits');
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

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] as number);
}

function parseDate(value: unknown): Parsed {
  return typeof value === 'string' && isDate(value)
    ? { value }
    : problem('must be a date as YYYY-MM-DD');
}

function parseDateTime(value: unknown): Parsed {
  const wrong = problem('must be a date and time as RFC 3339 with an offset');
  if (typeof value !== 'string') return wrong;
  if (isDate(value)) return { value: `${value}T00:00:00.000Z` };
  const match = DATE_TIME.exec(value);
  if (match === null || !isDate(match[1] as string)) return wrong;
  const [, date, hour, minute, second, fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return wrong;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone;
  if (offset !== 'Z' && (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59)) return wrong;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  const printed = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return /^(?!0000)\d{4}-/.test(printed) ? { value: printed } : wrong;
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

function parseOption(value: unknown, rules: ValueRules): Parsed {
  if (typeof value !== 'string') return problem('must be a string');
  const known = rules.options?.some((option) => option.value === value) ?? false;
  return known ? { value } : problem('must be one of the options of the field');
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
  if (!isStorableJson(value)) return problem('must not contain U+0000 or lone surrogates');
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

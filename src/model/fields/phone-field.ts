// `phone`: a phone number as people write it, international or national, kept as it was typed. Two are equal
// when their digits are (D267).

import { sqlText } from '../sql-text.ts';
import { defineTextType } from './text-values.ts';

const RULE =
  'must be a phone number such as +49 30 1234567 or (503) 555-9831: 3 or more digits, with spaces and . - / ( ) between them';

const TWO = 'must be one phone number, not two: put the second one into a field of its own';

export const phoneField = defineTextType({
  name: 'phone',
  defaultMaxLength: 50,
  search: { kind: 'phone', byDefault: true },
  equalityKey: {
    column: sqlText`regexp_replace({column}, '[^0-9]', '', 'g')`,
    of: digitsOf,
  },
  check(phone) {
    const isNumber = /^[+(\d][\d\s().,;/#*x-]*$/iu.test(phone);
    if (!isNumber || digitsOf(phone).length < 3) return RULE;
    return isTwo(phone) ? TWO : undefined;
  },
});

/**
 * True of two whole numbers with a slash or a semicolon between them. An area code, such as `+49 33094 / 1234567`, and an
 * extension have fewer digits.
 */
function isTwo(phone: string): boolean {
  const [first = '', second, third] = phone.split(/[/;]/);
  if (second === undefined || phone.includes('#')) return false;
  const isInternational = /^\s*\(?\s*(?:\+|00)/.test(first);
  const digits = digitsOf(first).replace(/^00/, '').length;
  const isWhole = digits >= (isInternational ? 9 : 7);
  return isWhole && [second, third ?? ''].some((other) => digitsOf(other).length >= 6);
}

function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

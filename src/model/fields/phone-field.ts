// `phone`: a phone number as people write it, international or national, kept as it was typed. Two are equal
// when their digits are (D267).

import { say } from '../../messages/message.ts';
import { sqlText } from '../sql-text.ts';
import { defineTextType } from './text-values.ts';

const RULE = say('must_be_phone');

const TWO = say('must_be_one_phone');

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

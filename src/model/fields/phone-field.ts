// `phone`: a phone number as people write it, international or national, kept as it was typed. Two are equal
// when their digits are (D267).

import { sqlText } from '../sql-text.ts';
import { defineTextType } from './text-values.ts';

const RULE =
  'must be a phone number such as +49 30 1234567 or (503) 555-9831: 3 or more digits, with spaces and . - / ( ) between them';

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
    return isNumber && digitsOf(phone).length >= 3 ? undefined : RULE;
  },
});

function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

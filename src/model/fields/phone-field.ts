// `phone`: a phone number as people write it, international or national, kept as it was typed. Two are equal
// when their digits are (D267).

import { digitsOf, isTwoPhones, looksLikePhone } from '../../../packages/tables/src/text-shapes.ts';
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
  readCell: (text) => ({ value: text.trim() }),
  check(phone) {
    if (!looksLikePhone(phone)) return RULE;
    return isTwoPhones(phone) ? TWO : undefined;
  },
});

// `phone`: a phone number as people write it, international or national, kept as it was typed. Two are equal
// when their digits are (D267).

import { digitsOf, isTwoPhones, looksLikePhone } from '../../../packages/tables/src/text-shapes.ts';
import { say } from '../../messages/message.ts';
import { sqlText } from '../values/sql-text.ts';
import { defineTextType } from './text-values.ts';

const RULE = say('must_be_phone');

const TWO = say('must_be_one_phone');

export const phoneField = defineTextType({
  name: 'phone',
  card: { property: 'TEL', reaches: true },
  takes: ['phone', 'text', 'integer', 'select'],
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

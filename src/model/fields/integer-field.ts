// `integer`: a whole number of 32 bits.

import { say } from '../../messages/message.ts';
import { sqlText } from '../values/sql-text.ts';
import { FROM_INTEGER } from './conversions.ts';
import { defineNumberType } from './number-values.ts';

export const integerField = defineNumberType({
  name: 'integer',
  takes: ['integer', 'number', 'currency'],
  columnType: sqlText`integer`,
  castType: sqlText`integer`,
  becomes: FROM_INTEGER,
  words: ['minimum', 'maximum'],
  schema: { type: 'integer', format: 'int32' },
  exactOperand: true,
  places: 0,
  check(value) {
    if (!Number.isInteger(value)) return say('must_be_whole_number');
    return value === (value | 0) ? undefined : say('must_fit_32_bits');
  },
});

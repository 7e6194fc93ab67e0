// `date`: a day, YYYY-MM-DD.

import { readDateCell } from '../values/cell-times.ts';
import { defineFieldType, ORDER } from '../values/field-type.ts';
import { sqlText } from '../values/sql-text.ts';
import { parseDate } from '../values/times.ts';
import { FROM_DATE } from './conversions.ts';

export const dateField = defineFieldType({
  name: 'date',
  takes: ['date', 'datetime'],
  columnType: sqlText`date`,
  castType: sqlText`date`,
  toJson: sqlText`to_char({column}, 'YYYY-MM-DD')`,
  becomes: FROM_DATE,
  predicates: ORDER,
  formula: { kind: 'day', isResult: true },
  aggregates: ['min', 'max'],
  schema: { type: 'string', format: 'date' },
  exactOperand: true,
  time: 'day',
  isHarmless: true,
  parse: parseDate,
  parseOperand: parseDate,
  readCell: (text) => ({ value: readDateCell(text) }),
});

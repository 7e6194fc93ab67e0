// `date`: a day, YYYY-MM-DD.

import { defineFieldType, ORDER } from '../field-type.ts';
import { sqlText } from '../sql-text.ts';
import { parseDate } from '../times.ts';

export const dateField = defineFieldType({
  name: 'date',
  columnType: sqlText`date`,
  castType: sqlText`date`,
  toJson: sqlText`to_char({column}, 'YYYY-MM-DD')`,
  becomes: {
    datetime: {
      column: sqlText`{column}::timestamp at time zone 'UTC'`,
      json: sqlText`{text} || 'T00:00:00.000Z'`,
    },
  },
  predicates: ORDER,
  aggregates: ['min', 'max'],
  schema: { type: 'string', format: 'date' },
  exactOperand: true,
  isHarmless: true,
  parse: parseDate,
  parseOperand: parseDate,
  readCell: (text) => ({ value: text.trim() }),
});

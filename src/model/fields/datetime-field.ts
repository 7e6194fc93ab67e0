// `datetime`: a moment to the millisecond, in UTC.

import { readTimeCell } from '../values/cell-times.ts';
import { defineFieldType, ORDER } from '../values/field-type.ts';
import { sqlText } from '../values/sql-text.ts';
import { parseDateTime } from '../values/times.ts';
import { FROM_DATETIME } from './conversions.ts';

export const datetimeField = defineFieldType({
  name: 'datetime',
  takes: ['date', 'datetime'],
  columnType: sqlText`timestamptz(3)`,
  castType: sqlText`timestamptz(3)`,
  toJson: sqlText`to_char({column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  becomes: FROM_DATETIME,
  predicates: ORDER,
  formula: { kind: 'moment', isResult: true },
  aggregates: ['min', 'max'],
  schema: { type: 'string', format: 'date-time' },
  isHarmless: true,
  time: 'moment',
  parse: parseDateTime,
  parseOperand: parseDateTime,
  readCell: (text) => ({ value: readTimeCell(text) }),
});

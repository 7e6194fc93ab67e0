// `select`: one of the options of the field.

import { LIMITS } from '../../limits.ts';
import { defineFieldType, EQUALITY } from '../values/field-type.ts';
import { sqlText } from '../values/sql-text.ts';
import { FROM_OPTION } from './conversions.ts';
import { parseOption } from './option-values.ts';
import { parseStorable } from './text-values.ts';

export const selectField = defineFieldType({
  name: 'select',
  columnType: sqlText`text collate "C"`,
  castType: sqlText`text`,
  becomes: FROM_OPTION,
  predicates: EQUALITY,
  textual: true,
  formula: { kind: 'text', isResult: false },
  words: ['options'],
  schema: { type: 'string' },
  longest: LIMITS.optionLength,
  parse: parseOption,
  parseOperand: parseStorable,
});

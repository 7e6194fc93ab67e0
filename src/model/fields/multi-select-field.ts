// `multi_select`: some of the options of the field. An operand is one of them, or several of which a
// record has any.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { defineFieldType } from '../values/field-type.ts';
import { joinOptions, splitOptions } from '../values/option-list.ts';
import { problem } from '../values/parsed.ts';
import { sqlText } from '../values/sql-text.ts';
import { parseOption } from './option-values.ts';
import { parseStorable } from './text-values.ts';

const OVERLAPS = sqlText`{column} && {values}`;

export const multiSelectField = defineFieldType({
  name: 'multi_select',
  columnType: sqlText`text[]`,
  castType: sqlText`text[]`,
  fromJson: sqlText`case jsonb_typeof({json}) when 'array' then array(select jsonb_array_elements_text({json})) end`,
  indexable: false,
  isList: true,
  predicates: {
    eq: OVERLAPS,
    in: OVERLAPS,
    has_any: OVERLAPS,
    has_all: sqlText`{column} @> {values}`,
    has_none: sqlText`({column} && {values}) is not true`,
  },
  sortable: false,
  groupable: false,
  words: ['options'],
  schema: { type: 'string' },
  longest: LIMITS.multiSelectValues * LIMITS.optionLength,
  parse(value, rules) {
    if (!Array.isArray(value)) return problem(say('must_be_options'));
    if (value.length > LIMITS.multiSelectValues) {
      return problem(say('must_not_have_more_values', { most: LIMITS.multiSelectValues }));
    }
    const isKnown = value.every((item) => 'value' in parseOption(item, rules));
    if (!isKnown) return problem(say('must_contain_options'));
    return { value: value.length === 0 ? null : [...new Set(value as string[])] };
  },
  parseOperand: parseStorable,
  readCell: (text, separator) => ({ value: splitOptions(text.trim(), separator) }),
  printCell: (value) => (Array.isArray(value) ? joinOptions(value) : String(value)),
});

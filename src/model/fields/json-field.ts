// `json`: any JSON. It has no order, and no operator compares it.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { BEYOND, JSON_BOUNDS } from '../text/json-depth.ts';
import { inStoredOrder } from '../text/json-order.ts';
import { parseJsonText } from '../text/json-text.ts';
import { defineFieldType } from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { sqlText } from '../values/sql-text.ts';
import { isStorableText } from '../values/storable-text.ts';

export const jsonField = defineFieldType({
  name: 'json',
  columnType: sqlText`jsonb`,
  castType: sqlText`jsonb`,
  fromJson: sqlText`nullif({json}, 'null')`,
  indexable: false,
  isAnyJson: true,
  predicates: {},
  sortable: false,
  groupable: false,
  schema: {},
  longest: LIMITS.longTextLength,
  isHarmless: true,
  parse: parseJson,
  parseOperand: parseJson,
  readCell(text) {
    try {
      const parsed = parseJsonText(text.trim(), JSON_BOUNDS);
      return 'value' in parsed ? parsed : problem(BEYOND[parsed.beyond]);
    } catch {
      return problem(say('must_be_json'));
    }
  },
  printCell: (value) => JSON.stringify(value),
});

function parseJson(value: unknown): Parsed {
  if (!isStorableJson(value)) {
    return problem(say('json_not_storable'));
  }
  return JSON.stringify(value).length <= LIMITS.longTextLength
    ? { value: inStoredOrder(value) }
    : problem(say('json_longer', { most: LIMITS.longTextLength }));
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorableJson(item));
}

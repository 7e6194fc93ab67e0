// `json`: any JSON. It has no order, and no operator compares it.

import { LIMITS } from '../../limits.ts';
import { defineFieldType } from '../field-type.ts';
import { BEYOND, JSON_BOUNDS } from '../json-depth.ts';
import { inStoredOrder } from '../json-order.ts';
import { parseJsonText } from '../json-text.ts';
import { type Parsed, problem } from '../parsed.ts';
import { sqlText } from '../sql-text.ts';
import { isStorableText } from '../storable-text.ts';

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
      return problem('must be JSON');
    }
  },
  printCell: (value) => JSON.stringify(value),
});

function parseJson(value: unknown): Parsed {
  if (!isStorableJson(value)) {
    return problem(
      'must not contain U+0000, lone surrogates or numbers that a double does not keep',
    );
  }
  return JSON.stringify(value).length <= LIMITS.longTextLength
    ? { value: inStoredOrder(value) }
    : problem(`must not be longer than ${LIMITS.longTextLength} characters as JSON`);
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorableJson(item));
}

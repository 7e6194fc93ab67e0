// `boolean`: true or false.

import { say } from '../../messages/message.ts';
import { defineFieldType, EQUALITY } from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { sqlText } from '../values/sql-text.ts';

export const booleanField = defineFieldType({
  name: 'boolean',
  columnType: sqlText`boolean`,
  castType: sqlText`boolean`,
  predicates: EQUALITY,
  formula: { kind: 'boolean', isResult: true },
  schema: { type: 'boolean' },
  isHarmless: true,
  parse: parseBoolean,
  parseOperand(value, text) {
    if (!text || typeof value !== 'string') return parseBoolean(value);
    return parseBoolean(value === 'true' || (value === 'false' ? false : value));
  },
  readCell(given) {
    const text = given.trim();
    return { value: CELLS.get(text.toLowerCase()) ?? text };
  },
});

/** The words of files, also of German programs and of Airtable: a column of them is guessed as booleans. */
const CELLS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1', 'ja', 'wahr', 'checked'].map((word) => [word, true] as const),
  ...['false', 'no', '0', 'nein', 'falsch', 'unchecked'].map((word) => [word, false] as const),
]);

function parseBoolean(value: unknown): Parsed {
  return typeof value === 'boolean' ? { value } : problem(say('must_be_boolean'));
}

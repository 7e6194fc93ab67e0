// `user`: the id of a person or agent.

import { say } from '../../messages/message.ts';
import { defineFieldType, EQUALITY } from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { sqlText } from '../values/sql-text.ts';

export const userField = defineFieldType({
  name: 'user',
  columnType: sqlText`integer`,
  castType: sqlText`integer`,
  refersTo: 'user',
  predicates: EQUALITY,
  schema: { type: 'integer', format: 'int32' },
  exactOperand: true,
  parse: parseUser,
  parseOperand: (value, text) => parseUser(text ? fromDigits(value, 15) : value),
  readCell: (text) => ({ value: fromDigits(text.trim(), 10) }),
});

/** A decimal integer id that fits a PostgreSQL `integer`, or undefined. */
export function parseUserId(value: unknown): number | undefined {
  const digits = typeof value === 'string' && /^[0-9]{1,10}$/.test(value);
  const id = digits ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647
    ? id
    : undefined;
}

function parseUser(value: unknown): Parsed {
  const id = typeof value === 'number' ? parseUserId(value) : undefined;
  return id === undefined ? problem(say('must_be_user_id')) : { value: id };
}

/** Text that is not a number, or has more digits, stays as it is and is refused. */
function fromDigits(value: unknown, most: number): unknown {
  const isNumber = typeof value === 'string' && /^\d+$/.test(value) && value.length <= most;
  return isNumber ? Number(value) : value;
}

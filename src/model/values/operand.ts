// The values that a field is compared with. No value is longer than the field allows, so a longer one is not searched
// for, printed or kept. Pure.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { isLonger } from '../fields/text-values.ts';
import { comparedTraits } from './field-types.ts';
import { type Parsed, problem } from './parsed.ts';
import { longestOf, type Sized } from './value-size.ts';

/** Parse a filter operand of a field; `text` is true for query strings, false for JSON bodies. */
export function parseOperandOf(field: Sized, value: unknown, text: boolean): Parsed {
  const most = Math.max(longestOf(field), LIMITS.textLength);
  if (typeof value === 'string' && isLonger(value, most)) {
    return problem(say('must_not_be_longer', { most }));
  }
  return comparedTraits(field).parseOperand(value, text);
}

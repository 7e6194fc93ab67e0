// Whether a stored value is one of the field that its field becomes, and which (D243). Pure.

import { isDeepStrictEqual } from 'node:util';
import { say } from '../../messages/message.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import type { Field } from './model.ts';

type Typed = Pick<Field, 'type' | 'rules'>;

/** The value as the field after the change has it. With another type it must be one as it is. */
export function fittingValue(from: Typed, into: Typed, value: unknown): Parsed {
  const traits = FIELD_TYPE_TRAITS[into.type];
  if (from.type === into.type) return traits.parse(value, into.rules);
  const { read } = FIELD_TYPE_TRAITS[from.type].becomes[into.type] ?? {};
  const given = read === undefined ? value : read(value);
  const parsed = traits.parse(given, into.rules);
  if ('problem' in parsed || isDeepStrictEqual(parsed.value, given)) return parsed;
  return problem(say('must_be_as_stored'));
}

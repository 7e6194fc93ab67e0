// The options of a field as values: those it has now are written, any text is compared with, because a
// record may hold an option of old. Pure.

import { say } from '../../messages/message.ts';
import type { ValueRules } from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';

type Options = NonNullable<ValueRules['options']>;

export function parseOption(value: unknown, rules: ValueRules): Parsed {
  if (typeof value !== 'string') return problem(say('must_be_string'));
  if (optionsOf(rules).has(value)) return { value };
  return problem(say('must_be_option'));
}

/** A field has up to 1,000 options and a body 100,000 values to look for among them. */
const optionSets = new WeakMap<Options, ReadonlySet<unknown>>();

const NO_OPTIONS: Options = Object.freeze([]);

function optionsOf({ options = NO_OPTIONS }: ValueRules): ReadonlySet<unknown> {
  const known = optionSets.get(options);
  if (known !== undefined) return known;
  const made = new Set(options.map(({ value }) => value));
  optionSets.set(options, made);
  return made;
}

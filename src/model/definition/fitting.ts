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
  const text = labelledTexts(from, into).get(value) ?? value;
  const given = read === undefined ? text : read(text);
  const parsed = traits.parse(given, into.rules);
  if ('problem' in parsed || isDeepStrictEqual(parsed.value, given)) return parsed;
  return problem(say('must_be_as_stored'));
}

/** The texts that change between options and their labels; a label of two options, or that is a value, does not. */
export function labelledTexts(from: Typed, into: Typed): ReadonlyMap<unknown, string> {
  const { becomes, words } = FIELD_TYPE_TRAITS[from.type];
  if (from.type === into.type || becomes[into.type]?.isLabelled !== true) return NO_TEXTS;
  const isOption = words.includes('options');
  const { options = [] } = (isOption ? from : into).rules;
  const labelled = options.flatMap(({ value, label = value }) =>
    label === value ? [] : [[String(value), String(label)] as const],
  );
  if (isOption) return new Map(labelled);
  const labels = [...options.map(({ value }) => value), ...labelled.map(([, label]) => label)];
  const isPlain = (label: string) => labels.indexOf(label) === labels.lastIndexOf(label);
  return new Map(labelled.flatMap(([value, label]) => (isPlain(label) ? [[label, value]] : [])));
}

const NO_TEXTS: ReadonlyMap<unknown, string> = new Map();

// The common part of the free text types: rules for their length and pattern, '' for null. Pure.

import { type Message, say } from '../../messages/message.ts';
import { patternProblem } from '../text/pattern.ts';
import {
  defineFieldType,
  type EqualityKey,
  type FieldTypeTraits,
  ORDER,
  type OwnTraits,
  type Predicates,
  type ValueRules,
} from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { sqlText } from '../values/sql-text.ts';
import { isStorableText, UNSTORABLE } from '../values/storable-text.ts';
import { TO_TEXT } from './conversions.ts';

interface TextOptions<Name extends string>
  extends Partial<Omit<OwnTraits<Name>, 'parse' | 'parseOperand' | 'predicates'>> {
  readonly name: Name;
  readonly defaultMaxLength: number;
  readonly normalise?: (text: string) => string;
  /** Returns the problem of a text that satisfies the rules. */
  readonly check?: (text: string) => Message | undefined;
}

/**
 * Texts are equal when they are equal in NFC (D376), and ranges are in code-point order of it. The stored text stays
 * as it was sent. Testing that a text is in NFC costs a third of normalising it, and a tenth where it is ASCII.
 */
const IN_NFC: EqualityKey = Object.freeze({
  name: 'nfc',
  column: sqlText`case when octet_length({column}) = length({column}) or {column} is nfc normalized then {column} else normalize({column}, nfc) end`,
  of: (text: string) => text.normalize('NFC'),
  ordered: true,
});

/** Parts of a text are found whatever their case. */
const TEXT_PREDICATES: Predicates = Object.freeze({
  ...ORDER,
  contains: sqlText`{folded} like {containing}`,
  starts_with: sqlText`{folded} like {starting}`,
  ends_with: sqlText`{folded} like {ending}`,
});

export function defineTextType<const Name extends string>({
  normalise = (text) => text,
  check,
  ...own
}: TextOptions<Name>): FieldTypeTraits<Name> {
  return defineFieldType({
    columnType: sqlText`text collate "C"`,
    castType: sqlText`text`,
    predicates: TEXT_PREDICATES,
    equalityKey: IN_NFC,
    sortsByLocale: true,
    aggregates: ['min', 'max'],
    textual: true,
    formula: { kind: 'text', isResult: false },
    canDisplay: true,
    becomes: TO_TEXT,
    words: ['minLength', 'maxLength', 'pattern', 'searchable'],
    schema: { type: 'string' },
    longest: own.defaultMaxLength,
    // The rules apply to the stored text: lower case can be longer.
    parse(value, rules) {
      const parsed = parseString(typeof value === 'string' ? normalise(value) : value, rules);
      if ('problem' in parsed || parsed.value === null) return parsed;
      const wrong = check?.(parsed.value as string);
      return wrong === undefined ? parsed : problem(wrong);
    },
    parseOperand(value) {
      const parsed = parseStorable(value);
      return 'value' in parsed ? { value: normalise(parsed.value as string) } : parsed;
    },
    ...own,
  });
}

/** A text that can be stored. */
export function parseStorable(value: unknown): Parsed {
  if (typeof value !== 'string') return problem(say('must_be_string'));
  return isStorableText(value) ? { value } : problem(UNSTORABLE);
}

function parseString(value: unknown, rules: ValueRules): Parsed {
  const parsed = parseStorable(value);
  if ('problem' in parsed) return parsed;
  const text = parsed.value as string;
  const { minLength, maxLength } = rules;
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    return problem(say('must_not_be_longer', { most: maxLength }));
  }
  if (text === '') return { value: null };
  if (minLength !== undefined && !isLonger(text, minLength - 1)) {
    return problem(say('must_not_be_shorter', { least: minLength }));
  }
  const wrong = patternProblem(rules, text);
  return wrong === undefined ? { value: text } : problem(wrong);
}

/** True when the text has more code points than this; it looks no further than it has to. */
export function isLonger(text: string, length: number): boolean {
  if (text.length <= length || text.length > 2 * length) return text.length > length;
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    // The text is well formed: each of these begins a pair.
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs > length;
}

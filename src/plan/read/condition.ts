// From a condition of known form to one on a field, with values of the field's type. A value that depends on a person
// or a moment keeps its original form beside the resolved one. Pure.

import type { Problems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { about, say } from '../../messages/message.ts';
import { isObject } from '../../model/definition/definition.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import type { Planner } from '../../model/rights/access.ts';
import { OPERAND_KINDS, type WhereOperator } from '../../model/values/field-type.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { parseOperandOf } from '../../model/values/operand.ts';
import { type Parsed, problem } from '../../model/values/parsed.ts';
import { isStorableText, UNSTORABLE } from '../../model/values/storable-text.ts';
import { type Condition, type ConditionInput, refuse, splitList } from './filter.ts';
import { parseRelativeTime } from './relative-time.ts';
import { ownKeyOf, type PlannedField } from './resolve-field.ts';

/** A condition with the field that was found for it, and what else decides of its value. */
export interface AskedCondition {
  readonly input: ConditionInput;
  readonly field: PlannedField;
  /** The object whose field it is. */
  readonly object: ObjectModel;
  readonly caller: Planner;
}

/** Give an input its field (found readable before) and a canonical value, or a problem. */
export function planCondition(asked: AskedCondition, problems: Problems): Condition | undefined {
  const { input, field } = asked;
  const traits = FIELD_TYPE_TRAITS[field.type];
  const known: readonly WhereOperator[] = input.extended ? traits.whereOperators : traits.operators;
  if (!known.includes(input.op)) {
    const message = say('operators_of_field', { type: field.type, operators: known.join(', ') });
    refuse(problems, placeOf(input, 'op'), message);
    return undefined;
  }
  const value = operandOf(asked);
  if ('value' in value) {
    const said = namesPeople(input.value) ? { said: input.value } : {};
    return { field, op: input.op, value: value.value, ...said };
  }
  refuse(problems, placeOf(input, 'value'), value.problem);
  return undefined;
}

/** The client's name of a part of a condition; a filter has one name for all. */
export function placeOf({ param, extended }: ConditionInput, part: string): string {
  return extended === undefined ? param : `${param}.${part}`;
}

/** The value, or a sentence that describes its problem. */
function operandOf(asked: AskedCondition): Parsed {
  switch (OPERAND_KINDS[asked.input.op]) {
    case 'boolean':
      return booleanOperand(asked.input);
    case 'list':
      return listOperand(asked);
    case 'two':
      return rangeOperand(asked);
    case 'part':
      return textOperand(asked);
    case 'one': {
      const parsed = oneOperand(asked, asked.input.value);
      return 'value' in parsed ? parsed : problem(about('The value', parsed.problem));
    }
  }
}

function oneOperand({ field, input, caller }: AskedCondition, value: unknown): Parsed {
  const { extended, text } = input;
  const [word, ...others] = wordsOf(value);
  if (extended === undefined || word === undefined || others.length > 0) {
    return parseOperandOf(field, value, text);
  }
  const traits = FIELD_TYPE_TRAITS[field.type];
  const said = (value as Readonly<Record<string, unknown>>)[word];
  if (word === 'relative' && traits.time !== undefined) {
    return parseRelativeTime(said, extended.timezone);
  }
  const isUser = traits.refersTo === 'user';
  if (word === 'me' && isUser && said === true) return { value: caller.user.id };
  if (word === 'my_teams' && isUser)
    return problem(say('operand_my_teams', { form: '{"my_teams": true}' }));
  return traits.parseOperand(value, text);
}

/** The properties of an object that is used as a value. */
function wordsOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function isMyTeams(value: unknown): boolean {
  const words = wordsOf(value);
  return words.length === 1 && (value as { readonly my_teams?: unknown }).my_teams === true;
}

/** True when the value depends on the caller, and on the teams they are in at that time. */
function namesPeople(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.some((item) => isMyTeams(item) || wordsOf(item).includes('me'));
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function booleanOperand({ text, value: operand }: ConditionInput): Parsed {
  const value = text ? BOOLEANS.get(operand) : operand;
  return typeof value === 'boolean' ? { value } : problem(say('operand_boolean'));
}

function listOperand(asked: AskedCondition): Parsed {
  const { op, value, text } = asked.input;
  const items = text ? splitList(String(value)) : isMyTeams(value) ? [value] : value;
  if (!Array.isArray(items) || items.length === 0 || items.length > LIMITS.inValues) {
    return problem(say('operand_list', { op, most: LIMITS.inValues }));
  }
  const values = new Set<unknown>();
  for (const item of items as readonly unknown[]) {
    if (mayNameTeams(asked) && isMyTeams(item)) {
      for (const id of asked.caller.colleague_ids) values.add(id);
      continue;
    }
    const parsed = oneOperand(asked, item);
    if ('problem' in parsed) return problem(about('Each value', parsed.problem));
    values.add(parsed.value);
  }
  return { value: [...values] };
}

function rangeOperand(asked: AskedCondition): Parsed {
  const { value } = asked.input;
  if (!Array.isArray(value) || value.length !== 2) {
    return problem(say('operand_range'));
  }
  const ends: unknown[] = [];
  for (const end of value as readonly unknown[]) {
    const parsed = oneOperand(asked, end);
    if ('problem' in parsed) return problem(about('Each value', parsed.problem));
    ends.push(parsed.value);
  }
  return { value: ends };
}

function mayNameTeams({ field, input }: AskedCondition): boolean {
  return input.extended !== undefined && FIELD_TYPE_TRAITS[field.type].refersTo === 'user';
}

/** A part of a text: long enough for the index, in a field that has one. */
function textOperand({ field, object, input }: AskedCondition): Parsed {
  const { value, op } = input;
  if (!field.indexed && ownKeyOf(field) !== object.display_field) {
    const remedy = FIELD_TYPE_TRAITS[field.type].indexable
      ? 'declare this one with "indexed: true" in the definition'
      : `a ${field.type} field cannot be indexed`;
    return problem(say('operator_needs_index', { op, remedy }));
  }
  if (typeof value !== 'string') return problem(about('The value', say('must_be_string')));
  if (!isStorableText(value)) return problem(about('The value', UNSTORABLE));
  const [least, most] = [LIMITS.matchedTextMinimum, LIMITS.textQueryLength];
  const length = [...value.slice(0, 2 * most + 2)].length;
  if (length >= least && length <= most) return { value };
  return problem(say('operand_text_length', { op, least, most }));
}

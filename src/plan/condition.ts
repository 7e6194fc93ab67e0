// From a condition of known form to one on a field, with values of the field's type. What a person or a
// moment decides stays as it was said, beside what it stands for. Pure.

import { LIMITS } from '../limits.ts';
import type { Caller } from '../model/access.ts';
import type { WhereOperator } from '../model/field-type.ts';
import { comparedTraits, FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import { type Parsed, problem } from '../model/parsed.ts';
import { type Condition, type ConditionInput, type Problems, refuse, splitList } from './filter.ts';
import type { PlannedField } from './resolve-field.ts';

/** A condition with the field that was found for it, and what else decides of its value. */
export interface AskedCondition {
  readonly input: ConditionInput;
  readonly field: PlannedField;
  readonly caller: Caller;
}

/** Give an input its field (found readable before) and a canonical value, or a problem. */
export function planCondition(asked: AskedCondition, problems: Problems): Condition | undefined {
  const { input, field } = asked;
  const traits = FIELD_TYPE_TRAITS[field.type];
  const known: readonly WhereOperator[] = input.extended ? traits.whereOperators : traits.operators;
  if (!known.includes(input.op)) {
    const message = `A ${field.type} field knows the operators ${known.join(', ')}.`;
    refuse(problems, placeOf(input, 'op'), message);
    return undefined;
  }
  const value = operandOf(asked);
  if ('value' in value) return { field, op: input.op, value: value.value };
  refuse(problems, placeOf(input, 'value'), value.problem);
  return undefined;
}

/** The client's name of a part of a condition; a filter has one name for all. */
export function placeOf({ param, extended }: ConditionInput, part: string): string {
  return extended === undefined ? param : `${param}.${part}`;
}

/** The value, or a sentence that says what is wrong with it. */
function operandOf(asked: AskedCondition): Parsed {
  switch (asked.input.op) {
    case 'is_null':
      return booleanOperand(asked.input);
    case 'in':
    case 'not_in':
    case 'has_any':
    case 'has_all':
    case 'has_none':
      return listOperand(asked);
    case 'between':
      return rangeOperand(asked);
    default: {
      const parsed = oneOperand(asked, asked.input.value);
      return 'value' in parsed ? parsed : problem(`The value ${parsed.problem}.`);
    }
  }
}

function oneOperand({ field, input }: AskedCondition, value: unknown): Parsed {
  return comparedTraits(field).parseOperand(value, input.text);
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function booleanOperand({ text, value: operand }: ConditionInput): Parsed {
  const value = text ? BOOLEANS.get(operand) : operand;
  return typeof value === 'boolean' ? { value } : problem('is_null takes true or false.');
}

function listOperand(asked: AskedCondition): Parsed {
  const { op, value, text } = asked.input;
  const items = text ? splitList(String(value)) : value;
  if (!Array.isArray(items) || items.length === 0 || items.length > LIMITS.inValues) {
    return problem(`${op} takes 1 to ${LIMITS.inValues} values, none of them empty.`);
  }
  const values = new Set<unknown>();
  for (const item of items as readonly unknown[]) {
    const parsed = oneOperand(asked, item);
    if ('problem' in parsed) return problem(`Each value ${parsed.problem}.`);
    values.add(parsed.value);
  }
  return { value: [...values] };
}

function rangeOperand(asked: AskedCondition): Parsed {
  const { value } = asked.input;
  if (!Array.isArray(value) || value.length !== 2) {
    return problem('between takes two values, the lowest and the highest.');
  }
  const ends: unknown[] = [];
  for (const end of value as readonly unknown[]) {
    const parsed = oneOperand(asked, end);
    if ('problem' in parsed) return problem(`Each value ${parsed.problem}.`);
    ends.push(parsed.value);
  }
  return { value: ends };
}

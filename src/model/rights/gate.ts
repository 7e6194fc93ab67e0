// Gates of moves: who may approve, how many have to, and when the gate applies (docs/design/approvals.md). The condition
// has the meaning that the same condition has in a query; test/sql/gate-condition.test.ts compares both. Pure.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Field, Gate, GateCondition, ObjectModel } from '../definition/model.ts';
import { GATE_OPERATORS, type GateOperator, OPERAND_KINDS } from '../values/field-type.ts';
import { FIELD_TYPE_TRAITS, type FieldType, isEqual } from '../values/field-types.ts';
import { type Parsed, problem } from '../values/parsed.ts';

/** The rules of a gate that does not name them. */
export const GATE_DEFAULTS = Object.freeze({
  required: 1,
  from: 'any',
  self_approval: false,
  expires_days: LIMITS.requestDays.byDefault,
} as const);

/** The order of texts depends on their collation. */
const ORDERING: ReadonlySet<GateOperator> = new Set(['lt', 'lte', 'gt', 'gte', 'between']);

/** The operators that a condition on a field of this type can have; none: it cannot be one. */
export function gateOperatorsOf(type: FieldType): readonly GateOperator[] {
  const { whereOperators, textual, isAnyJson, holdsFiles, refersTo } = FIELD_TYPE_TRAITS[type];
  if (isAnyJson || holdsFiles || refersTo !== undefined) return [];
  return GATE_OPERATORS.filter(
    (op) => whereOperators.includes(op) && !(textual && ORDERING.has(op)),
  );
}

/** The value of a condition in canonical form, or a sentence that describes its problem. */
export function parseGateValue(type: FieldType, { op, value }: GateCondition): Parsed {
  const parseOne = (one: unknown) => FIELD_TYPE_TRAITS[type].parseOperand(one, false);
  switch (OPERAND_KINDS[op]) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : problem(say('must_be_boolean'));
    case 'two':
      return Array.isArray(value) && value.length === 2
        ? parseEach(value, parseOne)
        : problem(say('must_be_two_values'));
    case 'list':
      return Array.isArray(value) && value.length > 0 && value.length <= LIMITS.inValues
        ? parseEach(value, parseOne)
        : problem(say('must_be_value_list', { most: LIMITS.inValues }));
    case 'one':
      return parseOne(value);
  }
}

function parseEach(values: readonly unknown[], parseOne: (one: unknown) => Parsed): Parsed {
  const parsed: unknown[] = [];
  for (const value of values) {
    const one = parseOne(value);
    if ('problem' in one) return one;
    parsed.push(one.value);
  }
  return { value: parsed };
}

/** True when the move of a record with these values needs approval; `storedValue` gives null for no value. */
export function isGateClosed(
  { when }: Gate,
  object: ObjectModel,
  storedValue: (field: Field) => unknown,
): boolean {
  if (when === undefined) return true;
  const field = object.fields.get(when.field);
  // A condition that cannot be judged does not open the gate.
  if (field === undefined) return true;
  const parsed = parseGateValue(field.type, when);
  return 'problem' in parsed || isMetBy(field, when.op, parsed.value, storedValue(field));
}

/** True when a stored value meets a condition, as in a query: nulls meet `ne`, `not_in` and `has_none`. */
function isMetBy(field: Field, op: GateOperator, operand: unknown, stored: unknown): boolean {
  if (op === 'is_null') return (stored === null) === operand;
  const operands = Array.isArray(operand) ? operand : [operand];
  const isAmong = (one: unknown) => operands.some((other) => isEqual(field, one, other));
  if (FIELD_TYPE_TRAITS[field.type].isList) return isListMet(op, operands, stored);
  switch (op) {
    case 'eq':
    case 'in':
      return stored !== null && isAmong(stored);
    case 'ne':
    case 'not_in':
      return stored === null || !isAmong(stored);
    default:
      return stored !== null && isInOrder(op, operands, stored);
  }
}

function isListMet(op: GateOperator, operands: readonly unknown[], stored: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(stored) ? stored : [];
  switch (op) {
    case 'has_all':
      return stored !== null && operands.every((one) => items.includes(one));
    case 'has_none':
      return !operands.some((one) => items.includes(one));
    default:
      return operands.some((one) => items.includes(one));
  }
}

/** Numbers, and times in their canonical form, which has the order of their text. */
function isInOrder(op: GateOperator, [low, high]: readonly unknown[], stored: unknown): boolean {
  const first = compare(stored, low);
  switch (op) {
    case 'lt':
      return first < 0;
    case 'lte':
      return first <= 0;
    case 'gt':
      return first > 0;
    case 'gte':
      return first >= 0;
    default:
      return first >= 0 && compare(stored, high) <= 0;
  }
}

/** A number with more digits than a double keeps is a text. */
function compare(stored: unknown, operand: unknown): number {
  const one = typeof operand === 'number' ? Number(stored) : String(stored);
  const other = typeof operand === 'number' ? operand : String(operand);
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Somebody as gates name them: by address, and by the names of their teams. */
export interface NamedPerson {
  readonly email: string;
  readonly teams: Iterable<string>;
}

/** True when the gate names the person, or a team of theirs. */
export function isApprover({ users, teams }: Gate, person: NamedPerson): boolean {
  return users.has(person.email) || [...person.teams].some((team) => teams.has(team));
}

/** True when the approvals of these people, each once, open the gate. */
export function isEnough(gate: Gate, people: readonly NamedPerson[]): boolean {
  const approvers = people.filter((person) => isApprover(gate, person));
  if (approvers.length < gate.required) return false;
  if (gate.from === 'any') return true;
  const teams = new Set(approvers.flatMap((person) => [...person.teams]));
  return (
    [...gate.users].every((email) => approvers.some((person) => person.email === email)) &&
    [...gate.teams].every((team) => teams.has(team))
  );
}

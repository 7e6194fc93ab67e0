// The rules of a condition on a record, of a gate or of a rollup. Pure.

import { type Message, say } from '../../messages/message.ts';
import type { FieldDefinition } from '../../model/definition/definition.ts';
import type { GateCondition } from '../../model/definition/model.ts';
import { valueType } from '../../model/definition/value-type.ts';
import { gateOperatorsOf, parseGateValue } from '../../model/rights/gate.ts';
import { unknownName } from '../../model/text/nearest-name.ts';
import { ownValue } from '../../model/text/own-value.ts';

/** The problem of a condition on a field of the object. */
export function conditionProblem(
  when: GateCondition,
  object: string,
  fields: Readonly<Record<string, FieldDefinition>>,
): Message | undefined {
  const field = ownValue(fields, when.field);
  if (field === undefined) return unknownName(when.field, `a field of ${object}`, fields);
  const type = valueType(field);
  const operators = gateOperatorsOf(type);
  if (operators.length === 0) return say('definition_gate_field', { type });
  if (!operators.includes(when.op)) {
    return say('definition_gate_operator', { type, operators: operators.join(', ') });
  }
  const parsed = parseGateValue(type, when);
  if ('problem' in parsed) return say('definition_gate_value', { problem: parsed.problem });
  const unknown = unknownOption(field, parsed.value);
  return unknown === undefined ? undefined : say('definition_gate_option', { option: unknown });
}

function unknownOption({ options }: FieldDefinition, value: unknown): string | undefined {
  if (options === undefined || typeof value === 'boolean') return undefined;
  const known = new Set(options.map((option) => option.value));
  return [value]
    .flat()
    .map(String)
    .find((one) => !known.has(one));
}

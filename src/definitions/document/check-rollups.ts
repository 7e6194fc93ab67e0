// The rules of fields that summarize other records: a reference to this object, a field with values that can be
// summarized, and conditions on fields that exist. Pure.

import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import type {
  DefinitionDocument,
  FieldDefinition,
  ObjectDefinition,
} from '../../model/definition/definition.ts';
import { ROLLUP } from '../../model/definition/definition-words.ts';
import { isRollup, valueType, withoutRollups } from '../../model/definition/value-type.ts';
import type { RollupDefinition } from '../../model/rollups/rollup-words.ts';
import { unknownName } from '../../model/text/nearest-name.ts';
import { ownValue } from '../../model/text/own-value.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { conditionProblem } from './check-condition.ts';

const WORDS: ReadonlySet<string> = new Set([
  ...['name', 'renamed_from', 'description', 'section', 'type', 'rollup'],
]);

type ReportWord = (path: readonly string[], message: Message) => void;

/** Report the problems of the rollups of an object; the path begins with the key of a field. */
export function checkRollups(
  document: DefinitionDocument,
  objectType: string,
  report: ReportWord,
): void {
  const entries = Object.entries(document.objects[objectType]?.fields ?? {});
  const most = LIMITS.rollupsOfObject;
  const count = entries.filter(([, field]) => isRollup(field)).length;
  if (count > most) report([], say('definition_too_many_rollups', { count, most }));
  for (const [key, field] of entries) {
    const { type, rollup } = field;
    if (!isRollup(field)) {
      const message = say('definition_word_misplaced', { type, types: ROLLUP });
      if (rollup !== undefined) report([key, 'rollup'], message);
      continue;
    }
    checkWords(field, (word, message) => report([key, word], message));
    if (rollup === undefined) continue;
    checkSource({ document, objectType, rollup }, (path, message) =>
      report([key, 'rollup', ...path], message),
    );
  }
}

function checkWords(
  field: FieldDefinition,
  report: (word: string, message: Message) => void,
): void {
  const { type, rollup } = field;
  if (rollup === undefined) report('rollup', say('definition_required_for_type', { type }));
  for (const word of Object.keys(field)) {
    if (!WORDS.has(word)) report(word, say('definition_impossible_for_type', { type }));
  }
}

interface CheckedRollup {
  readonly document: DefinitionDocument;
  readonly objectType: string;
  readonly rollup: RollupDefinition;
}

function checkSource({ document, objectType, rollup }: CheckedRollup, report: ReportWord): void {
  const { objects } = document;
  const { object_type: otherType, field: key } = rollup.reference;
  const definition = ownValue(objects, otherType);
  if (definition === undefined) {
    report(['reference', 'object_type'], unknownName(otherType, 'an object type', objects));
    return;
  }
  const other = withoutRollups(definition);
  const reference = ownValue(other.fields, key);
  if (reference?.type !== 'reference' || reference.reference_object_type !== objectType) {
    report(['reference', 'field'], say('rollup_reference', { object: otherType, to: objectType }));
  }
  const problem = valueProblem(rollup, otherType, other);
  if (problem !== undefined) report(['field'], problem);
  const fields = { ...other.fields, ...statusField(document, other) };
  (rollup.where ?? []).forEach((condition, index) => {
    const { field } = condition;
    const isStoredAsJson = ownValue(fields, field)?.storage === 'jsonb';
    const wrong = isStoredAsJson
      ? say('definition_must_have_column', { key: field })
      : conditionProblem(condition, otherType, fields);
    if (wrong !== undefined) report(['where', `${index}`], wrong);
  });
}

/** The problem of the field whose values are summarized. */
function valueProblem(
  { op, field: key }: RollupDefinition,
  otherType: string,
  { fields }: ObjectDefinition,
): Message | undefined {
  if (op === 'count') return key === undefined ? undefined : say('rollup_counts');
  if (key === undefined) return say('rollup_needs_field', { op });
  const field = ownValue(fields, key);
  if (field === undefined) return unknownName(key, `a field of ${otherType}`, fields);
  if (field.storage === 'jsonb') return say('definition_must_have_column', { key });
  const type = valueType(field);
  const { formula, aggregates } = FIELD_TYPE_TRAITS[type];
  const isPossible = op === 'last' ? formula !== undefined : aggregates.includes(op);
  return isPossible ? undefined : say('metric_impossible', { op, what: `a ${type} field` });
}

/** The status that a workflow gives to records, as conditions see it. */
function statusField(
  { workflows = {} }: DefinitionDocument,
  { workflow }: ObjectDefinition,
): Readonly<Record<string, FieldDefinition>> {
  const statuses = ownValue(workflows, workflow ?? '')?.statuses;
  if (statuses === undefined) return {};
  const options = Object.keys(statuses).map((value) => ({ value }));
  return { status: { type: 'select', options } };
}

// An upsert before anything is read: its target, the match that it recognises a record by, and its fields
// (D52).

import { type Problem, type Problems, shownName } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { about, type Message, say } from '../../messages/message.ts';
import { type Field, WORK_ITEMS } from '../../model/definition/model.ts';
import { comparedTraits, FIELD_TYPE_TRAITS, isEqual } from '../../model/values/field-types.ts';
import type { Parsed } from '../../model/values/parsed.ts';
import { resolveField } from '../read/resolve-field.ts';
import { isEarlierRecord } from './earlier-record.ts';
import { planFields } from './write-fields.ts';
import type {
  FieldValues,
  Planned,
  Scope,
  WriteOperation,
  WrittenFields,
} from './write-operation.ts';

type PlannedUpsert = Partial<Pick<Planned, 'values' | 'match' | 'problems'>>;

const NO_MATCH: WrittenFields = Object.freeze({ values: new Map(), problems: [] });

/** `target`, `match` and `fields` of an upsert (D52). */
export function planUpsert(
  scope: Scope,
  operation: Extract<WriteOperation, { action: 'upsert' }>,
  problems: Problems,
): PlannedUpsert {
  const { prefix } = scope;
  const target = planTarget(scope, operation.target, problems);
  if (target === undefined) return {};
  const { values: matchValues, problems: unmatched } = planMatch(scope, operation.match, problems);
  // A fixed order of keys, so that equal matches give equal lock names.
  const merged = [...new Map([...matchValues, ...target])];
  const match = new Map(merged.sort(([a], [b]) => (a.key < b.key ? -1 : 1)));
  const { values, problems: broken } = planFields(scope, operation.fields ?? {}, problems);
  for (const [field, value] of match) {
    const said = [matchValues, values].filter((map) => map.has(field)).map((map) => map.get(field));
    if (said.every((other) => isEqual(field, other, value))) continue;
    const message = say('upsert_disagrees');
    const param = `${prefix}match.${field.key}`;
    problems.push({ param, code: 'validation_failed', message });
  }
  const own = [...unmatched, ...broken];
  return { values: new Map([...match, ...values]), match, problems: own };
}

/** Object types have no condition of their own in the match; the slug of a work-item type adds the type. */
function planTarget(
  { model, object, prefix }: Scope,
  target: string,
  problems: Problems,
): ReadonlyMap<Field, unknown> | undefined {
  if (target === object.object_type) return new Map();
  const type = object.fields.get('work_item_type_id');
  const isType = object.object_type === WORK_ITEMS && model.work_item_types.get(target)?.active;
  if (isType === true && type !== undefined) return new Map([[type, target]]);
  const others = object.object_type === WORK_ITEMS ? ' or an active work-item type' : '';
  const message = say('target_differs', {
    target: `${JSON.stringify(object.object_type)}${others}`,
  });
  problems.push({ param: `${prefix}target`, code: 'validation_failed', message });
  return undefined;
}

/** Only fields that can be written: a create merges the match into the fields (D52). */
function planMatch(scope: Scope, match: FieldValues, problems: Problems): WrittenFields {
  const { caller, object, prefix, source } = scope;
  const entries = Object.entries(match);
  if (entries.length < 1 || entries.length > LIMITS.matchKeys) {
    const message = say('match_count', { most: LIMITS.matchKeys });
    problems.push({ param: `${prefix}match`, code: 'validation_failed', message });
    return NO_MATCH;
  }
  const values = new Map<Field, unknown>();
  const broken: Problem[] = [];
  for (const [key, value] of entries) {
    const param = `${prefix}match.${shownName(key)}`;
    const field = resolveField(caller, object, { param, key }, problems);
    if (field === undefined) continue;
    if (field.formula !== null || (!field.editable && source !== 'import')) {
      const message = say('match_read_only');
      broken.push({ param, code: 'invalid_write', message });
      continue;
    }
    if (scope.earlier !== undefined && isEarlierRecord(value)) {
      problems.push({ param, code: 'validation_failed', message: say('match_of_operation') });
      continue;
    }
    const parsed =
      value === null ? { value: null } : comparedTraits(field).parse(value, field.rules);
    const usable = 'value' in parsed && parsed.value !== null && !Array.isArray(parsed.value);
    if (usable && !FIELD_TYPE_TRAITS[field.type].isAnyJson) values.set(field, parsed.value);
    else problems.push({ param, code: 'invalid_filter', message: matchMessage(parsed) });
  }
  return { values, problems: broken };
}

function matchMessage(parsed: Parsed): Message {
  return 'problem' in parsed ? about('The value', parsed.problem) : say('match_empty');
}

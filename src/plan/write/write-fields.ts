// The fields of one write before anything is read: keys resolved through what the caller may read and
// write, values in their canonical form (D44).

import { type Problem, type Problems, shownName } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { about, type Message, say } from '../../messages/message.ts';
import { isObject } from '../../model/definition/definition.ts';
import { type Field, PUBLIC_ID_KEY, STATUS_ALIAS_KEY } from '../../model/definition/model.ts';
import { systemField } from '../../model/definition/system-fields.ts';
import { canReadField, canWriteField } from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { isEarlierRecord, resolveEarlier } from './earlier-record.ts';
import type { EarlierRecord, FieldValues, Scope, WrittenFields } from './write-operation.ts';

/** The column of the author; imports may set it like a field. */
export const AUTHOR_KEY = 'created_by_user_id';

/** Columns an import may set although the API may not. */
const IMPORTED_KEYS: ReadonlySet<string> = new Set([
  'id',
  'status',
  PUBLIC_ID_KEY,
  'created_at',
  'updated_at',
]);

/** Resolve the keys of `fields`: keys that are unknown or not permitted fail the request (D44). */
export function planFields(scope: Scope, fields: FieldValues, problems: Problems): WrittenFields {
  const values = new Map<Field, unknown>();
  const broken: Problem[] = [];
  const base = `${scope.prefix}fields`;
  const { custom_fields: custom } = fields;
  const isMap = isObject(custom);
  const nested = isMap ? custom : NO_FIELDS;
  if (custom !== undefined && !isMap) {
    broken.push(rule(`${base}.custom_fields`, say('must_be_object')));
  }
  const [keys, nestedKeys] = [Object.keys(fields), Object.keys(nested)];
  const count = keys.length - Number('custom_fields' in fields) + nestedKeys.length;
  if (count > LIMITS.fieldsPerWrite) {
    const message = say('too_many_fields', { most: LIMITS.fieldsPerWrite });
    problems.push({ param: base, code: 'validation_failed', message });
    return { values, problems: broken };
  }
  const written: FoundFields = { values, problems, broken, unknown: 0 };
  for (const key of keys) {
    if (key !== 'custom_fields') planField(scope, { key, nested: false }, fields[key], written);
  }
  for (const key of nestedKeys) planField(scope, { key, nested: true }, nested[key], written);
  const more = written.unknown - LIMITS.namesShown;
  if (more > 0) {
    const message = say('more_fields_unknown', { count: more });
    problems.push({ param: base, code: 'invalid_filter', message });
  }
  return { values, problems: broken };
}

const NO_FIELDS: FieldValues = Object.freeze({});

/** A key as it was sent: under `fields`, or under `fields.custom_fields`. */
interface SentKey {
  readonly key: string;
  readonly nested: boolean;
}

/** Made for problems only: a batch has hundreds of keys. */
function paramOf({ prefix }: Scope, { key, nested }: SentKey): string {
  const name = shownName(key);
  return nested ? `${prefix}fields.custom_fields.${name}` : `${prefix}fields.${name}`;
}

function planField(scope: Scope, sent: SentKey, value: unknown, found: FoundFields): void {
  const { values, problems, broken } = found;
  const field = writableField(scope, sent, found);
  if (field === undefined) return;
  if (value === null) {
    values.set(field, null);
    return;
  }
  if (isNamed(scope, field, value)) {
    const objectType = field.reference_object_type as string;
    const named = { param: paramOf(scope, sent), name: value, objectType };
    const id = resolveEarlier(scope, named, problems);
    if (id !== undefined) values.set(field, id);
    return;
  }
  const parsed = FIELD_TYPE_TRAITS[field.type].parse(value, field.rules);
  if ('problem' in parsed) broken.push(rule(paramOf(scope, sent), parsed.problem));
  else values.set(field, parsed.value);
}

/** Only in place of a reference: other fields may hold such a value. */
function isNamed({ earlier }: Scope, { type }: Field, value: unknown): value is EarlierRecord {
  return (
    earlier !== undefined && FIELD_TYPE_TRAITS[type].refersTo === 'record' && isEarlierRecord(value)
  );
}

function rule(param: string, message: Message): Problem {
  return { param, code: 'invalid_write', message: about('The value', message) };
}

/** Values, and problems of keys: not permitted, read-only, unknown. */
interface FoundFields {
  readonly values: Map<Field, unknown>;
  readonly problems: Problems;
  readonly broken: Problem[];
  /** The first ones are named, the others only counted. */
  unknown: number;
}

function writableField(scope: Scope, sent: SentKey, found: FoundFields): Field | undefined {
  const { problems, broken } = found;
  const { caller, object, source } = scope;
  const { key, nested } = sent;
  if (source === 'import' && key === AUTHOR_KEY && !nested) return AUTHOR_FIELD;
  const rollup = nested ? undefined : object.rollups.get(key);
  const field = object.fields.get(key) ?? rollup;
  if (field === undefined || nested !== (field.storage === 'jsonb')) {
    found.unknown += 1;
    if (found.unknown > LIMITS.namesShown) return undefined;
    const param = paramOf(scope, sent);
    problems.push({ param, code: 'invalid_filter', message: unknownFieldMessage(field) });
    return undefined;
  }
  if (canReadField(caller, object, field) && (field.formula !== null || rollup !== undefined)) {
    const message = say('field_computed');
    broken.push({ param: paramOf(scope, sent), code: 'invalid_write', message });
    return undefined;
  }
  if (!canReadField(caller, object, field) || !canWriteField(caller, object, field)) {
    const param = paramOf(scope, sent);
    problems.push({ param, code: 'permission_denied', message: say('field_not_writable') });
    return undefined;
  }
  if (!field.editable && !(source === 'import' && (IMPORTED_KEYS.has(key) || !field.system))) {
    const isStatus = key.endsWith('status') || key === STATUS_ALIAS_KEY;
    const message = say(isStatus ? 'field_read_only_status' : 'field_read_only');
    broken.push({ param: paramOf(scope, sent), code: 'invalid_write', message });
    return undefined;
  }
  return field;
}

function unknownFieldMessage(field: Field | undefined): Message {
  if (field === undefined) return say('field_unknown');
  return field.storage === 'jsonb' ? say('field_is_custom') : say('field_is_physical');
}

/** The author is a column of every record, but a field to imports only. */
export const AUTHOR_FIELD: Field = systemField(AUTHOR_KEY, 'Author', 'user', { nullable: false });

// The first decision of a write, before anything is read: which object, which fields, may the caller
// do this at all, and what must be looked up to judge the rest. Single writes are batches of one.

import { type ErrorCode, errorFromProblems, type Problem } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Caller, canReadField, canWriteField, objectAccess } from '../model/access.ts';
import { systemField } from '../model/compile.ts';
import { FIELD_TYPE_TRAITS, parseRecordId } from '../model/field-types.ts';
import type { Field, ObjectModel, RecordAction, WorkspaceModel } from '../model/model.ts';
import { WORK_ITEMS } from '../model/model.ts';
import type { Problems } from './filter.ts';
import type { Precondition } from './precondition.ts';
import { resolveField } from './read-plan.ts';

export type FieldValues = Readonly<Record<string, unknown>>;

/** One write, as the batch endpoint names it (specification §4.3). */
export type WriteOperation =
  | { readonly action: 'create'; readonly fields: FieldValues }
  | {
      readonly action: 'update';
      readonly id: string;
      readonly fields: FieldValues;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'status';
      readonly id: string;
      readonly status_id: string;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'delete';
      readonly id: string;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'upsert';
      readonly target: string;
      readonly match: FieldValues;
      readonly fields: FieldValues;
    };

/** Where a write comes from: an import by an administrator may set status, author and times. */
export type WriteSource = 'api' | 'import';

export interface WriteRequest {
  readonly operations: readonly WriteOperation[];
  readonly source: WriteSource;
  /** True when `operations` is the client's own array, so that `param` names the index. */
  readonly batch: boolean;
}

/** An operation whose keys are resolved and whose values are canonical. */
export interface PlannedWrite {
  readonly index: number;
  readonly operation: WriteOperation;
  /** Canonical record id; undefined for create and upsert, null when it can be no id. */
  readonly id: string | null | undefined;
  readonly values: ReadonlyMap<Field, unknown>;
  readonly match: ReadonlyMap<Field, unknown>;
  /** Broken rules found without reading; reported only when the record itself is in order. */
  readonly problems: readonly Problem[];
  /** Prefix of `param`: '' or `operations[3].`. */
  readonly prefix: string;
}

export interface WritePlan {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
  readonly source: WriteSource;
  readonly batch: boolean;
  readonly writes: readonly PlannedWrite[];
}

/** The column of the author; imports may set it like a field. */
export const AUTHOR_KEY = 'created_by_user_id';

/** Columns an import may set although the API may not. */
const IMPORTED_KEYS: ReadonlySet<string> = new Set(['status', 'created_at']);

/** Plan and authorise all operations; throws the first problem with all of them in `details`. */
export function planWrites(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  request: WriteRequest,
): WritePlan {
  const problems: Problem[] = [];
  const { source, batch } = request;
  const writes = request.operations.map((operation, index) => {
    const prefix = batch ? `operations[${index}].` : '';
    const scope: Scope = { caller, object, source, prefix };
    const found: Problems = [];
    const planned = planOperation(scope, operation, found);
    const label = batch ? { operation_index: index, action: operation.action } : {};
    problems.push(...found.map((problem) => ({ ...problem, ...label })));
    return { ...planned, index, operation, prefix };
  });
  if (problems.length > 0) throw errorFromProblems(problems);
  return { model, caller, object, source, batch, writes };
}

interface Scope {
  readonly caller: Caller;
  readonly object: ObjectModel;
  readonly source: WriteSource;
  readonly prefix: string;
}

type Planned = Pick<PlannedWrite, 'id' | 'values' | 'match' | 'problems'>;

const NOTHING: Planned = { id: undefined, values: new Map(), match: new Map(), problems: [] };

function planOperation(scope: Scope, operation: WriteOperation, problems: Problems): Planned {
  const refusals = actionsOf(operation).map((action) => refusalOf(scope, action));
  if (refusals[0] !== undefined && !refusals.includes(undefined)) {
    problems.push(refusals[0]);
    return NOTHING;
  }
  switch (operation.action) {
    case 'create':
      return { ...NOTHING, ...planFields(scope, operation.fields, problems) };
    case 'update':
      return { ...NOTHING, ...idOf(operation), ...planFields(scope, operation.fields, problems) };
    case 'status':
    case 'delete':
      return { ...NOTHING, ...idOf(operation) };
    case 'upsert':
      return planUpsert(scope, operation, problems);
  }
}

function idOf(operation: { readonly id: string }): Pick<Planned, 'id'> {
  return { id: parseRecordId(operation.id) ?? null };
}

/** One of these must be allowed; an upsert is judged again once it is known which it is. */
function actionsOf(operation: WriteOperation): readonly RecordAction[] {
  if (operation.action === 'upsert') return ['create', 'update'];
  return [operation.action === 'status' ? 'update' : operation.action];
}

/** Why the caller may not do this to any record, or undefined (D21); imports are not the API. */
export function refusalOf(
  { caller, object, source, prefix }: Scope,
  action: RecordAction,
): Problem | undefined {
  const problem = (code: ErrorCode, message: string) => ({
    ...(prefix === '' ? {} : { param: prefix.slice(0, -1) }),
    code,
    message,
  });
  if (action !== 'read' && !object.capabilities[action] && source !== 'import') {
    return problem('write_not_supported', `${object.name} do not support this through the API.`);
  }
  if (objectAccess(caller, object).reach[action] !== null) return undefined;
  return problem('permission_denied', `The user may not ${action} records of ${object.name}.`);
}

/** Resolve the keys of `fields`: what is unknown or not permitted ends the request here (D44). */
function planFields(
  scope: Scope,
  fields: FieldValues,
  problems: Problems,
): Pick<Planned, 'values' | 'problems'> {
  const values = new Map<Field, unknown>();
  const broken: Problem[] = [];
  const base = `${scope.prefix}fields`;
  const { custom_fields: custom } = fields;
  const isMap = typeof custom === 'object' && custom !== null && !Array.isArray(custom);
  const nested = Object.keys(isMap ? custom : {});
  if (custom !== undefined && !isMap) {
    broken.push(rule(`${base}.custom_fields`, 'must be an object'));
  }
  const keys = Object.keys(fields).filter((key) => key !== 'custom_fields');
  if (keys.length + nested.length > LIMITS.fieldsPerWrite) {
    const message = `At most ${LIMITS.fieldsPerWrite} fields can be written at once.`;
    problems.push({ param: base, code: 'validation_failed', message });
    return { values, problems: broken };
  }
  const entries = [
    ...keys.map((key) => ({ key, value: fields[key], nested: false })),
    ...nested.map((key) => ({ key, value: (custom as FieldValues)[key], nested: true })),
  ];
  for (const { key, value, nested } of entries) {
    const param = nested ? `${base}.custom_fields.${key}` : `${base}.${key}`;
    const field = writableField(scope, { param, key, nested }, problems, broken);
    if (field === undefined) continue;
    const parsed = value === null ? { value: null } : parseWritten(field, value);
    if ('problem' in parsed) broken.push(rule(param, parsed.problem));
    else values.set(field, parsed.value);
  }
  return { values, problems: broken };
}

function parseWritten(field: Field, value: unknown) {
  return FIELD_TYPE_TRAITS[field.type].parse(value, field.rules);
}

function rule(param: string, message: string): Problem {
  return { param, code: 'invalid_write', message: `The value ${message}.` };
}

function writableField(
  scope: Scope,
  {
    param,
    key,
    nested,
  }: { readonly param: string; readonly key: string; readonly nested: boolean },
  problems: Problems,
  broken: Problem[],
): Field | undefined {
  const { caller, object, source } = scope;
  if (source === 'import' && key === AUTHOR_KEY && !nested) return AUTHOR_FIELD;
  const field = object.fields.get(key);
  if (field === undefined || nested !== (field.storage === 'jsonb')) {
    problems.push({ param, code: 'invalid_filter', message: unknownFieldMessage(field) });
    return undefined;
  }
  if (!canReadField(caller, object, field) || !canWriteField(caller, object, field)) {
    const message = 'The user may not write this field.';
    problems.push({ param, code: 'permission_denied', message });
    return undefined;
  }
  if (!field.editable && !(source === 'import' && (IMPORTED_KEYS.has(key) || !field.system))) {
    const hint = key.endsWith('status') || key === 'custom_status_id' ? STATUS_HINT : '';
    broken.push({ param, code: 'invalid_write', message: `The field is read-only.${hint}` });
    return undefined;
  }
  return field;
}

const STATUS_HINT = ' Move the record with POST …/status.';

function unknownFieldMessage(field: Field | undefined): string {
  if (field === undefined) return 'There is no such field.';
  return field.storage === 'jsonb'
    ? 'The field is stored as jsonb: write it under fields.custom_fields.'
    : 'The field is physical: write it directly under fields.';
}

/** The author is a column of every record, but a field to imports only. */
export const AUTHOR_FIELD: Field = systemField(AUTHOR_KEY, 'Author', 'user', { nullable: false });

/** `target`, `match` and `fields` of an upsert (D52). */
function planUpsert(
  scope: Scope,
  operation: Extract<WriteOperation, { action: 'upsert' }>,
  problems: Problems,
): Planned {
  const { object, prefix } = scope;
  if (operation.target !== object.object_type || object.object_type === WORK_ITEMS) {
    const message = `The target must be ${JSON.stringify(object.object_type)}.`;
    problems.push({ param: `${prefix}target`, code: 'validation_failed', message });
    return NOTHING;
  }
  const match = planMatch(scope, operation.match, problems);
  const { values, problems: broken } = planFields(scope, operation.fields, problems);
  for (const [field, value] of match) {
    if (values.has(field) && values.get(field) !== value) {
      const message = 'match and fields disagree.';
      const param = `${prefix}match.${field.key}`;
      problems.push({ param, code: 'validation_failed', message });
    }
  }
  return { id: undefined, values: new Map([...match, ...values]), match, problems: broken };
}

function planMatch(
  scope: Scope,
  match: FieldValues,
  problems: Problems,
): ReadonlyMap<Field, unknown> {
  const { caller, object, prefix } = scope;
  const entries = Object.entries(match);
  if (entries.length < 1 || entries.length > LIMITS.matchKeys) {
    const message = `match takes 1 to ${LIMITS.matchKeys} fields.`;
    problems.push({ param: `${prefix}match`, code: 'validation_failed', message });
    return new Map();
  }
  const values = new Map<Field, unknown>();
  // One order of keys, so that upserts with the same match are known as the same.
  for (const [key, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const param = `${prefix}match.${key}`;
    const field = resolveField(caller, object, { param, key }, problems);
    if (field === undefined) continue;
    const parsed = value === null ? { value: null } : parseMatched(field, value);
    const usable = 'value' in parsed && parsed.value !== null && !Array.isArray(parsed.value);
    if (usable && field.type !== 'json') values.set(field, parsed.value);
    else problems.push({ param, code: 'invalid_filter', message: matchMessage(parsed) });
  }
  return values;
}

function parseMatched(field: Field, value: unknown) {
  if (field.cast_type === 'uuid') return FIELD_TYPE_TRAITS.reference.parse(value, field.rules);
  return parseWritten(field, value);
}

function matchMessage(parsed: { value: unknown } | { problem: string }): string {
  return 'problem' in parsed
    ? `The value ${parsed.problem}.`
    : 'A match needs one value that is not empty.';
}

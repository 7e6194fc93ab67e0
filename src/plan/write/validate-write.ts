// The second decision of a write: given the locked rows and what else was looked up, is each
// operation allowed and valid, and what exactly changes. Pure: rows in, changes or problems out.

import { errorFromProblems, messageOf } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import {
  type Field,
  type ObjectModel,
  PUBLIC_ID_KEY,
  type Reach,
  TYPE_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { changedKeys, filledFormulas } from '../../model/formulas/changed-formulas.ts';
import {
  canWriteField,
  isFieldOfType,
  isWithinReach,
  objectAccess,
} from '../../model/rights/access.ts';
import { workflowOf } from '../../model/rights/workflow.ts';
import { FIELD_TYPE_TRAITS, isEqual } from '../../model/values/field-types.ts';
import { withFiles } from './file-values.ts';
import { isMet } from './precondition.ts';
import { validateComment } from './validate-comment.ts';
import { validateDelete } from './validate-delete.ts';
import { validateLink, validateUnlink } from './validate-link.ts';
import { validateStatus } from './validate-status.ts';
import { AUTHOR_KEY } from './write-fields.ts';
import type { PlannedWrite, WritePlan } from './write-operation.ts';
import { labelOf, REPEATED_RECORD, refusalOf } from './write-plan.ts';
import {
  type Change,
  currentValue,
  fieldParam,
  isPresent,
  isSame,
  type LookupResults,
  type ProblemsByStage,
  type Records,
  recordKey,
  recordNow,
  refuseValue,
  report,
  requireReach,
  type WriteValidation,
} from './write-validation.ts';
import { rowWritten } from './written-rows.ts';

type Row = Readonly<Record<string, unknown>>;

/** Validates every operation; throws the problems of the earliest stage, or returns one change for each. */
export function validateWrites(plan: WritePlan, lookedUp: LookupResults): readonly Change[] {
  const problems: ProblemsByStage = { record: [], permission: [], precondition: [], rules: [] };
  const used = new Set<string>();
  for (const { id, follows, comment } of plan.writes) {
    if (id && !follows && comment === undefined) used.add(id);
  }
  const records: Records = new Map();
  const attached = new Set<string>();
  const changes = plan.writes.map((write) => {
    const one = { plan, lookedUp, write, problems, records, attached };
    refuseRepeatedRecord(one, used);
    const change = validateOperation(one);
    if (plan.writes.length > 1 && change !== undefined) leave(one, change);
    return change;
  });
  for (const stage of [
    problems.record,
    problems.permission,
    problems.precondition,
    problems.rules,
  ]) {
    if (stage.length > 0) throw errorFromProblems(stage);
  }
  return changes.map((change) => change as Change);
}

/** Leaves the changed record for later operations. */
function leave({ write: { object }, records }: WriteValidation, change: Change): void {
  let left: Row | undefined;
  records.set(recordKey(object, change.id), () => {
    if (change.kind === 'delete') return null;
    left ??= rowWritten(object, change, '');
    return left;
  });
}

function validateOperation(one: WriteValidation): Change | undefined {
  const { operation } = one.write;
  if (operation.action === 'create') return validateCreate(one);
  if (operation.action === 'upsert') return validateUpsert(one);
  const row = recordNow(one);
  if (row === undefined) {
    report(one, 'record', {
      code: 'record_not_found',
      param: one.write.prefix === '' ? 'record_id' : 'id',
    });
    return undefined;
  }
  if (operation.action === 'comment') return validateComment(one, row);
  const action = operation.action === 'delete' ? 'delete' : 'update';
  if (!requireReach(one, row, action)) return undefined;
  // Validation continues after a stale version: problems of permission come before it (D1).
  if (!isMet(operation.precondition, row)) report(one, 'precondition', { code: 'stale_record' });
  switch (operation.action) {
    case 'delete':
      return validateDelete(one, row);
    case 'status':
      return validateStatus(one, row, operation.status_id);
    case 'link':
      return validateLink(one, row);
    case 'unlink':
      return validateUnlink(one, row);
    case 'update':
      return validateUpdate(one, row);
  }
}

function validateCreate(one: WriteValidation): Change | undefined {
  const { plan, write, lookedUp } = one;
  const { caller, model } = plan;
  const { object } = write;
  const type = typeOf(object, (field) => write.values.get(field));
  const { defaulted, required } = newFieldsOf(model, object, type);
  const values = withFiles(one, valuesOfNew(one, defaulted), undefined);
  const owner = object.fields.get('owner_user_id');
  if (owner !== undefined) {
    requireAssignment(one, values.get(owner), objectAccess(caller, object).reach.create);
  }
  // Only imports bring an id.
  checkRules(one, values, { id: values.get(object.fields.get('id') as Field), type });
  for (const field of required) {
    if ((values.get(field) ?? null) === null && !isBroken(write, field)) {
      refuseValue(one, field, say('field_required'));
    }
  }
  const columns: Record<string, unknown> = { id: write.made, [AUTHOR_KEY]: caller.user.id };
  if (object.object_type === WORK_ITEMS) requireType(one, type);
  if (object.fields.has('status')) columns.status = workflowOf(model, object, type)?.initial;
  const keys = putValues(columns, values);
  keys.push(...filledFormulas(object, columns));
  if (object.object_type === WORK_ITEMS) {
    columns[PUBLIC_ID_KEY] ??= lookedUp.publicIds.get(write.index);
  }
  return { kind: 'insert', id: String(columns.id), columns, keys };
}

/** The fields of new records that have a default, and those that need a value. */
interface NewFields {
  readonly defaulted: readonly Field[];
  readonly required: readonly Field[];
}

const newFields = new WeakMap<ObjectModel, Map<string | null, NewFields>>();

/** Found once for each type of record: a batch has many new records. */
function newFieldsOf(model: WorkspaceModel, object: ObjectModel, sent: string | null): NewFields {
  const type = model.work_item_types.has(sent ?? '') ? sent : null;
  const byType = newFields.get(object) ?? new Map<string | null, NewFields>();
  newFields.set(object, byType);
  const known = byType.get(type);
  if (known !== undefined) return known;
  const isOfType = (field: Field) => isFieldOfType(model, object, field, type);
  const fields = [...object.fields.values()].filter(isOfType);
  const fieldsOfType = {
    defaulted: fields.filter((field) => field.default !== undefined),
    required: fields.filter((field) => field.required),
  };
  byType.set(type, fieldsOfType);
  return fieldsOfType;
}

/** The sent values with the defaults and the owner; most records need none, and no copy. */
function valuesOfNew(
  { plan, write }: WriteValidation,
  defaulted: readonly Field[],
): ReadonlyMap<Field, unknown> {
  const sent = write.values;
  const owner = write.object.fields.get('owner_user_id');
  const isOwnerMissing = owner !== undefined && !sent.has(owner);
  if (!isOwnerMissing && defaulted.every((field) => sent.has(field))) return sent;
  const values = new Map(sent);
  for (const field of defaulted) if (!values.has(field)) values.set(field, field.default);
  if (isOwnerMissing) values.set(owner, plan.caller.user.id);
  return values;
}

/** Put the values into the columns of a new record; answers the keys of those that are not null. */
function putValues(
  columns: Record<string, unknown>,
  values: ReadonlyMap<Field, unknown>,
): string[] {
  const keys: string[] = [];
  let custom: Record<string, unknown> | undefined;
  values.forEach((value, field) => {
    if (value !== null) keys.push(field.key);
    if (field.storage === 'physical') columns[field.column] = value;
    else if (value !== null) {
      custom ??= {};
      custom[field.custom_key] = value;
    }
  });
  if (custom !== undefined) columns.custom_fields = custom;
  return keys;
}

/** The work-item type that a record has; null on other objects. */
function typeOf(object: ObjectModel, stored: (field: Field) => unknown): string | null {
  const field = object.object_type === WORK_ITEMS ? object.fields.get(TYPE_KEY) : undefined;
  return field === undefined ? null : ((stored(field) ?? null) as string | null);
}

/** New work items have an active type; those of an import may have one that is no longer active. */
function requireType(one: WriteValidation, type: string | null): void {
  const { model, source } = one.plan;
  const known = model.work_item_types.get(type ?? '');
  if (known !== undefined && (known.active || source === 'import')) return;
  // A missing type is the problem of a required field.
  if (type === null) return;
  const message = say('must_be_work_item_type');
  report(one, 'rules', { code: 'invalid_write', param: `fields.${TYPE_KEY}`, message });
}

function validateUpdate(one: WriteValidation, row: Row): Change | undefined {
  const { plan, write } = one;
  const { object } = write;
  const set = new Map<Field, unknown>();
  for (const [field, value] of withFiles(one, write.values, row)) {
    if (isMatchedBy(write, field) || isSame(currentValue(row, field), value)) continue;
    set.set(field, value);
  }
  // Only its workflow moves a record that is there.
  const isKept = plan.kept === 'status' && set.delete(object.fields.get('status') as Field);
  const keptPart = isKept ? ({ kept: 'status' } as const) : {};
  const owner = object.fields.get('owner_user_id');
  if (owner !== undefined && set.has(owner)) {
    requireAssignment(one, set.get(owner), 'organisation');
  }
  const type = object.fields.get(TYPE_KEY);
  if (object.object_type === WORK_ITEMS && type !== undefined && set.has(type)) {
    refuseValue(one, type, say('type_fixed'));
  }
  const stored = typeOf(object, (field) => currentValue(row, field));
  checkRules(one, set, { id: row.id, type: stored });
  for (const [field, value] of set) {
    if ((field.required || !field.nullable) && value === null) {
      refuseValue(one, field, say('field_required'));
    }
  }
  const id = String(row.id);
  if (set.size === 0) return { kind: 'none', id, before: row, ...keptPart };
  const keys = changedKeys(object, row, set);
  // The time of an import is set even when it equals the stored one: it replaces now().
  const changedAt = object.fields.get('updated_at') as Field;
  if (write.values.has(changedAt)) set.set(changedAt, write.values.get(changedAt));
  return { kind: 'update', id, before: row, action: 'update', set, keys, ...keptPart };
}

/** A value that the match compared stays as it is stored (D267): `fields` alone can write it in another form. */
function isMatchedBy({ operation, match }: PlannedWrite, field: Field): boolean {
  return operation.action === 'upsert' && match.has(field) && !hasOwn(operation.fields, field.key);
}

function hasOwn(values: object | undefined, key: string): boolean {
  return values !== undefined && Object.hasOwn(values, key);
}

/** The answer depends only on the request and on records the caller may read (D52). */
function validateUpsert(one: WriteValidation): Change | undefined {
  const { plan, lookedUp, write } = one;
  const { caller, source } = plan;
  const { object } = write;
  if (write.problems.length > 0) return refuseOwnProblems(one);
  const [row, second] = lookedUp.matches.get(write.index) ?? [];
  const scope = { caller, object, source, prefix: write.prefix };
  const refusal = refusalOf(scope, row ? 'update' : 'create');
  if (second !== undefined) {
    report(one, 'rules', {
      code: 'conflict',
      param: 'match',
      message: say('several_match'),
    });
    return undefined;
  }
  if (refusal !== undefined) {
    one.problems.permission.push(refusal);
    return undefined;
  }
  if (row === undefined) {
    requireWritableMatch(one);
    return validateCreate(one);
  }
  if (!requireReach(one, row, 'update')) return undefined;
  const left = { kind: 'none', id: String(row.id), before: row, kept: 'record' } as const;
  return plan.kept === 'record' ? left : validateUpdate(one, row);
}

/** Problems that do not depend on the match are reported before those that do. */
function refuseOwnProblems({ plan, write, problems }: WriteValidation): undefined {
  const label = labelOf(plan, write);
  problems.rules.push(...write.problems.map((problem) => ({ ...problem, ...label })));
}

/** A create merges `match` into the fields, so the caller must be able to write its keys (D52). */
function requireWritableMatch(one: WriteValidation): void {
  const { caller } = one.plan;
  const { object } = one.write;
  for (const field of one.write.match.keys()) {
    if (canWriteField(caller, object, field)) continue;
    const message = say('field_not_creatable');
    const param = `match.${field.key}`;
    report(one, 'permission', { code: 'permission_denied', param, message });
  }
}

/** Someone else as owner needs the right to assign and must be within reach (D45). */
function requireAssignment(one: WriteValidation, owner: unknown, reach: Reach | null): void {
  const { caller } = one.plan;
  if (owner === caller.user.id) return;
  const isWithin = isWithinReach(caller, reach, owner as number | null);
  if (caller.access.assign_owner && isWithin) return;
  const message = say('owner_not_assignable');
  report(one, 'permission', {
    code: 'permission_denied',
    param: 'fields.owner_user_id',
    message,
  });
}

/**
 * Problems found by planning, then fields that the type of a work item lacks, then references and users that
 * do not exist within the caller's reach.
 */
function checkRules(
  one: WriteValidation,
  values: ReadonlyMap<Field, unknown>,
  { id, type }: { readonly id: unknown; readonly type: string | null },
): void {
  const { plan, lookedUp } = one;
  refuseOwnProblems(one);
  const isTyped = plan.model.work_item_types.has(type ?? '');
  // Without an entry for each value, which loops over maps make: a batch has hundreds.
  values.forEach((value, field) => {
    if (value === null) return;
    const { refersTo } = FIELD_TYPE_TRAITS[field.type];
    if (refersTo === 'record' && value === id) {
      refuseValue(one, field, say('refers_to_itself'));
    } else if (isTyped && !isFieldOfType(plan.model, one.write.object, field, type)) {
      refuseValue(one, field, say('field_of_other_type'));
    } else if (refersTo === 'record') {
      if (isPresent(one, field.reference_object_type ?? '', String(value))) return;
      refuseValue(one, field, messageOf('record_not_found'));
    } else if (refersTo === 'user' && value !== plan.caller.user.id) {
      if (lookedUp.activeUsers.has(Number(value))) return;
      refuseValue(one, field, say('no_active_user'));
    }
  });
}

/** A record that an upsert resolves to may be in no other operation (D51). */
function refuseRepeatedRecord(one: WriteValidation, used: Set<string>): void {
  const { lookedUp, write } = one;
  if (write.operation.action !== 'upsert' || write.problems.length > 0) return;
  const ids = (lookedUp.matches.get(write.index) ?? []).map((row) => String(row.id));
  const isMade = ids.length === 0 && isMadeBefore(one);
  if (isMade || ids.some((id) => used.has(id))) {
    report(one, 'rules', { code: 'conflict', param: 'match', message: REPEATED_RECORD });
  }
  for (const id of ids) used.add(id);
}

/** True when an earlier operation writes a record that this upsert would match. */
function isMadeBefore({ records, write }: WriteValidation): boolean {
  const own = recordKey(write.object, '');
  const matched = [...write.match];
  for (const [key, left] of records) {
    const row = key.startsWith(own) ? left() : null;
    if (row === null) continue;
    if (matched.every(([field, value]) => isEqual(field, currentValue(row, field), value)))
      return true;
  }
  return false;
}

/** True when a value was sent and refused, so that it is not reported as missing as well. */
function isBroken({ problems, prefix }: PlannedWrite, field: Field): boolean {
  return problems.some(({ param }) => param === prefix + fieldParam(field));
}

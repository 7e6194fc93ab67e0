// The second decision of a write: given the locked rows and what else was looked up, is each
// operation allowed and valid, and what exactly changes. Pure: rows in, changes or problems out.

import { uuidv7 } from 'uuidv7';
import { type ErrorCode, errorFromProblems, type Problem } from '../errors.ts';
import { canWriteField, isWithinReach, objectAccess } from '../model/access.ts';
import type { Field, RecordAction } from '../model/model.ts';
import { WORK_ITEMS } from '../model/model.ts';
import { isTransitionAllowed, workflowOf } from '../model/workflow.ts';
import { isMet } from './precondition.ts';
import { AUTHOR_KEY, type PlannedWrite, refusalOf, type WritePlan } from './write-plan.ts';

type Row = Readonly<Record<string, unknown>>;

/** What was looked up for a plan: only rows the caller may read, but for `matches`. */
export interface Found {
  readonly rows: ReadonlyMap<string, Row>;
  /** Rows by index of the upsert that matched them, readable or not; at most two each. */
  readonly matches: ReadonlyMap<number, readonly Row[]>;
  /** Ids of readable records, by object type. */
  readonly references: ReadonlyMap<string, ReadonlySet<string>>;
  readonly activeUsers: ReadonlySet<number>;
  /** By id of a record to delete: how many records need it, by their object type. */
  readonly dependents: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** One effect on one record. `values` are columns; `custom` is merged into `custom_fields`. */
export type Change =
  | { readonly kind: 'insert'; readonly id: string; readonly columns: Row; readonly keys: string[] }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly action: 'update' | 'status';
      readonly set: ReadonlyMap<Field, unknown>;
      readonly keys: string[];
    }
  | { readonly kind: 'delete'; readonly id: string; readonly keys: string[] }
  | { readonly kind: 'none'; readonly id: string };

/** Problems of one stage; a later stage is looked at only when all earlier ones are clean (D1). */
interface Verdict {
  readonly record: Problem[];
  readonly permission: Problem[];
  readonly precondition: Problem[];
  readonly rules: Problem[];
}

/** Judge every operation; throws the problems of the earliest stage, or returns one change each. */
export function judgeWrites(plan: WritePlan, found: Found): readonly Change[] {
  const verdict: Verdict = { record: [], permission: [], precondition: [], rules: [] };
  refuseRepeatedRecords(plan, found, verdict);
  const changes = plan.writes.map((write) => judge({ plan, found, write, verdict }));
  for (const stage of [verdict.record, verdict.permission, verdict.precondition, verdict.rules]) {
    if (stage.length > 0) throw errorFromProblems(stage);
  }
  return changes.map((change) => change as Change);
}

interface Case {
  readonly plan: WritePlan;
  readonly found: Found;
  readonly write: PlannedWrite;
  readonly verdict: Verdict;
}

function judge(one: Case): Change | undefined {
  const { operation } = one.write;
  if (operation.action === 'create') return judgeCreate(one);
  if (operation.action === 'upsert') return judgeUpsert(one);
  const row = one.found.rows.get(one.write.id ?? '');
  if (row === undefined) {
    report(one, 'record', 'record_not_found', one.plan.batch ? 'id' : 'record_id');
    return undefined;
  }
  const action = operation.action === 'delete' ? 'delete' : 'update';
  if (!requireReach(one, row, action)) return undefined;
  // Judged on when stale: what is not permitted comes before the precondition (D1).
  if (!isMet(operation.precondition, row)) report(one, 'precondition', 'stale_record');
  if (operation.action === 'delete') return judgeDelete(one, row);
  return operation.action === 'status'
    ? judgeStatus(one, row, operation.status_id)
    : judgeUpdate(one, row);
}

function requireReach(one: Case, row: Row, action: RecordAction): boolean {
  const { caller, object } = one.plan;
  const owner = row[object.owned ? 'owner_user_id' : AUTHOR_KEY] as number | null;
  if (isWithinReach(caller, objectAccess(caller, object).reach[action], owner)) return true;
  report(one, 'permission', 'permission_denied', undefined, `The user may not ${action} this.`);
  return false;
}

function judgeCreate(one: Case): Change | undefined {
  const { plan, write } = one;
  const { caller, object, model } = plan;
  const values = new Map(write.values);
  for (const field of object.fields.values()) {
    if (field.default !== undefined && !values.has(field)) values.set(field, field.default);
  }
  const owner = object.fields.get('owner_user_id');
  if (owner !== undefined && !values.has(owner)) values.set(owner, caller.user.id);
  if (owner !== undefined) requireAssignment(one, values.get(owner), caller.user.id);
  checkRules(one, values);
  for (const field of object.fields.values()) {
    if (field.required && (values.get(field) ?? null) === null && !isBroken(write, field)) {
      report(one, 'rules', 'invalid_write', fieldParam(field), 'The field is required.');
    }
  }
  const columns: Record<string, unknown> = { id: uuidv7(), [AUTHOR_KEY]: caller.user.id };
  const status = object.fields.get('status');
  if (status !== undefined) {
    const type = [...values].find(([field]) => field.key === 'work_item_type_id')?.[1];
    const workflow = workflowOf(model, object, type);
    const isOpen = plan.source === 'import' || isActiveType(model, type);
    if (object.object_type === WORK_ITEMS && (workflow === null || !isOpen)) {
      const message = 'The value must be an active work-item type.';
      report(one, 'rules', 'invalid_write', 'fields.work_item_type_id', message);
    }
    columns.status = workflow?.initial;
  }
  const custom: Record<string, unknown> = {};
  for (const [field, value] of values) {
    if (field.storage === 'physical') columns[field.column] = value;
    else if (value !== null) custom[field.key] = value;
  }
  if (Object.keys(custom).length > 0) columns.custom_fields = custom;
  const keys = [...values].filter(([, value]) => value !== null).map(([field]) => field.key);
  return { kind: 'insert', id: String(columns.id), columns, keys };
}

function isActiveType(model: WritePlan['model'], type: unknown): boolean {
  return model.work_item_types.get(String(type))?.active ?? false;
}

function judgeUpdate(one: Case, row: Row): Change | undefined {
  const { plan, write } = one;
  const set = new Map<Field, unknown>();
  for (const [field, value] of write.values) {
    if (!isSame(currentValue(row, field), value)) set.set(field, value);
  }
  const owner = plan.object.fields.get('owner_user_id');
  if (owner !== undefined && set.has(owner)) {
    requireAssignment(one, set.get(owner), plan.caller.user.id);
  }
  const type = plan.object.fields.get('work_item_type_id');
  if (plan.object.object_type === WORK_ITEMS && type !== undefined && set.has(type)) {
    report(one, 'rules', 'invalid_write', fieldParam(type), 'The type cannot change.');
  }
  checkRules(one, set);
  for (const [field, value] of set) {
    if (field.required && value === null) {
      report(one, 'rules', 'invalid_write', fieldParam(field), 'The field is required.');
    }
  }
  if (set.size === 0) return { kind: 'none', id: String(row.id) };
  const keys = [...set.keys()].map((field) => field.key);
  return { kind: 'update', id: String(row.id), action: 'update', set, keys };
}

function judgeDelete(one: Case, row: Row): Change {
  const id = String(row.id);
  const needed = one.found.dependents.get(id);
  if (needed !== undefined) {
    const counts = Object.entries(needed).map(([objectType, count]) => `${count} ${objectType}`);
    const message = `Other records cannot be without this one: ${counts.join(', ')}.`;
    report(one, 'rules', 'conflict', undefined, message);
  }
  return { kind: 'delete', id, keys: [] };
}

function judgeStatus(one: Case, row: Row, statusId: string): Change | undefined {
  const { model, object } = one.plan;
  const workflow = workflowOf(model, object, row.work_item_type_id);
  const current = (row.status ?? null) as string | null;
  if (workflow === null || !isTransitionAllowed(workflow, current, statusId)) {
    const allowed = workflow?.statuses.get(current ?? '')?.transitions ?? [];
    const message =
      workflow === null
        ? 'Records of this object type have no workflow.'
        : `The workflow does not allow this move. Allowed from here: ${allowed.join(', ') || 'none'}.`;
    report(one, 'rules', 'invalid_write', 'status_id', message);
    return undefined;
  }
  const set = new Map([[object.fields.get('status') as Field, statusId as unknown]]);
  return { kind: 'update', id: String(row.id), action: 'status', set, keys: ['status'] };
}

function judgeUpsert(one: Case): Change | undefined {
  const { plan, found, write } = one;
  const { caller, object, source } = plan;
  const rows = found.matches.get(write.index) ?? [];
  const [row, second] = rows;
  const scope = { caller, object, source, prefix: write.prefix };
  const refusal = refusalOf(scope, row ? 'update' : 'create');
  if (!rows.every((match) => canRead(plan, match))) {
    report(one, 'rules', 'conflict', 'match', 'The match conflicts with existing data.');
    return undefined;
  }
  if (second !== undefined) {
    report(one, 'rules', 'conflict', 'match', 'More than one record matches.');
    return undefined;
  }
  if (refusal !== undefined) {
    one.verdict.permission.push(refusal);
    return undefined;
  }
  if (row === undefined) {
    requireWritableMatch(one);
    return judgeCreate(one);
  }
  return requireReach(one, row, 'update') ? judgeUpdate(one, row) : undefined;
}

/** A create merges `match` into the fields, so its keys must be writable (D44, D52). */
function requireWritableMatch(one: Case): void {
  const { caller, object, source } = one.plan;
  for (const field of one.write.match.keys()) {
    const param = `match.${field.key}`;
    if (!canWriteField(caller, object, field)) {
      const message = 'The user may not create a record with this field.';
      report(one, 'permission', 'permission_denied', param, message);
    } else if (!field.editable && source !== 'import') {
      report(one, 'rules', 'invalid_write', param, 'The field is read-only.');
    }
  }
}

function canRead({ caller, object }: WritePlan, row: Row): boolean {
  const owner = row[object.owned ? 'owner_user_id' : AUTHOR_KEY] as number | null;
  return isWithinReach(caller, objectAccess(caller, object).reach.read, owner);
}

/** Someone else as owner needs the right to assign (D45). */
function requireAssignment(one: Case, owner: unknown, self: number): void {
  if (owner === self || one.plan.caller.access.assign_owner) return;
  const message = 'The user may not make someone else the owner.';
  report(one, 'permission', 'permission_denied', 'fields.owner_user_id', message);
}

/** What planning found broken, then references and users that are not there for the caller. */
function checkRules(one: Case, values: ReadonlyMap<Field, unknown>): void {
  const { plan, write, found, verdict } = one;
  verdict.rules.push(...write.problems.map((problem) => label(one, problem)));
  for (const [field, value] of values) {
    if (value === null) continue;
    if (field.type === 'reference') {
      const known = found.references.get(field.reference_object_type ?? '');
      if (known?.has(String(value))) continue;
      report(one, 'rules', 'invalid_write', fieldParam(field), 'There is no such record.');
    } else if (field.type === 'user' && value !== plan.caller.user.id) {
      if (found.activeUsers.has(Number(value))) continue;
      report(one, 'rules', 'invalid_write', fieldParam(field), 'There is no such active user.');
    }
  }
}

/** Each existing record may appear once; a record an upsert resolves to counts (D51). */
function refuseRepeatedRecords(plan: WritePlan, found: Found, verdict: Verdict): void {
  const seen = new Set<string>();
  for (const write of plan.writes) {
    const one = { plan, found, write, verdict };
    const isUpsert = write.operation.action === 'upsert';
    const matches = found.matches.get(write.index) ?? [];
    // That two matches meet in a record the caller cannot read is not told (D52).
    const matched = matches.filter((row) => canRead(plan, row)).map((row) => String(row.id));
    const ids = [...(write.id ? [write.id] : []), ...matched];
    const isMade = isUpsert && matches.length === 0 && isMadeBefore(one);
    if (isMade || ids.some((id) => seen.has(id))) {
      const message = 'Each record may appear only once in a batch.';
      if (isUpsert) report(one, 'rules', 'conflict', 'match', message);
      else report(one, 'record', 'validation_failed', 'id', message);
    }
    for (const id of ids) seen.add(id);
  }
}

/** True when an earlier operation leaves a record that this upsert would have found. */
function isMadeBefore({ plan, found, write }: Case): boolean {
  return plan.writes.slice(0, write.index).some((other) => {
    if (other.operation.action === 'delete') return false;
    const row = found.rows.get(other.id ?? '') ?? found.matches.get(other.index)?.[0];
    return [...write.match].every(([field, value]) => {
      if (other.values.has(field)) return other.values.get(field) === value;
      return (row === undefined ? field.default : currentValue(row, field)) === value;
    });
  });
}

/** Fields are compared as stored; arrays and JSON by their text. */
function isSame(current: unknown, value: unknown): boolean {
  if (current === value) return true;
  if (typeof current !== 'object' || typeof value !== 'object') return false;
  return JSON.stringify(sortKeys(current)) === JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sortKeys(item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function currentValue(row: Row, field: Field): unknown {
  if (field.storage === 'physical') return row[field.column] ?? null;
  const custom = row.custom_fields as Row;
  return Object.hasOwn(custom, field.key) ? custom[field.key] : null;
}

/** True when a value was sent and refused: to call it missing as well would mislead. */
function isBroken({ problems, prefix }: PlannedWrite, field: Field): boolean {
  return problems.some(({ param }) => param === prefix + fieldParam(field));
}

function fieldParam(field: Field): string {
  return field.storage === 'jsonb' ? `fields.custom_fields.${field.key}` : `fields.${field.key}`;
}

function report(
  one: Case,
  stage: keyof Verdict,
  code: ErrorCode,
  param?: string,
  message?: string,
): void {
  const text = message ?? MESSAGES[code] ?? 'The write was rejected.';
  const path = param === undefined ? one.write.prefix.slice(0, -1) : `${one.write.prefix}${param}`;
  one.verdict[stage].push(
    label(one, { ...(path === '' ? {} : { param: path }), code, message: text }),
  );
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  record_not_found: 'There is no such record.',
  stale_record: 'The record has changed since it was read.',
};

function label(one: Case, problem: Problem): Problem {
  if (!one.plan.batch) return problem;
  const { index, operation } = one.write;
  return { ...problem, operation_index: index, action: operation.action };
}

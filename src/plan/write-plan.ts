// The first decision of a write, before anything is read: which object, which fields, may the caller
// do this at all, and what must be looked up to validate the rest. Single writes are batches of one.

import {
  ERROR_CATALOGUE,
  type ErrorCode,
  errorFromProblems,
  type Problem,
  shownName,
} from '../errors.ts';
import { LIMITS } from '../limits.ts';
import {
  type Caller,
  canReadStoringField,
  canWriteField,
  findRelationship,
  objectAccess,
} from '../model/access.ts';
import { comparedTraits, FIELD_TYPE_TRAITS, isEqual } from '../model/field-types.ts';
import type {
  Field,
  ObjectModel,
  RecordAction,
  Relationship,
  WorkspaceModel,
} from '../model/model.ts';
import { WORK_ITEMS } from '../model/model.ts';
import { parseRecordId } from '../model/record-id.ts';
import type { Problems } from './filter.ts';
import type { Precondition } from './precondition.ts';
import { resolveField } from './resolve-field.ts';
import {
  type FieldValues,
  planFields,
  type Scope,
  type WriteSource,
  type WrittenFields,
} from './write-fields.ts';

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
      readonly action: 'link' | 'unlink';
      readonly id: string;
      readonly association_id: string;
      readonly target_id: string;
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly action: 'upsert';
      readonly target: string;
      readonly match: FieldValues;
      readonly fields?: FieldValues | undefined;
    };

export interface WriteRequest {
  readonly operations: readonly WriteOperation[];
  readonly source: WriteSource;
  /** True when `operations` is the client's own array, so that `param` names the index. */
  readonly batch: boolean;
  /** Fields that the answered rows have; every readable one when left out. */
  readonly answered?: readonly string[] | undefined;
  /** What upserts leave of records that are there; undefined: nothing. */
  readonly kept?: Kept | undefined;
}

/** The status of a record, which its workflow moves, or all of it. */
export type Kept = 'status' | 'record';

/** An operation whose keys are resolved and whose values are canonical. */
export interface PlannedWrite extends WrittenFields {
  readonly index: number;
  readonly operation: WriteOperation;
  /** Canonical record id; undefined for create and upsert, null when the sent text is not an id. */
  readonly id: string | null | undefined;
  readonly match: ReadonlyMap<Field, unknown>;
  /** Of link and unlink only. */
  readonly link: PlannedLink | undefined;
  /** Prefix of `param`: '' or `operations[3].`. */
  readonly prefix: string;
}

/** The relationship and the other record of a link; null when the sent text is not an id. */
export interface PlannedLink {
  readonly relationship: Relationship;
  readonly target: string | null;
}

export interface WritePlan {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
  readonly source: WriteSource;
  readonly batch: boolean;
  readonly answered: readonly string[] | undefined;
  readonly kept: Kept | undefined;
  readonly writes: readonly PlannedWrite[];
}

/** Plan and authorise all operations; throws the first problem with all of them in `details`. */
export function planWrites(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  request: WriteRequest,
): WritePlan {
  const problems: Problem[] = [];
  const named = new Set<string>();
  const { source, batch, answered, kept } = request;
  const writes = request.operations.map((operation, index) => {
    const prefix = batch ? `operations[${index}].` : '';
    const scope: Scope = { model, caller, object, source, prefix };
    const found: Problems = [];
    const planned = planOperation(scope, operation, found);
    // The links of an import are pairs, of which a record may have many.
    const isPair = source === 'import' && operation.action === 'link';
    if (!isPair) refuseRepeatedId(planned.id, named, scope, found);
    const label = labelOf(request, { index, operation });
    problems.push(...found.map((problem) => ({ ...problem, ...label })));
    // With the spread first each would take 4 µs and have a shape of its own, slow to read (D145).
    return { index, operation, prefix, ...planned };
  });
  if (problems.length > 0) throw errorFromProblems(batch ? permissionsFirst(problems) : problems);
  return { model, caller, object, source, batch, answered, kept, writes };
}

/** In a batch each problem names its operation (D7). */
export function labelOf(
  { batch }: Pick<WriteRequest, 'batch'>,
  { index, operation }: Pick<PlannedWrite, 'index' | 'operation'>,
) {
  return batch ? { operation_index: index, action: operation.action } : {};
}

/** All operations of a batch are authorised before any is validated (D51). */
function permissionsFirst(problems: readonly Problem[]): readonly Problem[] {
  const isRefusal = ({ code }: Problem) => ERROR_CATALOGUE[code].status === 403;
  return [...problems.filter(isRefusal), ...problems.filter((problem) => !isRefusal(problem))];
}

/** Each existing record may be named by one operation only (D51). */
function refuseRepeatedId(
  id: PlannedWrite['id'],
  named: Set<string>,
  { prefix }: Scope,
  problems: Problems,
): void {
  if (id === undefined || id === null) return;
  if (named.has(id)) {
    const message = 'Each record may appear only once in a batch.';
    problems.push({ param: `${prefix}id`, code: 'validation_failed', message });
  }
  named.add(id);
}

type Planned = Pick<PlannedWrite, 'id' | 'values' | 'match' | 'link' | 'problems'>;

const NOTHING: Planned = Object.freeze({
  id: undefined,
  values: new Map(),
  match: new Map(),
  link: undefined,
  problems: [],
});

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
    case 'link':
    case 'unlink':
      return { ...NOTHING, ...idOf(operation), link: planLink(scope, operation, problems) };
    case 'upsert':
      return planUpsert(scope, operation, problems);
  }
}

function idOf(operation: { readonly id: string }): Pick<Planned, 'id'> {
  return { id: parseRecordId(operation.id) ?? null };
}

/** One of these must be allowed; an upsert is checked again when its match is known. */
function actionsOf(operation: WriteOperation): readonly RecordAction[] {
  if (operation.action === 'upsert') return ['create', 'update'];
  const { action } = operation;
  return [action === 'create' || action === 'delete' ? action : 'update'];
}

/** Why the caller may not do this to any record, or undefined (D21); imports are not the API. */
export function refusalOf(
  { caller, object, source, prefix }: Omit<Scope, 'model'>,
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

/** The relationship, when the caller may link through it, and the canonical id of the target. */
function planLink(
  { model, caller, object, prefix }: Scope,
  { association_id, target_id }: { readonly association_id: string; readonly target_id: string },
  problems: Problems,
): PlannedLink | undefined {
  const found = findRelationship(model, caller, object, association_id);
  const refuse = (code: ErrorCode, message: string) => {
    problems.push({ param: `${prefix}association_id`, code, message });
    return undefined;
  };
  if (found === undefined) return refuse('record_not_found', 'There is no such relationship.');
  const { relationship, other } = found;
  const { via } = relationship;
  const field = via.kind === 'reference' ? object.fields.get(via.field) : undefined;
  if (
    !canReadStoringField(caller, object, other, relationship) ||
    (field !== undefined && !canWriteField(caller, object, field))
  ) {
    return refuse('permission_denied', 'The user may not write the field of this relationship.');
  }
  if (!relationship.can_link) {
    return refuse('write_not_supported', 'This relationship cannot be linked through the API.');
  }
  return { relationship, target: parseRecordId(target_id) ?? null };
}

/** `target`, `match` and `fields` of an upsert (D52). */
function planUpsert(
  scope: Scope,
  operation: Extract<WriteOperation, { action: 'upsert' }>,
  problems: Problems,
): Planned {
  const { prefix } = scope;
  const target = planTarget(scope, operation.target, problems);
  if (target === undefined) return NOTHING;
  const { values: asked, problems: unmatched } = planMatch(scope, operation.match, problems);
  // A fixed order of keys, so that equal matches give equal lock names.
  const merged = [...new Map([...asked, ...target])];
  const match = new Map(merged.sort(([a], [b]) => (a.key < b.key ? -1 : 1)));
  const { values, problems: broken } = planFields(scope, operation.fields ?? {}, problems);
  for (const [field, value] of match) {
    const said = [asked, values].filter((map) => map.has(field)).map((map) => map.get(field));
    if (said.every((other) => isEqual(field, other, value))) continue;
    const message = 'target, match and fields disagree.';
    const param = `${prefix}match.${field.key}`;
    problems.push({ param, code: 'validation_failed', message });
  }
  const own = [...unmatched, ...broken];
  return { ...NOTHING, values: new Map([...match, ...values]), match, problems: own };
}

/** The object type adds nothing to the match; the slug of a work-item type adds the type. */
function planTarget(
  { model, object, prefix }: Scope,
  target: string,
  problems: Problems,
): ReadonlyMap<Field, unknown> | undefined {
  if (target === object.object_type) return new Map();
  const type = object.fields.get('work_item_type_id');
  const isType = object.object_type === WORK_ITEMS && model.work_item_types.get(target)?.active;
  if (isType === true && type !== undefined) return new Map([[type, target]]);
  const message = `The target must be ${JSON.stringify(object.object_type)}${
    object.object_type === WORK_ITEMS ? ' or an active work-item type' : ''
  }.`;
  problems.push({ param: `${prefix}target`, code: 'validation_failed', message });
  return undefined;
}

/** Only fields that can be written: a create merges the match into the fields (D52). */
function planMatch(scope: Scope, match: FieldValues, problems: Problems): WrittenFields {
  const { caller, object, prefix, source } = scope;
  const entries = Object.entries(match);
  if (entries.length < 1 || entries.length > LIMITS.matchKeys) {
    const message = `match takes 1 to ${LIMITS.matchKeys} fields.`;
    problems.push({ param: `${prefix}match`, code: 'validation_failed', message });
    return NOTHING;
  }
  const values = new Map<Field, unknown>();
  const broken: Problem[] = [];
  for (const [key, value] of entries) {
    const param = `${prefix}match.${shownName(key)}`;
    const field = resolveField(caller, object, { param, key }, problems);
    if (field === undefined) continue;
    if (!field.editable && source !== 'import') {
      const message = 'The field is read-only, so no record can be matched by it.';
      broken.push({ param, code: 'invalid_write', message });
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

function matchMessage(parsed: { value: unknown } | { problem: string }): string {
  return 'problem' in parsed
    ? `The value ${parsed.problem}.`
    : 'A match needs one value that is not empty.';
}

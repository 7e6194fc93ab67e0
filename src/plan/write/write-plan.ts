// The first decision of a write, before anything is read: which object, which fields, may the caller
// do this at all, and what must be looked up to validate the rest. Single writes are batches of one.

import { uuidv7 } from 'uuidv7';
import {
  ERROR_CATALOGUE,
  type ErrorCode,
  errorFromProblems,
  type Problem,
  type Problems,
} from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type {
  Field,
  ObjectModel,
  RecordAction,
  WorkspaceModel,
} from '../../model/definition/model.ts';
import {
  type Caller,
  canReadStoringField,
  canWriteField,
  findRelationship,
  objectAccess,
} from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { commentTextProblem } from '../events/comment-plan.ts';
import { resolveEarlier } from './earlier-record.ts';
import { planUpsert } from './upsert-plan.ts';
import { planFields } from './write-fields.ts';
import type {
  Planned,
  PlannedLink,
  PlannedText,
  PlannedWrite,
  RecordName,
  Scope,
  WriteOperation,
  WritePlan,
  WriteRequest,
  WrittenObjects,
} from './write-operation.ts';

/** Plan and authorise all operations; throws the first problem with all of them in `details`. */
export function planWrites(
  model: WorkspaceModel,
  caller: Caller,
  written: WrittenObjects,
  request: WriteRequest,
): WritePlan {
  const problems: Problem[] = [];
  const objectsById = new Map<string, ObjectModel>();
  const { source, batch, answered, kept, approval, refers = false, erasing = false } = request;
  const writes: PlannedWrite[] = [];
  const matched = new Set<string>();
  const earlier = refers ? { writes, matched, isMatchNamed: false } : undefined;
  request.operations.forEach((operation, index) => {
    const prefix = batch ? `operations[${index}].` : '';
    const object = objectAt(written, index);
    const scope: Scope = { model, caller, object, source, prefix, erasing, earlier };
    const planProblems: Problems = [];
    const parts = planOperation(scope, operation, planProblems);
    // The links of an import are pairs, of which a record may have many.
    const isPair = source === 'import' && operation.action === 'link';
    if (!isPair && !parts.follows) refuseRepeatedId(scope, parts, objectsById, planProblems);
    if (planProblems.length > 0) {
      const label = labelOf(request, { index, operation });
      problems.push(...planProblems.map((problem) => ({ ...problem, ...label })));
    }
    if (operation.action === 'upsert') matched.add(parts.made as string);
    writes.push(plannedWrite({ index, object, operation, prefix }, parts));
  });
  if (problems.length > 0) throw errorFromProblems(batch ? permissionsFirst(problems) : problems);
  const objects = isEach(written) ? [...new Set(written)] : [written];
  const awaitsMatches = earlier?.isMatchNamed === true;
  const asked = { source, batch, answered, kept, approval, erasing };
  return { model, caller, objects, ...asked, writes, awaitsMatches };
}

function objectAt(written: WrittenObjects, index: number): ObjectModel {
  return isEach(written) ? (written[index] as ObjectModel) : written;
}

function isEach(written: WrittenObjects): written is readonly ObjectModel[] {
  return Array.isArray(written);
}

/** The label of a problem: in a batch each problem names its operation (D7). */
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

/** The message of a problem that an operation has only because of another one. */
export const REPEATED_RECORD = say('record_repeated');

/**
 * Each existing record may be changed by one operation only (D51). Comments change none, but an id names one record
 * in the whole request.
 */
function refuseRepeatedId(
  { object, prefix }: Scope,
  { id, comment }: Planned,
  named: Map<string, ObjectModel>,
  problems: Problems,
): void {
  if (id === undefined || id === null) return;
  const known = named.get(id);
  const isComment = comment !== undefined;
  if (known !== undefined && !(isComment && known === object)) {
    problems.push({ param: `${prefix}id`, code: 'validation_failed', message: REPEATED_RECORD });
  }
  if (!isComment) named.set(id, object);
}

const NO_VALUES: ReadonlyMap<Field, unknown> = new Map();
const NO_PROBLEMS: readonly Problem[] = Object.freeze([]);

/** Key by key, here and below: a copy takes some 4 µs, and what has a shape of its own is slow to read (D145). */
function planned(parts: Partial<Planned>): Planned {
  return {
    id: parts.id,
    made: parts.made,
    follows: parts.follows ?? false,
    values: parts.values ?? NO_VALUES,
    match: parts.match ?? NO_VALUES,
    link: parts.link,
    comment: parts.comment,
    problems: parts.problems ?? NO_PROBLEMS,
  };
}

function plannedWrite(
  own: Pick<PlannedWrite, 'index' | 'object' | 'operation' | 'prefix'>,
  parts: Planned,
): PlannedWrite {
  return {
    index: own.index,
    object: own.object,
    operation: own.operation,
    prefix: own.prefix,
    id: parts.id,
    made: parts.made,
    follows: parts.follows,
    values: parts.values,
    match: parts.match,
    link: parts.link,
    comment: parts.comment,
    problems: parts.problems,
  };
}

function planOperation(scope: Scope, operation: WriteOperation, problems: Problems): Planned {
  const refusal = refusalOfAll(scope, ACTIONS[operation.action]);
  if (refusal !== undefined) {
    problems.push(refusal);
    return planned({});
  }
  switch (operation.action) {
    case 'create': {
      const { values, problems: broken } = planFields(scope, operation.fields, problems);
      return planned({ made: uuidv7(), values, problems: broken });
    }
    case 'update': {
      const named = planId(scope, operation, problems);
      return planned({ ...named, ...planFields(scope, operation.fields, problems) });
    }
    case 'status':
    case 'delete':
      return planned(planId(scope, operation, problems));
    case 'link':
    case 'unlink': {
      const named = planId(scope, operation, problems);
      return planned({ ...named, link: planLink(scope, operation, problems) });
    }
    case 'upsert':
      return planned({ made: uuidv7(), ...planUpsert(scope, operation, problems) });
    case 'comment': {
      const named = planId(scope, operation, problems);
      return planned({ ...named, comment: planText(scope, operation, problems) });
    }
  }
}

/** The record that is there already, or that an earlier operation makes. */
function planId(
  scope: Scope,
  { id, ...conditional }: { readonly id: RecordName; readonly precondition?: unknown },
  problems: Problems,
): Pick<Planned, 'id' | 'follows'> {
  if (typeof id === 'string') return { id: parseRecordId(id) ?? null, follows: false };
  const { prefix, object } = scope;
  const reference = { param: `${prefix}id`, name: id, objectType: object.object_type };
  if (conditional.precondition !== undefined) {
    const message = say('op_without_version');
    problems.push({ param: `${prefix}expected_version`, code: 'validation_failed', message });
  }
  return { id: resolveEarlier(scope, reference, problems) ?? null, follows: true };
}

function planText(
  { prefix }: Scope,
  { body, mention_user_ids = [] }: Extract<WriteOperation, { action: 'comment' }>,
  problems: Problems,
): PlannedText {
  const message = commentTextProblem(body);
  if (message !== undefined) {
    problems.push({ param: `${prefix}body`, code: 'validation_failed', message });
  }
  return { body, mentioned: [...new Set(mention_user_ids)] };
}

/** One of these must be allowed; an upsert is checked again when its match is known. */
const ACTIONS: Readonly<Record<WriteOperation['action'], readonly RecordAction[]>> = {
  create: ['create'],
  update: ['update'],
  status: ['update'],
  delete: ['delete'],
  link: ['update'],
  unlink: ['update'],
  upsert: ['create', 'update'],
  comment: ['read'],
};

/** The first refusal, when each of the actions is refused. */
function refusalOfAll(scope: Scope, actions: readonly RecordAction[]): Problem | undefined {
  let first: Problem | undefined;
  for (const action of actions) {
    const refusal = refusalOf(scope, action);
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

/** Why the caller may not do this to any record, or undefined (D21); imports and erasures are not the API. */
export function refusalOf(
  { caller, object, source, prefix, erasing = false }: Omit<Scope, 'model'>,
  action: RecordAction,
): Problem | undefined {
  const problem = (code: ErrorCode, message: Message) => ({
    ...(prefix === '' ? {} : { param: prefix.slice(0, -1) }),
    code,
    message,
  });
  const isOfApi = source !== 'import' && !erasing;
  if (action !== 'read' && !object.capabilities[action] && isOfApi) {
    return problem('write_not_supported', say('object_write_unsupported', { object: object.name }));
  }
  if (objectAccess(caller, object).reach[action] !== null) return undefined;
  return problem('permission_denied', say('may_not_act_on', { action, object: object.name }));
}

/** The relationship, when the caller may link through it, and the canonical id of the target. */
function planLink(
  scope: Scope,
  { association_id, target_id }: Extract<WriteOperation, { action: 'link' | 'unlink' }>,
  problems: Problems,
): PlannedLink | undefined {
  const { model, caller, object, prefix } = scope;
  const linkedObject = findRelationship(model, caller, object, association_id);
  const refuse = (code: ErrorCode, message: Message) => {
    problems.push({ param: `${prefix}association_id`, code, message });
    return undefined;
  };
  if (linkedObject === undefined) return refuse('record_not_found', say('relationship_not_found'));
  const { relationship, other } = linkedObject;
  const { via } = relationship;
  const field = via.kind === 'reference' ? object.fields.get(via.field) : undefined;
  if (
    !canReadStoringField(caller, object, other, relationship) ||
    (field !== undefined && !canWriteField(caller, object, field))
  ) {
    return refuse('permission_denied', say('relationship_not_writable'));
  }
  if (!relationship.can_link) {
    return refuse('write_not_supported', say('relationship_not_linkable'));
  }
  if (typeof target_id === 'string') {
    return { relationship, target: parseRecordId(target_id) ?? null };
  }
  const { object_type: objectType } = other;
  const given = { param: `${prefix}target_id`, name: target_id, objectType };
  return { relationship, target: resolveEarlier(scope, given, problems) ?? null };
}

// The decisions behind status requests: which of them a caller may see and decide, and how many approvals a move has
// (docs/design/approvals.md). Pure.

import { ApiError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Field, Gate, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, canReadField, objectAccess, reachColumn } from '../../model/rights/access.ts';
import { isApprover, isEnough, type NamedPerson } from '../../model/rights/gate.ts';
import { passesGates } from '../../model/rights/principal.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { type RequestState, readableKeys } from '../events/event-plan.ts';
import { fieldKeyNow, type NameHistory } from '../events/name-history.ts';
import { type CursorValue, decodeCursor } from '../read/cursor.ts';
import { type ReachPredicate, reachPredicate, requireObject } from '../read/read-plan.ts';
import { versionToken } from '../write/precondition.ts';
import { AUTHOR_KEY } from '../write/write-fields.ts';

/** A decision with its person, as gates name them. */
export interface StatusDecision {
  readonly decision: 'approved' | 'rejected';
  readonly user: NamedPerson & {
    readonly id: number;
    readonly name: string | null;
    readonly active: boolean;
  };
  readonly comment: string | null;
  readonly at: string;
}

/** The move that was asked for. */
export interface AskedMove {
  readonly id: string;
  readonly object_type: string;
  readonly record_id: string;
  readonly workflow_id: string;
  readonly from_status: string;
  readonly to_status: string;
  readonly record_revision: number;
  readonly comment: string | null;
  readonly requested_by: number;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly state: RequestState;
  readonly decided_at: string | null;
}

/** A request with its decisions and its record, within the reach of the reader. */
export interface RequestRow extends AskedMove {
  readonly requester_name: string | null;
  /** The credential of the request. */
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
  readonly decisions: readonly StatusDecision[];
  /** Names of the teams of the reader. */
  readonly own_teams: readonly string[];
  readonly version: number;
  readonly reach_user_id: number | null;
  /** The owner of the record, and the person who created it. */
  readonly record_people: readonly number[];
  readonly display: string | null;
  /** Changes of the record since then, in the keys of the revision of each; null: none. */
  readonly changes: readonly ChangedKeys[] | null;
}

interface ChangedKeys {
  readonly keys: readonly string[];
  readonly revision: number;
}

/** A request as its reader may see it. */
export interface ShownRequest
  extends Omit<AskedMove, 'workflow_id' | 'record_revision' | 'requested_by'> {
  readonly display: string | null;
  readonly requester: { readonly id: number; readonly name: string | null };
  readonly decisions: readonly StatusDecision[];
  readonly approvals: { readonly given: number; readonly required: number };
  readonly can_decide: boolean;
  readonly version: string | null;
  readonly changed_fields: readonly string[];
}

/** Where requests can be that the caller may see. */
export interface RequestScope {
  readonly schema: string;
  readonly user_id: number;
  readonly readable: readonly ReadableRecords[];
}

interface ReadableRecords {
  readonly object: ObjectModel;
  readonly reach: ReachPredicate;
  /** The display field, when the caller may read it. */
  readonly display: Field | undefined;
}

export interface RequestQuestion {
  readonly state?: RequestState | undefined;
  readonly approver?: 'me' | undefined;
  readonly requested_by?: 'me' | undefined;
  readonly object_type?: string | undefined;
  readonly record_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A move whose gate names the caller, or one of these teams. */
export interface OwnGate {
  readonly workflow_id: string;
  readonly from_status: string;
  readonly to_status: string;
  readonly named: boolean;
  /** True: the caller may decide about their own requests. */
  readonly own: boolean;
  readonly teams: readonly string[];
}

export interface RequestPagePlan extends RequestScope {
  readonly state: RequestState | undefined;
  /** Only those that wait for a decision of the caller, by these gates. */
  readonly waiting: readonly OwnGate[] | undefined;
  readonly requested_by: number | undefined;
  readonly record_id: string | undefined;
  /** `requested_at` and `id` after which the page starts. */
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
  readonly binding: string;
}

/** The records of all objects with a workflow, or of this one. */
export function planRequestScope(
  model: WorkspaceModel,
  caller: Caller,
  only?: ObjectModel,
): RequestScope {
  const objects = only === undefined ? [...model.objects.values()] : [only];
  const readable = objects.flatMap((object): readonly ReadableRecords[] => {
    const reach = objectAccess(caller, object).reach.read;
    if (reach === null || !object.fields.has('status')) return [];
    const field = object.fields.get(object.display_field ?? '');
    const display = field && canReadField(caller, object, field) ? field : undefined;
    return [{ object, reach: reachPredicate(caller, object, reach), display }];
  });
  return { schema: model.schema, user_id: caller.user.id, readable };
}

/** Undefined: the page is empty. Errors: `object_not_available`, `invalid_cursor`. */
export function planRequests(
  model: WorkspaceModel,
  caller: Caller,
  question: RequestQuestion,
): RequestPagePlan | undefined {
  const { state, approver, requested_by, object_type, limit, cursor } = question;
  const object = object_type === undefined ? undefined : requireObject(model, caller, object_type);
  const asked = [state, approver, requested_by, object_type, question.record_id];
  const { id } = model.workspace;
  const binding = JSON.stringify([id, caller.user.id, 'status requests', ...asked]);
  const after =
    cursor === undefined ? undefined : decodeCursor(model.cursor_secret, binding, cursor);
  const scope = planRequestScope(model, caller, object);
  const record_id =
    question.record_id === undefined ? undefined : parseRecordId(question.record_id);
  const isNoId = question.record_id !== undefined && record_id === undefined;
  if (scope.readable.length === 0 || isNoId) return undefined;
  return {
    ...scope,
    state: state ?? (approver === undefined ? undefined : 'pending'),
    waiting: approver === undefined ? undefined : ownGates(model, caller),
    requested_by: requested_by === undefined ? undefined : caller.user.id,
    ...{ record_id, after, limit, binding },
  };
}

function ownGates(model: WorkspaceModel, caller: Caller): readonly OwnGate[] {
  return [...model.workflows.values()].flatMap(({ id: workflow_id, statuses }) =>
    [...statuses.values()].flatMap(({ id: from_status, gates }) =>
      [...gates].map(([to_status, gate]): OwnGate => {
        const named = gate.users.has(caller.user.email ?? '');
        const own = gate.self_approval;
        return { workflow_id, from_status, to_status, named, own, teams: [...gate.teams] };
      }),
    ),
  );
}

/** The gate of the move by the definition in force; undefined when the move is gone, or free. */
export function gateOf(
  model: WorkspaceModel,
  { workflow_id, from_status, to_status }: Omit<OwnGate, 'named' | 'own' | 'teams'>,
): Gate | undefined {
  const statuses = model.workflows.get(workflow_id)?.statuses;
  return statuses?.get(from_status)?.gates.get(to_status);
}

/** The people whose approvals count now: active, and named by the gate. */
function approvalsOf(
  gate: Gate,
  { decisions, record_people }: Decisions,
): readonly StatusDecision['user'][] {
  return decisions
    .filter(({ decision, user }) => decision === 'approved' && user.active)
    .map(({ user }) => user)
    .filter((user) => gate.self_approval || !record_people.includes(user.id))
    .filter((user) => isApprover(gate, user));
}

/** True when the approvals, and that of this person, open the gate. */
export function isLastApproval(gate: Gate, before: Decisions, person: NamedPerson): boolean {
  return isEnough(gate, [...approvalsOf(gate, before), person]);
}

type Decisions = Pick<Deciding, 'decisions' | 'record_people'>;

/** Somebody who decides, and the request. */
export interface Deciding {
  readonly caller: Caller;
  /** Names of the teams of the caller. */
  readonly teams: readonly string[];
  readonly gate: Gate;
  readonly requested_by: number;
  readonly record_people: readonly number[];
  readonly decisions: readonly StatusDecision[];
}

/** Why the caller may not decide; undefined when they may. */
export function decisionRefusal(deciding: Deciding): ApiError | undefined {
  const { caller, teams, gate, requested_by, record_people, decisions } = deciding;
  const { user } = caller;
  const refused = (message: Message, reason: string) =>
    new ApiError('permission_denied', { message, details: { reason } });
  if (!passesGates(caller)) {
    return refused(say('key_cannot_decide'), 'key_without_gates');
  }
  const person = { email: user.email ?? '', teams };
  if (user.kind !== 'user' || !isApprover(gate, person)) {
    return refused(say('only_approvers_decide'), 'not_an_approver');
  }
  if (requested_by === user.id && !gate.self_approval) {
    return refused(say('own_request'), 'own_request');
  }
  if (record_people.includes(user.id) && !gate.self_approval) {
    return refused(say('own_record'), 'own_record');
  }
  if (!decisions.some((decision) => decision.user.id === user.id)) return undefined;
  return new ApiError('conflict', {
    message: say('already_decided'),
    details: { reason: 'already_decided' },
  });
}

/**
 * The people of a row who do not move it alone where a gate wants four eyes: its owner, its creator and the person of
 * its last change (D652).
 */
export function peopleOf(
  object: ObjectModel,
  row: Readonly<Record<string, unknown>>,
  lastChangedBy: unknown,
): readonly number[] {
  const ids = [row[reachColumn(object)], row[AUTHOR_KEY], lastChangedBy];
  return ids.filter((id): id is number => typeof id === 'number');
}

/** The reader of a request. */
export interface RequestReader {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** Undefined: no key of the changes was renamed. */
  readonly history: NameHistory | undefined;
}

export function shownRequest(reader: RequestReader, row: RequestRow): ShownRequest {
  const { model, caller } = reader;
  const { id, object_type, record_id, from_status, to_status, state } = row;
  const { requested_at, expires_at, decided_at, decisions, requested_by } = row;
  const gate = gateOf(model, row);
  const isPending = state === 'pending';
  const teams = row.own_teams;
  const { record_people } = row;
  const deciding = gate && { caller, teams, gate, requested_by, record_people, decisions };
  return {
    ...{ id, object_type, record_id, from_status, to_status, state },
    ...shownWords(caller, row),
    ...{ requested_at, expires_at, decided_at },
    approvals: countApprovals(gate, row),
    can_decide: isPending && deciding !== undefined && decisionRefusal(deciding) === undefined,
    version: versionToken({ id: record_id, version: row.version }),
    changed_fields: isPending ? changedSince(reader, row) : [],
  };
}

/** The texts and names of a request; a key that reads no records decides without them (D569). */
function shownWords(
  { scopes }: Caller,
  { display, comment, requested_by: id, requester_name, decisions }: RequestRow,
): Pick<ShownRequest, 'display' | 'comment' | 'requester' | 'decisions'> {
  if (scopes.has('records:read')) {
    return { display, comment, requester: { id, name: requester_name }, decisions };
  }
  const unread = decisions.map((decision) => {
    return { ...decision, comment: null, user: { ...decision.user, name: null } };
  });
  return { display: null, comment: null, requester: { id, name: null }, decisions: unread };
}

/** The approvals; for a finished request as they were at its end. */
function countApprovals(gate: Gate | undefined, { state, decisions, record_people }: RequestRow) {
  const given = decisions.filter(({ decision }) => decision === 'approved').length;
  if (gate === undefined) return { given, required: Math.max(1, given) };
  const { users, teams, required, from } = gate;
  const most = from === 'each' ? Math.max(required, users.size + teams.size) : required;
  if (state !== 'pending') return { given, required: state === 'approved' ? given : most };
  return { given: approvalsOf(gate, { decisions, record_people }).length, required: most };
}

/** Keys of the fields that changed since it was asked for, as far as the reader may read them. */
export function changedSince(
  { model, caller, history }: RequestReader,
  { object_type, changes }: Pick<RequestRow, 'object_type' | 'changes'>,
): readonly string[] {
  const object = model.objects.get(object_type);
  if (object === undefined || changes === null) return [];
  const keys = changes.flatMap(({ keys: then, revision }) =>
    history === undefined
      ? then
      : then.map((key) => fieldKeyNow(history, object_type, { key, revision })),
  );
  return readableKeys(model, caller, object, [...new Set(keys)]);
}

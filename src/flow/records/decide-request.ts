// Decides a status request: approve, reject, withdraw. The last approval makes the move as the person who asked, with
// their rights of this moment, in the transaction of the decision (docs/design/approvals.md).

import { uuidv7 } from 'uuidv7';
import { isKeyEnded } from '../../control/people/api-keys.ts';
import { loadMember } from '../../control/people/people.ts';
import { ApiError, isRefusal, messageOf } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Gate, ObjectModel } from '../../model/definition/model.ts';
import {
  callerOf,
  canReadField,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../../model/rights/access.ts';
import { workflowOf } from '../../model/rights/workflow.ts';
import {
  type AskedMove,
  changedSince,
  decisionRefusal,
  gateOf,
  isLastApproval,
  peopleOf,
  type RequestRow,
  type StatusDecision,
  shownRequest,
} from '../../plan/people/status-request-plan.ts';
import { versionToken } from '../../plan/write/precondition.ts';
import type { Row } from '../../postgres/db.ts';
import { auditSql } from '../../sql/events/audit-sql.ts';
import { type Sql, toStatement } from '../../sql/sql.ts';
import {
  decideSql,
  endRequestSql,
  lockRequestSql,
  notifyOfRequestSql,
  readAskedSql,
} from '../../sql/write/status-request-sql.ts';
import { lookedUpRow, type RequestOnce, requestOnce, restOf } from './decided-writes.ts';
import type { Answer } from './idempotency.ts';
import type { Lookup } from './lookups.ts';
import { namesSince, requestNotFound, requireRequest } from './read/status-request-reads.ts';
import { actorOf } from './write-actor.ts';
import { explainUnplanned } from './write-failure.ts';
import { plannedRequest, type Written } from './write-flow.ts';
import {
  type LookedUp,
  type PlannedRequest,
  type Validated,
  type WriteContext,
  writeAlone,
} from './write-group.ts';

export type Verdict =
  | {
      readonly kind: 'approved';
      readonly comment: string | null;
      /** The version of the record that the approver has seen. */
      readonly expected_version: string | undefined;
    }
  | { readonly kind: 'rejected'; readonly comment: string | null }
  | { readonly kind: 'withdrawn' };

/**
 * Decide, once for each `Idempotency-Key`. Errors: `record_not_found`, `permission_denied`, `conflict` with a `reason`
 * in `details`, `invalid_write` for a move that is no longer possible.
 */
export async function decideRequest(
  context: WriteContext,
  id: string,
  verdict: Verdict,
  once: RequestOnce,
): Promise<Answer> {
  const { db, model } = context;
  const before = await requireRequest(context, id);
  const object = model.objects.get(before.object_type) as ObjectModel;
  const move = verdict.kind === 'approved' ? await plannedMove(context, object, before) : undefined;
  const deciding: Deciding = { context, object, before, verdict };
  const explain = move?.explain ?? ((error: unknown) => explainUnplanned(db, model, error));
  return writeAlone({
    ...requestOnce({ context, object, explain }, once),
    lookups: (mode) => [...(move?.lookups(mode) ?? []), ...ownLookups(deciding)],
    async validate(tx, looked) {
      const decided = decidedBy(deciding, looked);
      if (verdict.kind !== 'approved') return validatedOf(decided, undefined, once);
      await requireSeen(deciding, decided, verdict.expected_version);
      const moved = await refusedMove(() => (move as Move).validate(tx, restOf(looked)));
      return validatedOf(decided, moved, once);
    },
  });
}

type Move = PlannedRequest<Written>;

/** The move as the person who asked would make it now. Errors: `invalid_write` when they may not. */
function plannedMove(context: WriteContext, object: ObjectModel, asked: RequestRow): Promise<Move> {
  return refusedMove(async () => {
    const { db, model, requestId } = context;
    const { requested_by, api_key_id, api_key_prefix, session_id } = asked;
    const member = await loadMember(db, model.schema, requested_by);
    if (member?.active !== true) throw refused(say('asker_inactive'));
    if (api_key_id !== null && (await isKeyEnded(db, api_key_id))) {
      throw refused(say('asker_key_ended'));
    }
    const caller = callerOf(model, member, { kind: 'request' });
    const own = { db, model, caller, requestId, asked: { api_key_id, api_key_prefix, session_id } };
    const { record_id: id, to_status: status_id } = asked;
    const operation = { action: 'status', id, status_id } as const;
    const request = { operations: [operation], source: 'api', batch: false } as const;
    return plannedRequest(own, object, { ...request, answered: [], approval: 'given' });
  });
}

/** The result, or what refuses the move as the answer to the approver: the move is not theirs. */
async function refusedMove<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, translatable: message = messageOf(code) } = error;
    throw new ApiError('invalid_write', {
      message: say('move_refused', { reason: message }),
      details: { reason: 'move_refused', refusal: { code, message } },
      cause: error,
    });
  }
}

function refused(message: Message): ApiError {
  return new ApiError('permission_denied', { message });
}

interface Deciding {
  readonly context: WriteContext;
  readonly object: ObjectModel;
  /** The request as it was read before the transaction. */
  readonly before: RequestRow;
  readonly verdict: Verdict;
}

/** The look-ups of the request, after those of the move: a record is locked before its requests, as in a delete. */
function ownLookups({ context, object, before }: Deciding): readonly Lookup[] {
  const { model, caller } = context;
  const [lock, read] = lockRequestSql(model.schema, before.id, caller.user.id);
  const { object_type: objectType } = object;
  return [
    { kind: 'request', objectType, statement: toStatement(lock) },
    { kind: 'request', objectType, statement: toStatement(read) },
  ];
}

/** A request as it is locked, and the record where a move has locked it. */
type LockedRequest = AskedMove &
  Pick<RequestRow, 'decisions' | 'own_teams' | 'changes'> & {
    readonly now: string;
    readonly last_changed_by: number | null;
  };

interface Decided {
  readonly deciding: Deciding;
  readonly locked: LockedRequest;
  /** Undefined: the request is withdrawn. */
  readonly gate: Gate | undefined;
  /** Undefined: it is not locked, or out of the reach of the person who asked. */
  readonly record: Row | undefined;
  /** True when the decision is the last one. */
  readonly isLast: boolean;
}

/** Errors: `record_not_found`, `conflict`, `permission_denied`, `invalid_write`. */
function decidedBy(deciding: Deciding, looked: LookedUp): Decided {
  const { verdict, context } = deciding;
  const locked = lookedUpRow(looked, 'request') as LockedRequest | undefined;
  if (locked === undefined) throw requestNotFound();
  const record = lookedUpRow(restOf(looked), 'rows');
  const common = { deciding, locked, record };
  const { caller } = context;
  if (verdict.kind === 'withdrawn') {
    if (locked.requested_by !== caller.user.id) {
      throw refused(say('only_asker_withdraws'));
    }
    requirePending(locked);
    return { ...common, gate: undefined, isLast: true };
  }
  const gate = gateOf(context.model, locked);
  const { requested_by, decisions, own_teams: teams } = locked;
  // The previous people when the requester can no longer reach the record: the move itself is refused then.
  const { object, before } = deciding;
  const record_people =
    record === undefined ? before.record_people : peopleOf(object, record, locked.last_changed_by);
  const refusal =
    gate && decisionRefusal({ caller, teams, gate, requested_by, record_people, decisions });
  if (refusal?.code === 'permission_denied') throw refusal;
  requirePending(locked);
  if (gate === undefined) throw gateGone();
  if (refusal !== undefined) throw refusal;
  const person = { email: caller.user.email ?? '', teams };
  const isLast =
    verdict.kind === 'rejected' || isLastApproval(gate, { decisions, record_people }, person);
  return { ...common, gate, isLast };
}

function requirePending({ state }: LockedRequest): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', {
    message: say('request_not_pending', { state }),
    details: { reason: 'not_pending', state },
  });
}

function gateGone(): ApiError {
  return new ApiError('invalid_write', {
    message: say('gate_gone'),
    details: { reason: 'gate_gone' },
  });
}

/**
 * The approver has seen the record as it is, and it is where the move begins. Errors: `conflict` with the fields that
 * have changed, `invalid_write`, `record_not_found` when it has gone out of their reach.
 */
async function requireSeen(
  { context, object }: Deciding,
  { locked, record }: Decided,
  expected: string | undefined,
): Promise<void> {
  const { db, model, caller } = context;
  // The move itself reports that the person who asked can no longer find it.
  if (record === undefined) return;
  const owner = record[reachColumn(object)] as number | null;
  if (!isWithinReach(caller, objectAccess(caller, object).reach.read, owner))
    throw requestNotFound();
  const isSame = Number(record.version) === locked.record_revision;
  if (expected === undefined ? !isSame : expected !== versionToken(record)) {
    const history = locked.changes === null ? undefined : await namesSince(db, model);
    const changed_fields = changedSince({ model, caller, history }, locked);
    throw new ApiError('conflict', {
      message: say('move_record_changed'),
      param: 'expected_version',
      details: { reason: 'record_changed', changed_fields },
    });
  }
  const workflow = workflowOf(model, object, record.work_item_type_id);
  if (record.status === locked.from_status && workflow?.id === locked.workflow_id) return;
  throw new ApiError('invalid_write', {
    message: say('move_record_moved'),
    details: { reason: 'record_moved' },
  });
}

/** The decision, with the move when it is the last approval. */
function validatedOf(
  decided: Decided,
  moved: Validated<Written> | undefined,
  once: RequestOnce,
): Validated<Answer> {
  const { deciding, isLast } = decided;
  const { object, before } = deciding;
  const move = isLast ? moved : undefined;
  const notes = notesOf(decided).map(toStatement);
  const none = { steps: [], search: [], placedItems: [] };
  const found = { [reachColumn(object)]: before.reach_user_id };
  return {
    effects: { ...(move === undefined ? none : withApproval(move.effects, decided)), notes },
    predictRecords: (now) => move?.predictRecords(now) ?? new Map([[before.record_id, found]]),
    respond: (records) => answerOf(decided, records.get(before.record_id), once),
  };
}

/** The audit row of the move names its request and its people. */
function withApproval(effects: Validated<Written>['effects'], decided: Decided) {
  const { locked } = decided;
  const request = {
    id: locked.id,
    requested_by: locked.requested_by,
    approved_by: approvers(decided),
  };
  const steps = effects.steps.map((step) => ({
    ...step,
    audit: step.audit.map((entry) => ({ ...entry, request })),
  }));
  return { ...effects, steps };
}

function approvers({ locked, deciding }: Decided): readonly number[] {
  const before = locked.decisions.filter(({ decision }) => decision === 'approved');
  return [...before.map(({ user }) => user.id), deciding.context.caller.user.id];
}

function notesOf(decided: Decided): readonly Sql[] {
  const { deciding, locked, isLast } = decided;
  const { context, verdict } = deciding;
  const { model, caller } = context;
  const { schema, revision } = model;
  const { id, decisions } = locked;
  const number = decisions.length + 1;
  const decision = { request_id: id, number, user_id: caller.user.id };
  const entry = {
    actor: actorOf(context, 'api', null),
    object_type: locked.object_type,
    record_id: locked.record_id,
    action: isLast ? 'status_decision' : 'status_approval',
    changed_fields: ['status'],
    revision: null,
    request: { id, requested_by: locked.requested_by, approved_by: null },
  };
  return [
    ...(verdict.kind === 'withdrawn'
      ? []
      : [decideSql(schema, { ...decision, decision: verdict.kind, comment: verdict.comment })]),
    ...(isLast ? [endRequestSql(schema, id, verdict.kind)] : []),
    auditSql({ schema, revision }, [entry]),
    readAskedSql(schema, locked, isLast ? undefined : caller.user.id),
    ...(isLast && verdict.kind !== 'withdrawn' ? toldSql(decided) : []),
  ];
}

/** The person who asked learns of the decision of somebody else; they see it while they can read the record. */
function toldSql({ deciding, locked }: Decided): readonly Sql[] {
  const { model, caller } = deciding.context;
  if (locked.requested_by === caller.user.id) return [];
  const people = [{ id: uuidv7(), user_id: locked.requested_by }];
  const told = { kind: 'request_decided', author: caller.user.id, people } as const;
  return [notifyOfRequestSql(model.schema, locked, told)];
}

function answerOf(decided: Decided, record: Row | undefined, once: RequestOnce): Answer {
  const { deciding, locked, isLast } = decided;
  const { context, object, before, verdict } = deciding;
  const { model, caller } = context;
  const isOpen = !isLast;
  const presented = shownRequest(
    { model, caller, history: undefined },
    {
      ...before,
      ...locked,
      state: isOpen ? 'pending' : verdict.kind,
      decided_at: isOpen ? null : locked.now,
      decisions: [...locked.decisions, ...ownDecision(decided)],
      version: Number(record?.version ?? before.version),
      changes: isOpen && before.changes !== null ? locked.changes : null,
    },
  );
  const display = object.fields.get(object.display_field ?? '');
  const isShown = display !== undefined && canReadField(caller, object, display);
  return once.answer(presented, isShown ? [display.key] : []);
}

function ownDecision({ deciding, locked }: Decided): readonly StatusDecision[] {
  const { verdict, context } = deciding;
  if (verdict.kind === 'withdrawn') return [];
  const { id, name, email } = context.caller.user;
  const user = { id, name, email: email ?? '', teams: locked.own_teams, active: true };
  return [{ decision: verdict.kind, user, comment: verdict.comment, at: locked.now }];
}

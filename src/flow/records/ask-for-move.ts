// Requests a move that needs approval. One transaction runs the look-ups and checks of the move, and instead of the
// move writes a request with its audit row and the notifications of the approvers (docs/design/approvals.md).

import { uuidv7 } from 'uuidv7';
import { approversSql } from '../../control/people/approver-rows.ts';
import { errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Gate, ObjectModel } from '../../model/definition/model.ts';
import { canReadField, reachColumn } from '../../model/rights/access.ts';
import { isApprover } from '../../model/rights/gate.ts';
import { workflowOf } from '../../model/rights/workflow.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { type Mentioned, notifiedBy } from '../../plan/events/comment-plan.ts';
import {
  peopleOf,
  type ShownRequest,
  shownRequest,
} from '../../plan/people/status-request-plan.ts';
import type { Row } from '../../postgres/db.ts';
import { auditSql } from '../../sql/events/audit-sql.ts';
import { type Statement, toStatement } from '../../sql/sql.ts';
import {
  askSql,
  type NewRequest,
  notifyOfRequestSql,
  pendingSql,
} from '../../sql/write/status-request-sql.ts';
import { lookedUpRow, type RequestOnce, requestOnce, restOf } from './decided-writes.ts';
import type { Answer } from './idempotency.ts';
import { gatesTo, type Lookup } from './lookups.ts';
import { actorOf } from './write-actor.ts';
import { plannedRequest } from './write-flow.ts';
import { type LookedUp, type WriteContext, writeAlone } from './write-group.ts';

export interface MoveAsked {
  /** Id of the record as the client sent it. */
  readonly id: string;
  readonly status_id: string;
  readonly comment: string | null;
}

/**
 * Request the move, once for each `Idempotency-Key`. Errors: those of the move, `invalid_write` when it needs no
 * approval, `conflict` when a request for it is pending.
 */
export function askForMove(
  context: WriteContext,
  object: ObjectModel,
  asked: MoveAsked,
  once: RequestOnce,
): Promise<Answer> {
  const { id, status_id } = asked;
  const operation = { action: 'status', id, status_id } as const;
  const request = { operations: [operation], source: 'api', batch: false } as const;
  const move = plannedRequest(context, object, { ...request, answered: [], approval: 'asked' });
  const asking: Asking = { context, object, asked };
  return writeAlone({
    ...requestOnce({ context, object, explain: move.explain }, once),
    lookups: (mode) => [...move.lookups(mode), ...ownLookups(asking)],
    async validate(tx, looked) {
      await move.validate(tx, restOf(looked));
      const planned = planAsked(asking, looked);
      return {
        effects: { steps: [], search: [], placedItems: [], notes: notesOf(asking, planned) },
        predictRecords: () => new Map([[planned.request.record_id, planned.record]]),
        respond: () => {
          const display = object.fields.get(object.display_field ?? '');
          const isShown = display !== undefined && canReadField(context.caller, object, display);
          const fields = isShown ? [display.key] : [];
          return once.answer(
            shownOf(asking, planned, isShown ? display.column : undefined),
            fields,
          );
        },
      };
    },
  });
}

interface Asking {
  readonly context: WriteContext;
  readonly object: ObjectModel;
  readonly asked: MoveAsked;
}

/** The look-ups of the request. They follow those of the move, so that they read while the record is locked. */
function ownLookups({ context, object, asked }: Asking): readonly Lookup[] {
  const { schema } = context.model;
  const gates = gatesTo(context.model, [asked.status_id]);
  const { object_type: objectType } = object;
  const pending = pendingSql(schema, parseRecordId(asked.id) ?? null, asked.status_id);
  return [
    { kind: 'request', objectType, statement: toStatement(pending) },
    { kind: 'people', objectType, statement: toStatement(approversSql(schema, gates)) },
  ];
}

interface PlannedAsk {
  readonly request: NewRequest;
  readonly record: Row;
  readonly record_people: readonly number[];
  readonly notified: readonly number[];
}

/** Plans the request. Errors: `conflict` when a request for the move is pending. */
function planAsked({ context, object, asked }: Asking, looked: LookedUp): PlannedAsk {
  const { model, caller } = context;
  const record = lookedUpRow(looked, 'rows') as Row;
  const pending = lookedUpRow(looked, 'request') as Row;
  if (pending.pending !== null) throw alreadyAsked(String(pending.pending));
  const workflow = workflowOf(model, object, record.work_item_type_id);
  const from_status = String(record.status);
  const gate = workflow?.statuses.get(from_status)?.gates.get(asked.status_id) as Gate;
  const requested_at = String(pending.now);
  const { api_key_id, api_key_prefix, session_id } = actorOf(context, 'api', null);
  const request: NewRequest = {
    id: uuidv7(),
    object_type: object.object_type,
    record_id: String(record.id),
    workflow_id: workflow?.id ?? '',
    from_status,
    to_status: asked.status_id,
    record_revision: Number(record.version),
    comment: asked.comment,
    requested_by: caller.user.id,
    requested_at,
    expires_at: new Date(Date.parse(requested_at) + gate.expires_days * DAY_MS).toISOString(),
    ...{ api_key_id, api_key_prefix, session_id },
  };
  const record_people = peopleOf(object, record, pending.last_changed_by);
  const move = { context, object, gate, record, record_people };
  return { request, record, record_people, notified: notifiedOf(move, looked) };
}

const DAY_MS = 86_400_000;

function alreadyAsked(request_id: string): Error {
  const message = say('move_already_asked');
  return errorFromProblems([{ param: 'status_id', code: 'conflict', message, request_id }]);
}

interface GatedMove {
  readonly context: WriteContext;
  readonly object: ObjectModel;
  readonly gate: Gate;
  readonly record: Row;
  readonly record_people: readonly number[];
}

type ApproverMember = Mentioned & { readonly email: string; readonly teams: readonly string[] };

/** Approvers who may decide and can read the record. */
function notifiedOf(
  { context, object, gate, record, record_people }: GatedMove,
  looked: LookedUp,
): readonly number[] {
  const { model, caller } = context;
  const index = looked.lookups.findIndex(({ kind }) => kind === 'people');
  const people = (looked.answers[index] ?? []) as unknown as readonly ApproverMember[];
  const interested = new Set([caller.user.id, ...record_people]);
  const approvers = people.filter(
    (person) => isApprover(gate, person) && (gate.self_approval || !interested.has(person.id)),
  );
  const mentioned = approvers.map(({ id }) => id);
  const owner_id = record[reachColumn(object)] as number | null;
  return notifiedBy(model, { object, owner_id, mentioned, people: approvers }) ?? [];
}

function notesOf({ context }: Asking, { request, notified }: PlannedAsk): readonly Statement[] {
  const { schema, revision } = context.model;
  const entry = {
    actor: actorOf(context, 'api', null),
    object_type: request.object_type,
    record_id: request.record_id,
    action: 'status_request',
    changed_fields: ['status'],
    revision: null,
    request: { id: request.id, requested_by: request.requested_by, approved_by: null },
  };
  const people = notified
    .slice(0, LIMITS.notifiedApprovers)
    .map((user_id) => ({ id: uuidv7(), user_id }));
  const notice = { kind: 'approval_requested', author: request.requested_by, people } as const;
  return [
    ...askSql(schema, request),
    auditSql({ schema, revision }, [entry]),
    ...(people.length === 0 ? [] : [notifyOfRequestSql(schema, request, notice)]),
  ].map(toStatement);
}

function shownOf(
  { context: { model, caller } }: Asking,
  { request, record, record_people }: PlannedAsk,
  display: string | undefined,
): ShownRequest {
  return shownRequest(
    { model, caller, history: undefined },
    {
      ...request,
      state: 'pending',
      ...{ decided_at: null, decisions: [], own_teams: [], changes: null },
      requester_name: caller.user.name,
      version: Number(record.version),
      reach_user_id: null,
      record_people,
      display: display === undefined ? null : ((record[display] ?? null) as string | null),
    },
  );
}

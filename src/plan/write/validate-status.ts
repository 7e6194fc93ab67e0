// Validates a change of status: the workflow and its approval gates (specification §3). Pure.

import { say } from '../../messages/message.ts';
import type { Field, Gate } from '../../model/definition/model.ts';
import { isEnough, isGateClosed } from '../../model/rights/gate.ts';
import { passesGates } from '../../model/rights/principal.ts';
import { isTransitionAllowed, workflowOf } from '../../model/rights/workflow.ts';
import type { Row } from '../../model/values/row.ts';
import { peopleOf } from '../people/status-request-plan.ts';
import {
  type Change,
  currentValue,
  recordKey,
  report,
  type WriteValidation,
} from './write-validation.ts';

/** The workflow must allow the move, and its gate the caller (D49, D578). */
export function validateStatus(
  one: WriteValidation,
  row: Row,
  statusId: string,
): Change | undefined {
  const { model } = one.plan;
  const { object } = one.write;
  const workflow = workflowOf(model, object, row.work_item_type_id);
  const current = (row.status ?? null) as string | null;
  if (workflow === null || !isTransitionAllowed(workflow, current, statusId)) {
    const allowed = workflow?.statuses.get(current ?? '')?.transitions ?? [];
    const message =
      workflow === null
        ? say('no_workflow')
        : say('move_not_allowed', { allowed: allowed.join(', ') || 'none' });
    report(one, 'rules', { code: 'invalid_write', param: 'status_id', message });
    return undefined;
  }
  const gate = workflow.statuses.get(current ?? '')?.gates.get(statusId);
  if (!isApproved(one, gate, row)) return undefined;
  const set = new Map([[object.fields.get('status') as Field, statusId as unknown]]);
  const id = String(row.id);
  return { kind: 'update', id, before: row, action: 'status', set, keys: ['status'] };
}

/** False when the move needs approval, or was asked for without need; reports it. */
function isApproved(one: WriteValidation, gate: Gate | undefined, row: Row): boolean {
  const { approval } = one.plan;
  if (approval === 'given') return true;
  const { object } = one.write;
  const isClosed =
    gate !== undefined &&
    isGateClosed(gate, object, (field) => currentValue(row, field)) &&
    !mayPassAlone(one, gate, row);
  if (isClosed === (approval === 'asked')) return true;
  const refusal = isClosed ? APPROVAL_REQUIRED : APPROVAL_NOT_REQUIRED;
  report(one, 'rules', { code: 'invalid_write', param: 'status_id', ...refusal });
  return false;
}

const APPROVAL_REQUIRED = Object.freeze({
  message: say('approval_required'),
  reason: 'approval_required',
  approval: Object.freeze({ can_request: true }),
});

const APPROVAL_NOT_REQUIRED = Object.freeze({
  message: say('approval_not_required'),
  reason: 'approval_not_required',
});

/** True when the caller is an approver, no other is needed, and the gate lets them move a record of their own (D652). */
function mayPassAlone(one: WriteValidation, gate: Gate, row: Row): boolean {
  const { plan, lookedUp } = one;
  const { caller } = plan;
  if (!gate.self_approval && isOwnRecord(one, row)) return false;
  const person = { email: caller.user.email ?? '', teams: lookedUp.approvingTeams };
  return passesGates(caller) && isEnough(gate, [person]);
}

/** An earlier operation of the request is a change of the caller as well. */
function isOwnRecord({ plan, write, lookedUp, records }: WriteValidation, row: Row): boolean {
  const id = String(row.id);
  const { id: caller } = plan.caller.user;
  const isChanged = records.has(recordKey(write.object, id));
  const last = isChanged ? caller : lookedUp.lastChangedBy.get(id);
  return peopleOf(write.object, row, last).includes(caller);
}

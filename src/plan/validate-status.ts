// Validates a change of status: the workflow and its approval gates (specification §3). Pure.

import type { Field, Gate } from '../model/model.ts';
import { isTransitionAllowed, workflowOf } from '../model/workflow.ts';
import { type Change, report, type WriteValidation } from './write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

/** The workflow must allow the move, and its gate the caller (D49). */
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
        ? 'Records of this object type have no workflow.'
        : `The workflow does not allow this move. Allowed from here: ${allowed.join(', ') || 'none'}.`;
    report(one, 'rules', { code: 'invalid_write', param: 'status_id', message });
    return undefined;
  }
  const gate = workflow.statuses.get(current ?? '')?.gates.get(statusId);
  if (gate !== undefined && !mayApprove(one, gate)) {
    const message = 'This move needs the approval of someone else.';
    report(one, 'rules', {
      code: 'invalid_write',
      param: 'status_id',
      message,
      reason: 'approval_required',
    });
    return undefined;
  }
  const set = new Map([[object.fields.get('status') as Field, statusId as unknown]]);
  const id = String(row.id);
  return { kind: 'update', id, before: row, action: 'status', set, keys: ['status'] };
}

function mayApprove({ plan, lookedUp }: WriteValidation, { users, teams }: Gate): boolean {
  if (users.has(plan.caller.user.email ?? '')) return true;
  return [...teams].some((team) => lookedUp.approvingTeams.has(team));
}

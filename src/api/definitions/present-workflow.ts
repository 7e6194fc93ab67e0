// A workflow as `GET /workflows/{workflow_id}` shows it: the moves it allows, and the approvers of those that need
// approval.

import type { ApproverRow } from '../../control/people/approver-rows.ts';
import type { Gate, Status, Workflow } from '../../model/definition/model.ts';
import { type Say, statusPlace } from '../../model/definition/texts.ts';
import type { Caller } from '../../model/rights/access.ts';
import { isEnough } from '../../model/rights/gate.ts';
import { passesGates } from '../../model/rights/principal.ts';

/** The parts of a workflow that a request is about. */
export interface WorkflowView {
  readonly appearance: boolean;
  readonly say: Say;
}

/** A workflow with the statuses each status may move to (specification §2.6), and their gates (D49). */
export function presentWorkflow(
  workflow: Workflow,
  caller: Caller,
  approvers: readonly ApproverRow[],
  { appearance, say }: WorkflowView,
): Record<string, unknown> {
  const { id, name, statuses } = workflow;
  const nameOf = (status: Status) => say(statusPlace(id, status.id), status.name);
  const moveFrom = (status: Status) => (target: string) => {
    const to = statuses.get(target);
    return {
      id: target,
      name: to === undefined ? null : nameOf(to),
      ...presentGate(status.gates.get(target), caller, approvers),
    };
  };
  return {
    ...{ id, key: id, name: say(`workflows.${id}.name`, name) },
    statuses: [...statuses.values()].map((status) => ({
      id: status.id,
      name: nameOf(status),
      ...(appearance ? { color: status.color } : {}),
      transitions: status.transitions.map(moveFrom(status)),
    })),
  };
}

function presentGate(gate: Gate | undefined, caller: Caller, approvers: readonly ApproverRow[]) {
  // A workflow without gates has the form of the specification.
  if (gate === undefined) return {};
  const gateApprovers = approvers.filter(({ kind, key }) =>
    kind === 'user' ? gate.users.has(key) : gate.teams.has(key),
  );
  const of = (wanted: ApproverRow['kind']) =>
    gateApprovers.filter(({ kind }) => kind === wanted).map(({ id, name }) => ({ id, name }));
  const teams = of('team');
  const own = gateApprovers.filter(
    ({ kind, id }) => kind === 'team' && caller.team_ids.includes(id),
  );
  const person = { email: caller.user.email ?? '', teams: own.map(({ key }) => key) };
  const { required, from, when } = gate;
  const can_approve = passesGates(caller) && isEnough(gate, [person]);
  const isUsual = required === 1 && from === 'any' && when === undefined;
  return {
    requires_approval: true,
    can_approve,
    can_approve_own: can_approve && gate.self_approval,
    ...(isUsual ? {} : { approval: { required, from, conditional: when !== undefined } }),
    ...(caller.scopes.has('users:read') ? { approvers: { users: of('user'), teams } } : {}),
  };
}

// A workflow as `GET /workflows/{workflow_id}` shows it: the moves it allows, and the approvers of those that need
// approval.

import type { ApproverRow } from '../control/approver-rows.ts';
import type { Caller } from '../model/access.ts';
import type { Gate, Status, Workflow } from '../model/model.ts';

/** A workflow with the statuses each status may move to (specification §2.6), and their gates (D49). */
export function presentWorkflow(
  workflow: Workflow,
  caller: Caller,
  approvers: readonly ApproverRow[],
  appearance: boolean,
): Record<string, unknown> {
  const { id, name, statuses } = workflow;
  const moveFrom = (status: Status) => (target: string) => ({
    id: target,
    name: statuses.get(target)?.name ?? null,
    ...presentGate(status.gates.get(target), caller, approvers),
  });
  return {
    ...{ id, key: id, name },
    statuses: [...statuses.values()].map((status) => ({
      id: status.id,
      name: status.name,
      ...(appearance ? { color: status.color } : {}),
      transitions: status.transitions.map(moveFrom(status)),
    })),
  };
}

function presentGate(gate: Gate | undefined, caller: Caller, approvers: readonly ApproverRow[]) {
  // A workflow without gates has the form of the specification.
  if (gate === undefined) return {};
  const named = approvers.filter(({ kind, key }) =>
    kind === 'user' ? gate.users.has(key) : gate.teams.has(key),
  );
  const of = (wanted: ApproverRow['kind']) =>
    named.filter(({ kind }) => kind === wanted).map(({ id, name }) => ({ id, name }));
  const teams = of('team');
  const isOfTeam = teams.some(({ id }) => caller.team_ids.includes(id));
  return {
    requires_approval: true,
    can_approve: gate.users.has(caller.user.email ?? '') || isOfTeam,
    ...(caller.scopes.has('users:read') ? { approvers: { users: of('user'), teams } } : {}),
  };
}

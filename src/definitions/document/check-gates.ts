// The rules of gates: approvers and fields that exist, and no more approvals than there are approvers. Pure.

import { say } from '../../messages/message.ts';
import type { DefinitionDocument, GatedTransition } from '../../model/definition/definition.ts';
import { unknownName } from '../../model/text/nearest-name.ts';
import { ownValue } from '../../model/text/own-value.ts';
import { conditionProblem } from './check-condition.ts';
import type { Report } from './check-fields.ts';
import { objectsOfWorkflow } from './workflow-objects.ts';

/** A gate, and the workflow that it is in. */
export interface CheckedGate {
  readonly document: DefinitionDocument;
  readonly workflow: string;
  readonly path: readonly string[];
  readonly gate: GatedTransition;
}

export function checkGate(checked: CheckedGate, report: Report): void {
  checkApprovers(checked, report);
  checkRequired(checked, report);
  const { document, workflow, path, gate } = checked;
  if (gate.when === undefined) return;
  for (const object of objectsOfWorkflow(document, workflow)) {
    const fields = document.objects[object]?.fields ?? {};
    const problem = conditionProblem(gate.when, object, fields);
    if (problem !== undefined) report([...path, gate.to, 'when'], problem);
  }
}

function checkApprovers({ document, path, gate }: CheckedGate, report: Report): void {
  const { users: people = {}, teams: groups = {} } = document;
  const { users = [], teams = [] } = gate.approvers;
  for (const email of users) {
    if (ownValue(people, email) === undefined) report(path, unknownName(email, 'a user', people));
  }
  for (const name of teams) {
    if (ownValue(groups, name) === undefined) report(path, unknownName(name, 'a team', groups));
  }
}

/** A gate that nobody can open would only be noticed when somebody waits for it. */
function checkRequired({ document, path, gate }: CheckedGate, report: Report): void {
  const { required = 1, approvers } = gate;
  if (required === 1) return;
  const { users: people = {}, teams: groups = {} } = document;
  const members = (approvers.teams ?? []).flatMap((name) => ownValue(groups, name)?.members ?? []);
  const named = new Set([...(approvers.users ?? []), ...members]);
  const possible = [...named].filter((email) => {
    const person = ownValue(people, email);
    return person !== undefined && person.active !== false && person.kind !== 'agent';
  });
  if (possible.length >= required) return;
  const message = say('definition_required_approvals', { count: possible.length });
  report([...path, gate.to, 'required'], message);
}

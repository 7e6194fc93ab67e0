// Changes of people and teams: their result, their differences, and the reasons to refuse them
// (docs/decisions.md, D223 to D225). Pure; that an address or a name is taken, the database says.

import { ApiError, errorFromProblems } from '../../errors.ts';
import { ended, say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, OF_ADMINISTRATORS, requireSignedIn } from '../../model/rights/access.ts';
import { isAdministrator } from '../../model/rights/administrator-roles.ts';
import { unknownName } from '../../model/text/nearest-name.ts';
import { differences, patched } from '../write/patch.ts';

/** The fields that administrators can change of a person or agent. */
export interface PersonFields {
  readonly name: string | null;
  readonly email: string;
  readonly title: string | null;
  readonly roles: readonly string[];
  readonly active: boolean;
}

export type PersonPatch = { readonly [Key in keyof PersonFields]?: PersonFields[Key] | undefined };

export interface TeamFields {
  readonly name: string;
  readonly description: string | null;
}

export type TeamPatch = { readonly [Key in keyof TeamFields]?: TeamFields[Key] | undefined };

interface Planned<Fields> {
  readonly after: Fields;
  /** Names, never values; empty when the patch changes no field. */
  readonly changed_fields: readonly string[];
}

/** A new person or agent. Errors: `permission_denied`, `invalid_write`. */
export function planNewPerson(model: WorkspaceModel, caller: Caller, after: PersonFields): void {
  if (isAdministrator(model, after.roles)) requireSignedIn(caller, OF_ADMINISTRATORS);
  requireKnownRoles(model, after.roles);
}

/**
 * A person as they will be. Errors: `permission_denied` for what only a person who signed in may do,
 * `invalid_write`, `conflict` for the address of an approver.
 */
export function planPersonChange(
  model: WorkspaceModel,
  caller: Caller,
  before: PersonFields,
  patch: PersonPatch,
): Planned<PersonFields> {
  const { name, email, title, active, roles } = patched(before, patch);
  // The order of roles has no meaning.
  const isSame = String([...roles].sort()) === String([...before.roles].sort());
  const after = { name, email, title, active, roles: isSame ? before.roles : roles };
  const changed_fields = differences(before, after);
  if (email !== before.email) requireSignedIn(caller, OF_ADDRESSES);
  if (becomesOther(model, before, after)) requireSignedIn(caller, OF_ADMINISTRATORS);
  if (!isSame) requireKnownRoles(model, roles);
  if (email !== before.email)
    requireNoApprover(model, 'users', { name: before.email, param: 'email' });
  return { after, changed_fields };
}

/** A team as it will be. Errors: `conflict` for a new name of a team that approves. */
export function planTeamChange(
  model: WorkspaceModel,
  before: TeamFields,
  patch: TeamPatch,
): Planned<TeamFields> {
  const { name, description } = patched(before, patch);
  const after = { name, description };
  if (name !== before.name) requireNoApprover(model, 'teams', { name: before.name, param: 'name' });
  return { after, changed_fields: differences(before, after) };
}

/** Errors: `conflict` when a workflow names the team. */
export function requireDeletableTeam(model: WorkspaceModel, { name }: TeamFields): void {
  requireNoApprover(model, 'teams', { name, param: 'team_id' });
}

const OF_ADDRESSES = { what: 'An e-mail address is changed', param: 'email' };

/**
 * True also for reactivating a person with that role, which makes an administrator; deactivating one does not count.
 */
function becomesOther(model: WorkspaceModel, before: PersonFields, after: PersonFields): boolean {
  const [was, is] = [isAdministrator(model, before.roles), isAdministrator(model, after.roles)];
  return was !== is || (is && after.active && !before.active);
}

function requireKnownRoles({ roles: known }: WorkspaceModel, roles: readonly string[]): void {
  const problems = roles.flatMap((role, index) => {
    if (known.has(role)) return [];
    const message = ended(unknownName(role, 'a role', Object.fromEntries(known)));
    return [{ param: `roles[${index}]`, code: 'invalid_write', message } as const];
  });
  if (problems.length > 0) throw errorFromProblems(problems);
}

/** Workflows name approvers by their address, and teams by their name (D49). */
function requireNoApprover(
  model: WorkspaceModel,
  kind: 'users' | 'teams',
  { name, param }: { readonly name: string; readonly param: string },
): void {
  for (const workflow of model.workflows.values()) {
    for (const { gates } of workflow.statuses.values()) {
      if (![...gates.values()].some((gate) => gate[kind].has(name))) continue;
      const message = say('approver_in_workflow', { workflow: workflow.id, name });
      throw new ApiError('conflict', { param, message });
    }
  }
}

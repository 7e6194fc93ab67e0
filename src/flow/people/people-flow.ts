// People and teams changed by administrators over HTTP. Each change locks people, teams and the definition of the
// workspace; plan/people/people-plan.ts decides what is refused. Definition documents change people too
// (definitions/apply/apply-definition.ts), under the same lock.

import {
  appendPerson,
  countWithRole,
  loadPerson,
  lockPeople,
  type NewPerson,
  type PersonRow,
  putPerson,
} from '../../control/people/people.ts';
import { endLinks } from '../../control/people/sign-in-links.ts';
import {
  appendTeam,
  deleteTeam as deleteRow,
  loadTeam,
  loadTeamIds,
  putTeam,
  putTeamsOfPerson,
} from '../../control/people/teams.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
  type Made,
} from '../../control/workspace/administer.ts';
import { loadModel, workspaceGone } from '../../control/workspace/workspaces.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { requireAdministrator } from '../../model/rights/access.ts';
import { administratorRoles, isAdministrator } from '../../model/rights/administrator-roles.ts';
import {
  type PersonFields,
  type PersonPatch,
  planNewPerson,
  planPersonChange,
  planTeamChange,
  requireDeletableTeam,
  type TeamFields,
  type TeamPatch,
} from '../../plan/people/people-plan.ts';
import { isDatabaseError, type Queryable } from '../../postgres/db.ts';

/** Within the transaction: `model` is the one in force, which does not change until it ends. */
interface LockedWorkspace extends Pick<AskedByCaller, 'model' | 'caller'> {
  readonly tx: Queryable;
}

/**
 * Add a person or an agent. Errors: `permission_denied`, `invalid_write`, `conflict` when the address is
 * taken.
 */
export function createPerson(asked: AskedByCaller, person: NewPerson): Promise<PersonRow> {
  return holding(asked, async (held) => {
    planNewPerson(held.model, held.caller, person);
    const add = appendPerson(held.tx, held.model.schema, person);
    const id = await add.catch(refuseTaken('email', say('email_taken')));
    const given = ['email', 'name', 'title', 'kind', 'active', 'roles'] as const;
    const changed_fields = given.filter((word) => person[word] !== null);
    return made(await requirePerson(held, id), { ...ofUser(id), action: 'create', changed_fields });
  });
}

/**
 * Change a person or an agent. Errors: `permission_denied`, `user_not_found`, `invalid_write`, `conflict` when
 * the address is taken or no administrator would be left.
 */
export function changePerson(
  asked: AskedByCaller,
  id: number,
  patch: PersonPatch,
): Promise<PersonRow> {
  return holding(asked, async (held) => {
    const { tx, model, caller } = held;
    const before = await requirePerson(held, id);
    const { after, changed_fields } = planPersonChange(model, caller, before, patch);
    if (changed_fields.length === 0) return made(before);
    await putPerson(tx, model.schema, id, after).catch(refuseTaken('email', say('email_taken')));
    await requireAdministratorLeft(held, before, after);
    // Links have gone to the old address, which may be that of another person now.
    if (changed_fields.includes('email')) {
      await endLinks(tx, { workspace_id: model.workspace.id, user_id: id });
    }
    return made(await requirePerson(held, id), { ...ofUser(id), action: 'update', changed_fields });
  });
}

/** Replace the teams of a person by these. Errors: `user_not_found`, `invalid_write`. */
export function changeTeamsOfPerson(
  asked: AskedByCaller,
  id: number,
  teamIds: readonly number[],
): Promise<PersonRow> {
  return holding(asked, async (held) => {
    const { tx, model } = held;
    const before = await requirePerson(held, id);
    await requireTeams(held, teamIds);
    const had = new Set(before.teams.map((team) => team.id));
    const isSame = had.size === teamIds.length && teamIds.every((team) => had.has(team));
    if (isSame) return made(before);
    await putTeamsOfPerson(tx, model.schema, id, teamIds);
    const changed_fields = ['teams'];
    return made(await requirePerson(held, id), { ...ofUser(id), action: 'update', changed_fields });
  });
}

/** Add a team. Errors: `conflict` when the name is taken. */
export function createTeam(asked: AskedByCaller, team: TeamFields) {
  return holding(asked, async (held) => {
    const add = appendTeam(held.tx, held.model.schema, team);
    const id = await add.catch(refuseTaken('name', say('team_name_taken')));
    const changed_fields = team.description === null ? ['name'] : ['name', 'description'];
    return made(await requireTeam(held, id), { ...ofTeam(id), action: 'create', changed_fields });
  });
}

/**
 * Change a team. Errors: `record_not_found`, `conflict` when the name is taken, or a workflow names the
 * team.
 */
export function changeTeam(asked: AskedByCaller, id: number, patch: TeamPatch) {
  return holding(asked, async (held) => {
    const { tx, model } = held;
    const before = await requireTeam(held, id);
    const { after, changed_fields } = planTeamChange(model, before, patch);
    if (changed_fields.length === 0) return made(before);
    await putTeam(tx, model.schema, id, after).catch(refuseTaken('name', say('team_name_taken')));
    return made(await requireTeam(held, id), { ...ofTeam(id), action: 'update', changed_fields });
  });
}

/** Delete a team. Errors: `record_not_found`, `conflict` when a workflow names it. */
export function deleteTeam(asked: AskedByCaller, id: number): Promise<void> {
  return holding(asked, async (held) => {
    requireDeletableTeam(held.model, await requireTeam(held, id));
    await deleteRow(held.tx, held.model.schema, { id });
    return made(undefined, { ...ofTeam(id), action: 'delete' });
  });
}

/** Somebody with all that administrators see. Errors: `user_not_found`. */
export async function requirePersonById(
  db: Queryable,
  schema: string,
  id: number,
): Promise<PersonRow> {
  const person = await loadPerson(db, schema, id);
  if (person === undefined) throw new ApiError('user_not_found', { param: 'user_id' });
  return person;
}

function holding<Result>(
  asked: AskedByCaller,
  work: (held: LockedWorkspace) => Promise<Made<Result>>,
): Promise<Result> {
  const { model, caller } = asked;
  requireAdministrator(caller);
  return administer(administrationOf(asked), async (tx) => {
    const { id } = model.workspace;
    const revision = await lockPeople(tx, id);
    const present = revision === model.revision ? model : await loadModel(tx, id);
    if (present === undefined) throw workspaceGone();
    return work({ tx, model: present, caller });
  });
}

/** A result with its events; without an event no row was changed. */
function made<Result>(result: Result, ...events: Made<Result>['events']): Made<Result> {
  return { result, events };
}

/**
 * Errors: `conflict` when no other administrator is left. The lock keeps two administrators from leaving at once.
 */
async function requireAdministratorLeft(
  { tx, model }: LockedWorkspace,
  before: PersonRow,
  after: PersonFields,
): Promise<void> {
  const was = before.active && isAdministrator(model, before.roles);
  if (!was || (after.active && isAdministrator(model, after.roles))) return;
  const left = await countWithRole(tx, model.schema, administratorRoles(model));
  // Agents cannot sign in, so they do not count as the last person.
  if (left.people > 0 || (before.kind === 'agent' && left.agents > 0)) return;
  const param = after.active ? 'roles' : 'active';
  throw new ApiError('conflict', { param, message: say('last_administrator') });
}

function requirePerson({ tx, model }: LockedWorkspace, id: number): Promise<PersonRow> {
  return requirePersonById(tx, model.schema, id);
}

async function requireTeam({ tx, model }: LockedWorkspace, id: number) {
  const team = await loadTeam(tx, model.schema, id);
  if (team !== undefined) return team;
  throw new ApiError('record_not_found', { param: 'team_id', message: say('team_not_found') });
}

async function requireTeams({ tx, model }: LockedWorkspace, ids: readonly number[]): Promise<void> {
  const known = await loadTeamIds(tx, model.schema, ids);
  const problems = ids.flatMap((id, index) => {
    if (known.has(id)) return [];
    const message = say('team_not_found');
    return [{ param: `team_ids[${index}]`, code: 'invalid_write', message } as const];
  });
  if (problems.length > 0) throw errorFromProblems(problems);
}

function refuseTaken(param: string, message: Message) {
  return (error: unknown): never => {
    if (!isDatabaseError(error) || error.code !== '23505') throw error;
    throw new ApiError('conflict', { param, message, cause: error });
  };
}

const ofUser = (id: number) => ({ subject_type: 'user', subject_id: String(id) }) as const;
const ofTeam = (id: number) => ({ subject_type: 'team', subject_id: String(id) }) as const;

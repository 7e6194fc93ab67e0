// The effect of a definition on all people of a workspace, including those that its document does not list: who
// leaves, who keeps a role that was removed, whether an administrator is left (docs/decisions.md, D224, D225). Pure.

import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { administratorRoles, isAdministrator } from '../../model/rights/administrator-roles.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Users } from '../document/leaving-people.ts';
import type { Change } from './change.ts';
import { change } from './change-notice.ts';

export interface PeopleQuestion {
  /** All people of the database. */
  readonly everybody: Users;
  /** The people of the document after the change, and the people who leave. */
  readonly listed: Users;
  /** True when the document does not mention people: they stay as they are, and the plan does not list them. */
  readonly isSilent: boolean;
  readonly before: WorkspaceModel;
  readonly after: WorkspaceModel;
}

export interface PeopleJudgement {
  /** The changes that block the definition. */
  readonly refused: readonly Change[];
  /** Sentences for the person who applies it. */
  readonly notes: readonly string[];
  /** True when somebody becomes or ceases to be one, or a role does. */
  readonly changesAdministrators: boolean;
  /** True when a role no longer requires a second factor. */
  readonly easesFactors: boolean;
}

export function judgePeople(question: PeopleQuestion): PeopleJudgement {
  const { everybody, listed, isSilent, before, after } = question;
  const people = { ...everybody, ...listed };
  return {
    refused: [
      ...refuseLostRoles(people, before, after),
      ...refuseNoAdministrator(question, people),
    ],
    notes: isSilent ? [] : notesOf(everybody, listed),
    changesAdministrators:
      administratorsOf(everybody, before) !== administratorsOf(people, after) ||
      rolesOfAdministrators(before) !== rolesOfAdministrators(after) ||
      isAnyBack(question),
    easesFactors: [...before.roles.values()].some(
      ({ key, second_factor }) =>
        second_factor === 'required' && after.roles.get(key)?.second_factor === 'optional',
    ),
  };
}

/** People with a role that is gone would have it again with another role of its name. */
function refuseLostRoles(
  people: Users,
  before: WorkspaceModel,
  after: WorkspaceModel,
): readonly Change[] {
  const holders = new Map<string, number>();
  for (const { roles } of Object.values(people)) {
    for (const role of new Set(roles)) holders.set(role, (holders.get(role) ?? 0) + 1);
  }
  return [...before.roles.keys()].flatMap((key) => {
    const held = holders.get(key) ?? 0;
    if (held === 0 || after.roles.has(key)) return [];
    const refusal = say(held === 1 ? 'role_of_one' : 'role_of_people', { role: key, count: held });
    const step = { kind: 'note', path: `roles.${key}` } as const;
    return [change(step, `- role ${key} of people who have it`, { refusal })];
  });
}

/** Agents cannot sign in, so they do not count as the last person. */
function refuseNoAdministrator(
  { everybody, before, after }: PeopleQuestion,
  people: Users,
): readonly Change[] {
  const had = activeAdministrators(everybody, before);
  const has = activeAdministrators(people, after);
  const isKept = (has.people > 0 || had.people === 0) && (has.all > 0 || had.all === 0);
  if (isKept) return [];
  const refusal = say('definition_no_administrator');
  const notice = { refusal, conflicts: true };
  return [change({ kind: 'note', path: 'users' }, '~ administrators (none left)', notice)];
}

function activeAdministrators(users: Users, model: WorkspaceModel) {
  const all = Object.values(users).filter(
    ({ active = true, roles }) => active && isAdministrator(model, roles),
  );
  return { all: all.length, people: all.filter(({ kind = 'user' }) => kind === 'user').length };
}

/** True when an administrator who had left is active again. */
function isAnyBack({ everybody, listed, after }: PeopleQuestion): boolean {
  return Object.entries(listed).some(([email, { active = true, roles }]) => {
    const wasInactive = ownValue(everybody, email)?.active === false;
    return active && wasInactive && isAdministrator(after, roles);
  });
}

/** The people with such a role, active or not, in one text. */
function administratorsOf(users: Users, model: WorkspaceModel): string {
  return Object.entries(users)
    .filter(([, { roles }]) => isAdministrator(model, roles))
    .map(([email]) => email)
    .sort()
    .join(' ');
}

/** The keys of the administrator roles in one text. */
function rolesOfAdministrators(model: WorkspaceModel): string {
  return [...administratorRoles(model)].sort().join(' ');
}

function notesOf(everybody: Users, listed: Users): readonly string[] {
  const keptCount = Object.entries(everybody).filter(
    ([email, { active = true }]) => active && ownValue(listed, email) === undefined,
  ).length;
  if (keptCount === 0) return [];
  return [
    keptCount === 1
      ? '1 person in the workspace is not in this document; they keep their roles'
      : `${keptCount} people in the workspace are not in this document; they keep their roles`,
  ];
}

// The part of the difference between two definitions that is people: users by e-mail and teams by
// name. What the new document does not list stays as it is (D78).

import { isDeepStrictEqual } from 'node:util';
import type { DefinitionDocument, TeamDefinition, UserDefinition } from '../../model/definition.ts';
import { ownValue } from '../../model/own-value.ts';
import type { Steps } from '../../model/steps.ts';
import type { Change } from './change.ts';
import { change, named } from './change-notice.ts';

type People = Pick<DefinitionDocument, 'users' | 'teams'>;

/** Users and teams to write; `before` is what the database has. */
export function* diffPeople(before: People | undefined, after: People): Steps<readonly Change[]> {
  const changes: Change[] = [];
  for (const [email, user] of Object.entries(after.users ?? {})) {
    yield;
    const old = ownValue(before?.users, email);
    const words = changedWords(old === undefined ? {} : userWords(old), userWords(user));
    if (words.length === 0) continue;
    const roles = user.roles.length === 0 ? '' : ` (${named(user.roles)})`;
    const summary =
      old === undefined ? `+ user ${email}${roles}` : `~ user ${email} (${words.join(', ')})`;
    changes.push(change({ kind: 'put_user', email, user }, summary));
  }
  for (const [team, definition] of Object.entries(after.teams ?? {})) {
    yield;
    const old = ownValue(before?.teams, team);
    const words = changedWords(old === undefined ? {} : teamWords(old), teamWords(definition));
    if (words.length === 0) continue;
    const members =
      definition.members.length === 1 ? '1 member' : `${definition.members.length} members`;
    const summary =
      old === undefined ? `+ team ${team} (${members})` : `~ team ${team} (${words.join(', ')})`;
    changes.push(change({ kind: 'put_team', team, definition }, summary));
  }
  return changes;
}

/** The drop of a team that the document does not list and --allow-drop names as `team:<name>`. */
export function dropTeam(team: string): Change {
  return change({ kind: 'drop_team', team }, `- team ${team}`, { loss: `team:${team}` });
}

/** True when both say the same of somebody. */
export function isSameUser(one: UserDefinition, other: UserDefinition): boolean {
  return isDeepStrictEqual(userWords(one), userWords(other));
}

/** True when both say the same of a team, members in any order. */
export function isSameTeam(one: TeamDefinition, other: TeamDefinition): boolean {
  return isDeepStrictEqual(teamWords(one), teamWords(other));
}

type Words = Readonly<Record<string, unknown>>;

function changedWords(before: Words, after: Words): readonly string[] {
  return Object.keys(after).filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

function userWords(user: UserDefinition): Words {
  return {
    name: user.name,
    title: user.title ?? null,
    kind: user.kind ?? 'user',
    active: user.active ?? true,
    roles: [...user.roles].sort(),
  };
}

function teamWords(team: TeamDefinition): Words {
  return { description: team.description ?? null, members: [...team.members].sort() };
}

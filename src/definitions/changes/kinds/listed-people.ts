// Users and teams of a document, which are written after the tables, and teams that may be dropped. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { TeamDefinition, UserDefinition } from '../../../model/definition/definition.ts';
import { type ChangeKind, NO_LOCKS } from '../change-kind.ts';
import { change, named } from '../change-notice.ts';

export interface PutUser {
  readonly kind: 'put_user';
  readonly email: string;
  readonly user: UserDefinition;
}

export interface PutTeam {
  readonly kind: 'put_team';
  readonly team: string;
  readonly definition: TeamDefinition;
}

export interface DropTeam {
  readonly kind: 'drop_team';
  readonly team: string;
}

const ofPeople = Object.freeze({ locks: () => NO_LOCKS, statements: () => [] });

const teamPath = ({ team }: { readonly team: string }) => `teams.${team}`;

export const putUser: ChangeKind<PutUser> = Object.freeze({
  ...ofPeople,
  kind: 'put_user',
  path: ({ email }: PutUser) => `users.${email}`,
  people: ({ user, email }: PutUser) => ({ users: [{ ...user, email }] }),
});

export const putTeam: ChangeKind<PutTeam> = Object.freeze({
  ...ofPeople,
  kind: 'put_team',
  path: teamPath,
  people: ({ definition, team }: PutTeam) => ({ teams: [{ ...definition, name: team }] }),
});

export const dropTeam: ChangeKind<DropTeam> = Object.freeze({
  ...ofPeople,
  kind: 'drop_team',
  path: teamPath,
  loses: () => ({ of: 'team' as const }),
  people: ({ team }: DropTeam) => ({ droppedTeams: [team] }),
});

/** `old` is the user in the database. */
export function findUser(email: string, old: UserDefinition | undefined, user: UserDefinition) {
  const words = changedWords(old === undefined ? {} : userWords(old), userWords(user));
  if (words.length === 0) return [];
  const roles = user.roles.length === 0 ? '' : ` (${named(user.roles)})`;
  const summary =
    old === undefined ? `+ user ${email}${roles}` : `~ user ${email} (${words.join(', ')})`;
  return [change<PutUser>({ kind: 'put_user', email, user }, summary)];
}

/** `old` is the team in the database. */
export function findTeam(team: string, old: TeamDefinition | undefined, now: TeamDefinition) {
  const words = changedWords(old === undefined ? {} : teamWords(old), teamWords(now));
  if (words.length === 0) return [];
  const { length } = now.members;
  const members = length === 1 ? '1 member' : `${length} members`;
  const summary =
    old === undefined ? `+ team ${team} (${members})` : `~ team ${team} (${words.join(', ')})`;
  return [change<PutTeam>({ kind: 'put_team', team, definition: now }, summary)];
}

/** The drop of a team that the document does not list and --allow-drop names as `team:<name>`. */
export function findDroppedTeam(team: string) {
  const step: DropTeam = { kind: 'drop_team', team };
  return change(step, `- team ${team}`, { loss: `team:${team}` });
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

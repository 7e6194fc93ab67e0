// Users and teams of a document, which are written after the tables, and teams that may be dropped. Pure.

import type { TeamDefinition, UserDefinition } from '../../../model/definition.ts';
import { type ChangeKind, NO_LOCKS } from '../change-kind.ts';

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

// Calls of administrators: people, teams, roles, access reports, API keys. Calls that make something are sent once:
// when the outcome is unknown, check the result before you repeat the call.

import { type Oauth, oauthOf } from './oauth.ts';
import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Access, Endpoints, Key, ListedMember, Member, NewKey, Role, Team } from './schema.ts';

type Body<Name extends keyof Endpoints> = Endpoints[Name]['body'];

export interface KeyQuery extends Omit<Endpoints['listKeys']['query'], 'include_revoked'> {
  readonly include_revoked?: boolean | undefined;
}

export interface PeopleChanges {
  create(person: Body<'createUser'>, options?: CallOptions): Promise<Member>;
  update(id: number, changes: Body<'updateUser'>, options?: CallOptions): Promise<Member>;
  /** Exactly these teams from now on. */
  setTeams(id: number, teamIds: readonly number[], options?: CallOptions): Promise<Member>;
}

export interface MemberQuery extends Omit<Endpoints['listMembers']['query'], 'active'> {
  readonly active?: boolean | undefined;
}

/** People and agents with their roles, for administrators. */
export interface Members {
  /** One page of members, by name. */
  list(query?: MemberQuery, options?: CallOptions): Promise<Page<ListedMember>>;
  all(query?: MemberQuery, options?: CallOptions): AsyncGenerator<ListedMember, void, undefined>;
  get(id: number, options?: CallOptions): Promise<ListedMember>;
}

export interface TeamChanges {
  create(team: Body<'createTeam'>, options?: CallOptions): Promise<Team>;
  update(id: number, changes: Body<'updateTeam'>, options?: CallOptions): Promise<Team>;
  delete(id: number, options?: CallOptions): Promise<void>;
}

export interface Roles {
  list(options?: CallOptions): Promise<Role[]>;
  create(role: Body<'createRole'>, options?: CallOptions): Promise<Role>;
  /** A merge patch: null takes away. */
  update(key: string, changes: Body<'updateRole'>, options?: CallOptions): Promise<Role>;
  delete(key: string, options?: CallOptions): Promise<void>;
}

export interface Keys {
  /** One page of keys, newest first. */
  list(query?: KeyQuery, options?: CallOptions): Promise<Page<Key>>;
  all(query?: KeyQuery, options?: CallOptions): AsyncGenerator<Key, void, undefined>;
  /** The secret is in this answer and nowhere else. */
  create(key: Body<'createKey'>, options?: CallOptions): Promise<NewKey>;
  update(id: string, changes: Body<'updateKey'>, options?: CallOptions): Promise<Key>;
  revoke(id: string, options?: CallOptions): Promise<Key>;
}

export type StartedViewing = Endpoints['startViewing']['result']['data'];

export interface Administration {
  /** The rights of a person, and the roles that grant them. */
  access(query?: Endpoints['getAccess']['query'], options?: CallOptions): Promise<Access>;
  readonly members: Members;
  readonly roles: Roles;
  readonly keys: Keys;
  readonly oauth: Oauth;
  readonly viewing: {
    /** View as a person, in a session; a client with `viewAs` sends the requests that do. */
    start(userId: number, options?: CallOptions): Promise<StartedViewing>;
    stop(options?: CallOptions): Promise<void>;
  };
  /** Creates a workspace; needs a client whose `apiKey` is the key of the operator of the service. */
  createWorkspace(
    workspace: Body<'createWorkspace'>,
    options?: CallOptions,
  ): Promise<Endpoints['createWorkspace']['result']['data']>;
}

export function administrationOf(send: Send): Administration {
  return {
    access: async (query = {}, options) => (await send('getAccess', { query }, options)).data,
    members: membersOf(send),
    roles: rolesOf(send),
    keys: keysOf(send),
    oauth: oauthOf(send),
    viewing: {
      start: async (user_id, options) =>
        (await send('startViewing', { body: { user_id } }, options)).data,
      stop: async (options) => {
        await send('stopViewing', {}, options);
      },
    },
    createWorkspace: async (body, options) =>
      (await send('createWorkspace', { body, once: true }, options)).data,
  };
}

export function peopleChangesOf(send: Send): PeopleChanges {
  return {
    create: async (body, options) => (await send('createUser', { body, once: true }, options)).data,
    update: async (user_id, body, options) =>
      (await send('updateUser', { params: { user_id }, body }, options)).data,
    setTeams: async (user_id, team_ids, options) => {
      const ask = { params: { user_id }, body: { team_ids } };
      return (await send('updateTeamsOfUser', ask, options)).data;
    },
  };
}

export function teamChangesOf(send: Send): TeamChanges {
  return {
    create: async (body, options) => (await send('createTeam', { body, once: true }, options)).data,
    update: async (team_id, body, options) =>
      (await send('updateTeam', { params: { team_id }, body }, options)).data,
    delete: async (team_id, options) => {
      await send('deleteTeam', { params: { team_id }, once: true }, options);
    },
  };
}

function membersOf(send: Send): Members {
  const list = ({ active, ...query }: MemberQuery = {}, options?: CallOptions) => {
    const asked = { ...query, active: active === undefined ? undefined : spelled(active) };
    return send('listMembers', { query: asked }, options);
  };
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    get: async (user_id, options) =>
      (await send('getMember', { params: { user_id } }, options)).data,
  };
}

function rolesOf(send: Send): Roles {
  return {
    list: async (options) => (await send('listRoles', {}, options)).data,
    create: async (body, options) => (await send('createRole', { body, once: true }, options)).data,
    update: async (role_key, body, options) =>
      (await send('updateRole', { params: { role_key }, body }, options)).data,
    delete: async (role_key, options) => {
      await send('deleteRole', { params: { role_key }, once: true }, options);
    },
  };
}

function keysOf(send: Send): Keys {
  const list = ({ include_revoked, ...query }: KeyQuery = {}, options?: CallOptions) => {
    const revoked = include_revoked === undefined ? undefined : spelled(include_revoked);
    return send('listKeys', { query: { ...query, include_revoked: revoked } }, options);
  };
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    create: async (body, options) => (await send('createKey', { body, once: true }, options)).data,
    update: async (key_id, body, options) =>
      (await send('updateKey', { params: { key_id }, body }, options)).data,
    revoke: async (key_id, options) =>
      (await send('revokeKey', { params: { key_id } }, options)).data,
  };
}

function spelled(value: boolean): 'true' | 'false' {
  return value ? 'true' : 'false';
}

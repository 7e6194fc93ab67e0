// People, agents, teams and roles as administrators read them: several pages of settings show them. Keys begin with
// `[workspace, 'members']`, `'teams'` and `'roles'`.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Endpoints, ListedMember } from '@workspace-records/client';
import type { WorkspaceClient } from './session.ts';

/** In the words of the interface. */
export type MemberFilter = Pick<
  Endpoints['listMembers']['query'],
  'q' | 'kind' | 'role' | 'team_id'
> & { readonly active?: boolean };

const AT_ONCE = 50;

export function membersQuery({ workspace, client }: WorkspaceClient, filter: MemberFilter) {
  return infiniteQueryOptions({
    queryKey: [workspace, 'members', 'list', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.members.list({ ...filter, limit: AT_ONCE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

/** To choose from, by a typed text. */
export function someMembersQuery(
  { workspace, client }: WorkspaceClient,
  filter: MemberFilter,
  limit = 20,
) {
  return queryOptions({
    queryKey: [workspace, 'members', 'some', filter, limit],
    queryFn: async ({ signal }) =>
      (await client.members.list({ ...filter, limit }, { signal })).data,
  });
}

export function memberQuery({ workspace, client }: WorkspaceClient, id: number) {
  return queryOptions({
    queryKey: [workspace, 'members', 'one', id],
    queryFn: ({ signal }) => client.members.get(id, { signal }),
  });
}

export function teamsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'teams'],
    queryFn: ({ signal }) => client.teams.list({ signal }),
  });
}

export function rolesQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'roles'],
    queryFn: ({ signal }) => client.roles.list({ signal }),
  });
}

/** The permissions of a person, and the roles that grant them; one's own without a number. */
export function rightsQuery({ workspace, client }: WorkspaceClient, user_id?: number) {
  return queryOptions({
    queryKey: [workspace, 'members', 'rights', user_id ?? 'own'],
    queryFn: ({ signal }) => client.access(user_id === undefined ? {} : { user_id }, { signal }),
  });
}

export function nameOfMember({ name, email }: Pick<ListedMember, 'name' | 'email'>): string {
  return name ?? email;
}

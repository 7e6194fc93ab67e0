// People, agents, teams and roles as administrators read them: several pages of settings show them. Keys begin with
// `[workspace, 'members']`, `'teams'` and `'roles'`.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Access, Endpoints, ListedMember } from '@workspace-records/client';
import type { DefinitionDocument } from './definition/document.ts';
import { definitionQuery } from './definition/draft.ts';
import { baseName } from './messages/index.ts';
import type { WorkspaceClient } from './session.ts';

/** The filter in the words of the API. */
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

/** People to choose from, by a typed text. */
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
export function rightsQuery(session: WorkspaceClient, user_id?: number) {
  const { workspace, client } = session;
  return queryOptions({
    queryKey: [workspace, 'members', 'rights', user_id ?? 'own'],
    queryFn: async ({ signal, client: queries }) => {
      const asked = user_id === undefined ? {} : { user_id };
      const [rights, { document }] = await Promise.all([
        client.access(asked, { signal }),
        queries.fetchQuery(definitionQuery(session)),
      ]);
      return { ...rights, objects: withShownNames(rights.objects, document) };
    },
  });
}

/** Names in the language of the application; the document has none of the fields that every record has. */
function withShownNames(
  objects: Access['objects'],
  document: DefinitionDocument,
): Access['objects'] {
  return objects.map((object) => {
    const entry = document.objects[object.object_type];
    const fields = object.fields.map((field) => {
      const name = entry?.fields[field.key]?.name ?? baseName(field.name);
      return { ...field, name };
    });
    return { ...object, name: entry?.name ?? object.name, fields };
  });
}

export function nameOfMember({ name, email }: Pick<ListedMember, 'name' | 'email'>): string {
  return name ?? email;
}

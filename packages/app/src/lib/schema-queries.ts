// What a workspace is made of, as far as its person may see it: asked for by every feature, so it is none's own. Keys
// are `[workspace, what, …]`.

import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Client, ObjectDefinition, ObjectSummary } from '@workspace-records/client';
import { type Session, useSession } from './session.ts';

/** Milliseconds: definitions change seldom, and a reload has the new one. */
const SETTLED = 300_000;

type Place = Pick<Session, 'workspace' | 'client'>;

export function objectsQuery({ workspace, client }: Place) {
  return queryOptions({
    queryKey: [workspace, 'objects'],
    queryFn: ({ signal }) => client.objects.list({}, { signal }),
    staleTime: SETTLED,
  });
}

export function objectQuery({ workspace, client }: Place, objectType: string) {
  return queryOptions({
    queryKey: [workspace, 'object', objectType],
    queryFn: ({ signal }) => client.objects.get(objectType, {}, { signal }),
    staleTime: SETTLED,
  });
}

export function workflowQuery({ workspace, client }: Place, id: string) {
  return queryOptions({
    queryKey: [workspace, 'workflow', id],
    queryFn: ({ signal }) => client.workflows.get(id, { signal }),
    staleTime: SETTLED,
  });
}

/** Names of people by id; those beyond the first hundred are asked for one by one (person-names.ts). */
export function peopleQuery({ workspace, client }: Place) {
  return queryOptions({
    queryKey: [workspace, 'people'],
    queryFn: ({ signal }) => readPeople(client, signal),
    staleTime: SETTLED,
  });
}

async function readPeople(client: Client, signal: AbortSignal) {
  const { data } = await client.users.list({ limit: 100 }, { signal });
  return new Map(data.map((user) => [user.id, user.name ?? user.email ?? `#${user.id}`]));
}

export function useObjects(): readonly ObjectSummary[] {
  return useSuspenseQuery(objectsQuery(useSession())).data;
}

export function useObject(objectType: string): ObjectDefinition {
  return useSuspenseQuery(objectQuery(useSession(), objectType)).data;
}

/** What the person may do, beyond what objects say of themselves. */
export function accessQuery({ workspace, client }: Place) {
  return queryOptions({
    queryKey: [workspace, 'access'],
    queryFn: ({ signal }) => client.access({}, { signal }),
    staleTime: SETTLED,
  });
}

/** One's own sessions, the last used first. */
export function sessionsQuery({ workspace, client }: Place) {
  return queryOptions({
    queryKey: [workspace, 'sessions'],
    queryFn: ({ signal }) => client.sessions.list({}, { signal }),
  });
}

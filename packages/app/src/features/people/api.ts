// Changes of people by administrators. A one-time link is in the answer and in the component that shows it; it never
// enters a cache.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Endpoints } from '@workspace-records/client';
import { type Session, useSession } from '../../lib/session.ts';

export type NewPerson = Endpoints['createUser']['body'];
export type PersonChanges = Endpoints['updateUser']['body'];
export type SignInLink = Endpoints['createSignInLink']['result']['data'];

/** The sessions of somebody that have not ended. */
export function sessionsOfQuery({ workspace, client }: Session, user_id: number) {
  return queryOptions({
    queryKey: [workspace, 'members', 'sessions', user_id],
    queryFn: ({ signal }) => client.sessions.list({ user_id }, { signal }),
  });
}

interface Invitation {
  readonly person: NewPerson;
  readonly teams: readonly number[];
}

/** The person, and the link that they sign in with; an agent gets none. */
export function useInvite() {
  const { session, again } = useAgain();
  const { client } = session;
  return useMutation({
    async mutationFn({ person, teams }: Invitation) {
      const { id, name, email } = await client.users.create(person);
      if (teams.length > 0) await client.users.setTeams(id, teams);
      const link =
        person.kind === 'agent' ? undefined : await client.sessions.link(id, { mail: true });
      return { id, name: name ?? email, link };
    },
    gcTime: 0,
    onSettled: again,
  });
}

/** `onSuccess` is called before people are read again, which may remove the component that requested the change. */
export function useChangePerson(id: number, onSuccess?: () => void) {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (changes: PersonChanges) => session.client.users.update(id, changes),
    onSuccess: () => onSuccess?.(),
    onSettled: again,
  });
}

export function useChangeTeams(id: number) {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (teams: readonly number[]) => session.client.users.setTeams(id, teams),
    onSettled: again,
  });
}

export function useMakeLink(id: number) {
  const { client } = useSession();
  return useMutation({ mutationFn: () => client.sessions.link(id), gcTime: 0 });
}

export function useEndSessions(user_id: number) {
  const { session, again } = useAgain();
  return useMutation({
    async mutationFn() {
      const sessions = await session.client.sessions.list({ user_id });
      for (const { id } of sessions) await session.client.sessions.signOut(id);
      return sessions.length;
    },
    onSettled: again,
  });
}

/** Everything that shows people is read again as well. */
function useAgain() {
  const session = useSession();
  const queries = useQueryClient();
  const again = () =>
    Promise.all(
      ['members', 'teams', 'roles', 'people'].map((kind) =>
        queries.invalidateQueries({ queryKey: [session.workspace, kind] }),
      ),
    );
  return { session, again };
}

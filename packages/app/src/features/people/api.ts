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

/** The invitations and links of somebody that can be used, each with the entry of the audit about its creation. */
export function openLinksQuery({ workspace, client }: Session, user_id: number) {
  return queryOptions({
    queryKey: [workspace, 'members', 'links', user_id],
    async queryFn({ signal }) {
      const links = await client.sessions.links(user_id, { signal });
      return Promise.all(
        links.map(async ({ id, ...link }) => {
          const about = { subject_type: 'sign_in_link', subject_id: id, action: 'create' } as const;
          const { data } = await client.audit.list(
            { ...about, since: link.created_at },
            { signal },
          );
          return { id, ...link, creation: data[0] };
        }),
      );
    },
  });
}

interface Invitation {
  readonly person: NewPerson;
  readonly teams: readonly number[];
  readonly expiresInHours: number;
}

/** The person, and the link that they sign in with; an agent gets none. */
export function useInvite() {
  const { session, again } = useAgain();
  const { client } = session;
  return useMutation({
    async mutationFn({ person, teams, expiresInHours }: Invitation) {
      const { id, name, email } = await client.users.create(person);
      if (teams.length > 0) await client.users.setTeams(id, teams);
      const link =
        person.kind === 'agent'
          ? undefined
          : await client.sessions.link(id, { mail: true, expiresInHours });
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

/** An invitation is valid for hours; a link to sign in with, for `null`, as long as the service decides. */
export function useMakeLink(id: number) {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (hours: number | null) =>
      session.client.sessions.link(id, hours === null ? {} : { expiresInHours: hours }),
    gcTime: 0,
    onSettled: again,
  });
}

export function useRevokeLink(id: number) {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (link: string) => session.client.sessions.revokeLink(id, link),
    onSettled: again,
  });
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

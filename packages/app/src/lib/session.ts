// Whose session this is, for everything below the shell.

import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Client, isRecordsError, type SessionIdentity } from '@workspace-records/client';
import { createContext, useContext } from 'react';
import { plainClientOf } from './connection.ts';
import { announcePerson } from './other-session.ts';
import { keepDraftsOf } from './storage.ts';
import { leaveEnded } from './viewing.ts';

export interface Session {
  /** The slug of the workspace. */
  readonly workspace: string;
  readonly client: Client;
  readonly me: SessionIdentity;
}

/** Enough of a session to read and write the records of its workspace. */
export type WorkspaceClient = Pick<Session, 'workspace' | 'client'>;

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('there is no session above this component');
  return session;
}

/** The person of the present session; undefined without one, or when the service cannot be reached. */
export async function presentPerson(workspace: string): Promise<SessionIdentity | undefined> {
  try {
    return await plainClientOf(workspace).sessions.me();
  } catch (error) {
    if (isRecordsError(error)) return undefined;
    throw error;
  }
}

/** Undefined: no session. */
export function identityQuery(workspace: string) {
  return queryOptions({
    queryKey: [workspace, 'me'],
    queryFn: async ({ signal }): Promise<SessionIdentity | null> => {
      try {
        const asked = { include: 'links' } as const;
        const me = await plainClientOf(workspace).sessions.me(asked, { signal });
        if (me.viewing === undefined) announcePerson(me);
        return me;
      } catch (error) {
        // The page loads again.
        if (leaveEnded(error)) return new Promise(() => undefined);
        if (isRecordsError(error) && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 300_000,
  });
}

/** The person whose session the pages can use. Null: nobody has signed in, or a second factor is to be set up first. */
export async function beginSession(
  workspace: string,
  queries: QueryClient,
): Promise<SessionIdentity | null> {
  const me = await queries.ensureQueryData(identityQuery(workspace));
  if (me === null || me.set_up !== undefined) return null;
  if (me.viewing === undefined) keepDraftsOf(workspace, me.user.id);
  return me;
}

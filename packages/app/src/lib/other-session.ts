// Detects that another person has signed in to the workspace in this browser: later calls of this tab would be theirs,
// so they wait. Each page announces the person of a session that it begins or finds; a tab that comes to the front
// queries the service.

import type { SessionIdentity } from '@workspace-records/client';
import { createStore, useStore } from './store.ts';

const CHANNEL = 'wrs.person';

interface Person {
  readonly id: number;
  readonly name: string;
}

interface Announcement {
  readonly workspace: string;
  readonly person: Person;
}

interface Other extends Person {
  readonly workspace: string;
}

const other = createStore<Other | undefined>(undefined);

/** The person who has signed in since; undefined while the session is that of the tab. */
export function useOtherPerson(): Person | undefined {
  return useStore(other);
}

/** Tells the other tabs whose session this browser has. */
export function announcePerson({ workspace, user }: Pick<SessionIdentity, 'workspace' | 'user'>) {
  const channel = new BroadcastChannel(CHANNEL);
  const said: Announcement = { workspace: workspace.slug, person: personOf(user) };
  channel.postMessage(said);
  channel.close();
}

/** Resolves at once, or when the session is that of the tab again. */
export async function ownSession(workspace: string): Promise<void> {
  while (other.get()?.workspace === workspace) {
    await new Promise<void>((resolve) => {
      const unsubscribe = other.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }
}

interface Watched {
  readonly workspace: string;
  readonly me: Pick<SessionIdentity, 'user'>;
  /** The present person; undefined without a session, or when the service cannot be reached. */
  readonly present: () => Promise<Pick<SessionIdentity, 'user'> | undefined>;
}

/** Returns how to stop. */
export function watchSession({ workspace, me, present }: Watched): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const compare = (person: Person) => {
    other.set(person.id === me.user.id ? undefined : { ...person, workspace });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Announcement>) => {
    if (data.workspace === workspace) compare(data.person);
  });
  const look = () => {
    if (document.visibilityState === 'visible')
      void present().then((found) => found && compare(personOf(found.user)));
  };
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    channel.close();
    other.set(undefined);
  };
}

function personOf({ id, name, email }: SessionIdentity['user']): Person {
  return { id, name: name ?? email ?? `#${id}` };
}

// Detects that another person has signed in to the workspace in this browser: later writes of this tab would be
// theirs. Tabs announce their person when they open; a tab that comes to the front queries the service.

import { isRecordsError } from '@workspace-records/client';
import { plainClientOf } from './connection.ts';
import type { Session } from './session.ts';
import { createStore, useStore } from './store.ts';

const CHANNEL = 'wrs.person';

interface Person {
  readonly id: number;
  readonly name: string;
}

interface Opened {
  readonly workspace: string;
  readonly person: Person;
}

const other = createStore<Person | undefined>(undefined);

/** The person who has signed in since; undefined while the session is that of the tab. */
export function useOtherPerson(): Person | undefined {
  return useStore(other);
}

/** Returns how to stop. */
export function watchSession({ workspace, me }: Session): () => void {
  const ownPerson = personOf(me);
  const channel = new BroadcastChannel(CHANNEL);
  const compare = (person: Person) => {
    other.set(person.id === ownPerson.id ? undefined : person);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Opened>) => {
    if (data.workspace === workspace) compare(data.person);
  });
  channel.postMessage({ workspace, person: ownPerson } satisfies Opened);
  const look = () => {
    if (document.visibilityState === 'visible')
      void present(workspace).then((is) => is && compare(is));
  };
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    channel.close();
    other.set(undefined);
  };
}

/** Undefined without a session, or when the service cannot be reached: that is reported elsewhere. */
async function present(workspace: string): Promise<Person | undefined> {
  try {
    return personOf(await plainClientOf(workspace).sessions.me());
  } catch (error) {
    if (isRecordsError(error)) return undefined;
    throw error;
  }
}

function personOf({ user }: Session['me']): Person {
  return { id: user.id, name: user.name ?? user.email ?? `#${user.id}` };
}

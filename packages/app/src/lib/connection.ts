// The client of a workspace: the only way from here to the server.

import { type Client, type ClientOptions, createClient } from '@workspace-records/client';
import { currentLanguage } from './messages/index.ts';
import { ownSession } from './other-session.ts';
import { noteWait } from './service-status.ts';
import { askToSignIn } from './sign-in-again.ts';
import { viewedIn } from './viewing.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

const baseUrl = () => `${location.origin}/v1`;

const clients = new Map<string, Client>();

/** Calls in the session of its person; where that has ended, the application shows the dialog to sign in again. */
export function clientOf(workspace: string): Client {
  const known = clients.get(workspace);
  if (known !== undefined) return known;
  const viewAs = viewedIn(workspace);
  const client = createClient({
    baseUrl: baseUrl(),
    workspace,
    language: currentLanguage,
    viewAs,
    fetch: asOwnPerson(workspace),
    onWait: ({ milliseconds, error }) => noteWait(milliseconds, error.status),
    // A new sign-in would be that of another person than the tab shows.
    signInAgain: viewAs === undefined ? askToSignIn : undefined,
  });
  clients.set(workspace, client);
  return client;
}

/** Requests wait while the session of the browser is another person's. */
function asOwnPerson(workspace: string): Fetch {
  return async (url, init) => {
    await ownSession(workspace);
    return globalThis.fetch.call(globalThis, url, init);
  };
}

/**
 * A client for signing in, and to test whether there is a session: a refusal is final at once. `onSignInNeeded` is called
 * when a call needs a session, or a sign-in that has just been.
 */
export function plainClientOf(workspace?: string, onSignInNeeded?: () => void): Client {
  const viewAs = viewedIn(workspace);
  const signInAgain = async () => {
    onSignInNeeded?.();
    return false;
  };
  return createClient({ baseUrl: baseUrl(), workspace, viewAs, maxRetries: 0, signInAgain });
}

/** A client of the person who signed in, also while the tab views as another. */
export function ownClientOf(workspace: string): Client {
  return createClient({ baseUrl: baseUrl(), workspace, maxRetries: 0 });
}

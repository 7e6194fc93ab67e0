// Ends a session at the person's request: no tab of this browser keeps any of its data.

import { isRecordsError } from '@workspace-records/client';
import { plainClientOf } from '../lib/connection.ts';
import { forgetWorkspace } from '../lib/known-workspaces.ts';
import { translate } from '../lib/messages/index.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Session } from '../lib/session.ts';
import { forgetSession } from '../lib/storage.ts';
import { editsOf } from '../lib/unsaved-edits.ts';
import { showToast } from '../ui/toast.ts';

type SignedIn = Pick<Session, 'workspace' | 'me'>;

const CHANNEL = 'wrs.session';

/** Reloads the page, which clears the memory. Reports a session that is still there. */
export async function signOut(session: SignedIn): Promise<void> {
  const { workspace } = session;
  try {
    await plainClientOf(workspace).sessions.signOut();
  } catch (error) {
    // Without a session there is no request to send.
    if (!isRecordsError(error) || error.status !== 401) {
      showToast({ text: translate()('session.signOutFailed'), isProblem: true });
      return;
    }
  }
  leave(session);
  new BroadcastChannel(CHANNEL).postMessage(workspace);
}

/** Leave when the session was ended in another tab; answers how to stop that. */
export function followSignOut(session: SignedIn): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => {
    if (data === session.workspace) leave(session);
  });
  return () => channel.close();
}

function leave(session: SignedIn): void {
  const { workspace } = session;
  queryClient.clear();
  forgetWorkspace(workspace);
  forgetSession();
  editsOf(session).erase();
  location.assign(`/app/${workspace}/sign-in`);
}

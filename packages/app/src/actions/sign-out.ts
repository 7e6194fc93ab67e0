// Ends a session at the person's request: no tab of this browser keeps any of its data.

import { isRecordsError } from '@workspace-records/client';
import { plainClientOf } from '../lib/connection.ts';
import { forgetWorkspace } from '../lib/known-workspaces.ts';
import { translate } from '../lib/messages/index.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Session } from '../lib/session.ts';
import { forgetSession } from '../lib/storage.ts';
import { showToast } from '../ui/toast.ts';

const CHANNEL = 'wrs.session';

/** Reloads the page, which clears the memory. Reports a session that is still there. */
export async function signOut({ workspace }: Pick<Session, 'workspace'>): Promise<void> {
  try {
    await plainClientOf(workspace).sessions.signOut();
  } catch (error) {
    // Without a session there is no request to send.
    if (!isRecordsError(error) || error.status !== 401) {
      showToast({ text: translate()('session.signOutFailed'), isProblem: true });
      return;
    }
  }
  leave(workspace);
  new BroadcastChannel(CHANNEL).postMessage(workspace);
}

/** Leave when the session was ended in another tab; answers how to stop that. */
export function followSignOut(workspace: string): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => {
    if (data === workspace) leave(workspace);
  });
  return () => channel.close();
}

function leave(workspace: string): void {
  queryClient.clear();
  forgetWorkspace(workspace);
  forgetSession();
  location.assign(`/app/${workspace}/sign-in`);
}

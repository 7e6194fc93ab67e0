// Ends mails to the person that the link of a mail names. The link can do only that.

import { putSettings } from '../../control/people/notification-settings.ts';
import { findWorkspaceById } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { isUnsubscribeToken, readSubscriber } from '../../model/rights/unsubscribe-token.ts';
import type { Database } from '../../postgres/db.ts';

const NO_KINDS = Object.freeze({ off: [], on: [] });

/** The person of a link, and the workspace. Errors: `record_not_found`. */
async function requireSubscriber(db: Database, token: string) {
  const subscriber = readSubscriber(token);
  const workspace =
    subscriber === undefined ? undefined : await findWorkspaceById(db, subscriber.workspace_id);
  const isValid =
    workspace !== undefined && isUnsubscribeToken(Buffer.from(workspace.cursor_secret), token);
  if (subscriber === undefined || !isValid) {
    const message = say('unsubscribe_link_invalid');
    throw new ApiError('record_not_found', { param: 'token', message });
  }
  return { workspace, user_id: subscriber.user_id };
}

/** The name of the workspace whose mails a link ends. Errors: `record_not_found`. */
export async function readUnsubscribeLink(db: Database, token: string): Promise<string> {
  return (await requireSubscriber(db, token)).workspace.name;
}

/** Ends the mails of a link, and returns the name of the workspace. Errors: `record_not_found`. */
export async function unsubscribe(db: Database, token: string): Promise<string> {
  const { workspace, user_id } = await requireSubscriber(db, token);
  const patch = { mail: 'off', list: NO_KINDS, by_mail: NO_KINDS } as const;
  await putSettings(db, workspace.schema, user_id, patch);
  return workspace.name;
}

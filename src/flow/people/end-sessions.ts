// Ending sessions: one's own, those of others, all of a person. The endpoint and the command end them here.

import { endSessions, type ListedSession } from '../../control/people/session-rows.ts';
import {
  type Administration,
  type AskedByCaller,
  administer,
  administrationOf,
} from '../../control/workspace/administer.ts';
import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { sessionOf } from '../../model/rights/principal.ts';

export interface EndedSession {
  readonly id: string;
  /** True when it is that of the request. */
  readonly isOwn: boolean;
}

/**
 * End a session by its id, or `current`, that of the request: one's own, as an administrator any, unless a second factor
 * is to be set up first. Errors: `record_not_found`.
 */
export function endSession(asked: AskedByCaller, named: string): Promise<EndedSession> {
  const { caller, model } = asked;
  const session = sessionOf(caller.principal);
  const sessionId = session?.id;
  const id = named === 'current' ? sessionId : named;
  const isOfAll = caller.access.administrator && session?.isLimited !== true;
  const whose = isOfAll ? {} : { user_id: caller.user.id };
  return administer(administrationOf(asked), async (tx) => {
    if (id === undefined) throw noSuchSession();
    const [ended] = await endSessions(tx, { workspace_id: model.workspace.id, id, ...whose });
    if (ended === undefined) throw noSuchSession();
    const isOwn = id === sessionId;
    const event = isOwn ? { ...endEvent(ended), action: 'sign_out' } : endEvent(ended);
    return { result: { id, isOwn }, events: [event] };
  });
}

function noSuchSession(): ApiError {
  const message = say('session_not_found');
  return new ApiError('record_not_found', { param: 'session_id', message });
}

/** End all sessions of a person. */
export function endSessionsOf(
  asked: Administration,
  userId: number,
): Promise<readonly ListedSession[]> {
  return administer(asked, async (tx) => {
    const ended = await endSessions(tx, { workspace_id: asked.workspace.id, user_id: userId });
    return { result: ended, events: ended.map(endEvent) };
  });
}

export function endEvent({ id }: ListedSession): AdministrativeEvent {
  return { subject_type: 'session', subject_id: id, action: 'end' };
}

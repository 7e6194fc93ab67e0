// Viewing as a person (D536): an administrator reads what that person reads, and writes nothing. Begun and ended here, both
// audited; authenticate.ts makes the caller of a request that views.

import { loadMember } from '../../control/people/people.ts';
import { endViewing as endRow, putViewing } from '../../control/people/viewing-rows.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
} from '../../control/workspace/administer.ts';
import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { requireAdministrator } from '../../model/rights/access.ts';
import { sessionOf } from '../../model/rights/principal.ts';

export interface Viewing {
  readonly user: { readonly id: number; readonly name: string | null; readonly email: string };
  readonly ends_at: string;
}

/**
 * Begin to view as a person or an agent; one that is under way ends. Errors: `permission_denied`, `user_not_found`,
 * `conflict` for oneself and for people who are not active.
 */
export function beginViewing(asked: AskedByCaller, userId: number): Promise<Viewing> {
  const { caller, model } = asked;
  requireAdministrator(caller);
  if (userId === caller.user.id) throw refused(say('viewing_own'));
  return administer(administrationOf(asked), async (tx) => {
    const person = await loadMember(tx, model.schema, userId);
    if (person === undefined) throw new ApiError('user_not_found', { param: 'user_id' });
    if (!person.active) throw refused(say('viewing_inactive'));
    const { until, before } = await putViewing(tx, ownSession(asked), userId);
    const { id, name, email } = person;
    const events = [...(before === null ? [] : [viewingEvent(before, 'end')])];
    return {
      result: { user: { id, name, email }, ends_at: until },
      events: [...events, viewingEvent(userId, 'begin')],
    };
  });
}

/** End the one of this session, if there is one. */
export function endViewing(asked: AskedByCaller): Promise<{ readonly user_id: number | null }> {
  return administer(administrationOf(asked), async (tx) => {
    const user_id = await endRow(tx, ownSession(asked));
    return { result: { user_id }, events: user_id === null ? [] : [viewingEvent(user_id, 'end')] };
  });
}

function ownSession({ caller }: AskedByCaller): string {
  const session = sessionOf(caller.principal);
  if (session === undefined) throw new Error('a viewing without a session');
  return session.id;
}

function refused(message: Message): ApiError {
  return new ApiError('conflict', { param: 'user_id', message });
}

function viewingEvent(userId: number, action: 'begin' | 'end'): AdministrativeEvent {
  return { subject_type: 'viewing', subject_id: String(userId), action };
}

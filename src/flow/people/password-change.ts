// Setting and changing one's password. It ends all other sessions of the person, and the links that were not
// used.

import { endChallenges } from '../../control/people/factor-challenges.ts';
import {
  type Holder,
  loadPassword,
  putPassword,
  type StoredPassword,
} from '../../control/people/passwords.ts';
import { endSessions } from '../../control/people/session-rows.ts';
import { endLinks } from '../../control/people/sign-in-links.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
  noteEvents,
} from '../../control/workspace/administer.ts';
import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { isFreshSignIn, sessionOf } from '../../model/rights/principal.ts';
import { endEvent } from './end-sessions.ts';
import type { PasswordHasher } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { isPasswordOf } from './sign-in.ts';

/** A change of the password by a caller in a session. */
export interface PasswordChange extends AskedByCaller {
  readonly password: string;
  readonly current: string | undefined;
  /** The address of the client. */
  readonly address: string;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: number;
}

/**
 * Answers how many other sessions have ended. Errors: `validation_failed` for a password that is none,
 * `invalid_credentials` for a wrong current one, `fresh_sign_in_required`, `rate_limited`,
 * `service_unavailable`.
 */
export async function changePassword(
  hasher: PasswordHasher,
  change: PasswordChange,
): Promise<number> {
  const { db, caller, model, password } = change;
  const holder = { workspace_id: model.workspace.id, user_id: caller.user.id };
  requireGoodPassword(password, caller.user.email);
  const stored = await loadPassword(db, holder);
  await requireProof(hasher, change, { holder, stored });
  const made = await hasher.make(password);
  return administer(administrationOf(change), async (tx) => {
    await putPassword(tx, holder, made);
    await endLinks(tx, holder);
    await endChallenges(tx, holder);
    // Last: a sign-in that uses one of them at this moment commits its session before they end.
    const except = sessionOf(caller.principal)?.id;
    const ended = await endSessions(tx, { ...holder, except });
    const action = stored === undefined ? 'create' : 'update';
    const events = [passwordEvent(caller, action), ...ended.map(endEvent)];
    return { result: ended.length, events };
  });
}

interface Existing {
  readonly holder: Holder;
  readonly stored: StoredPassword | undefined;
}

/**
 * The current password, if there is one and it was not a link that the person has just signed in by; else a
 * fresh sign-in.
 */
async function requireProof(
  hasher: PasswordHasher,
  change: PasswordChange,
  { holder, stored }: Existing,
): Promise<void> {
  const { db, caller, current, address, now } = change;
  const session = sessionOf(caller.principal);
  if (session === undefined) throw new Error('a password is changed in a session only');
  const isFresh = isFreshSignIn(session, now);
  if (stored === undefined || (isFresh && session.method === 'link' && current === undefined)) {
    if (isFresh) return;
    throw new ApiError('fresh_sign_in_required');
  }
  if (current === undefined) {
    const message = say('password_current_missing');
    throw errorFromProblems([{ param: 'current_password', code: 'validation_failed', message }]);
  }
  const account = { account: holder, password: current, stored };
  if (await isPasswordOf(db, hasher, account, address)) return;
  await noteEvents(db, administrationOf(change), [passwordEvent(caller, 'update_failed')]);
  throw new ApiError('invalid_credentials', {
    param: 'current_password',
    message: say('password_current_wrong'),
  });
}

function passwordEvent({ user }: Caller, action: string): AdministrativeEvent {
  return { subject_type: 'password', subject_id: String(user.id), action };
}

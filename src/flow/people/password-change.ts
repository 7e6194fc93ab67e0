// Setting and changing one's password. It ends all other sessions of the person, and the links that were not
// used.

import {
  administrativeActor,
  appendAdministrativeAudit,
} from '../../control/administrative-audit.ts';
import {
  type Holder,
  loadPassword,
  putPassword,
  type StoredPassword,
} from '../../control/passwords.ts';
import { announceSessions, endSessions } from '../../control/session-rows.ts';
import { endLinks } from '../../control/sign-in-links.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import type { Caller } from '../../model/access.ts';
import type { WorkspaceModel } from '../../model/model.ts';
import { isFreshSignIn, sessionOf } from '../../model/principal.ts';
import type { Database } from '../../postgres/db.ts';
import type { PasswordHasher } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { isPasswordOf } from './sign-in.ts';

export interface PasswordChange {
  readonly model: WorkspaceModel;
  /** In a session. */
  readonly caller: Caller;
  readonly password: string;
  readonly current: string | undefined;
  /** Of the client. */
  readonly address: string;
  readonly requestId: string;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: number;
}

/**
 * Answers how many other sessions have ended. Errors: `validation_failed` for a password that is none,
 * `invalid_credentials` for a wrong current one, `fresh_sign_in_required`, `rate_limited`,
 * `service_unavailable`.
 */
export async function changePassword(
  db: Database,
  hasher: PasswordHasher,
  change: PasswordChange,
): Promise<number> {
  const { caller, model, password, requestId } = change;
  const { workspace, schema } = model;
  const holder = { workspace_id: workspace.id, user_id: caller.user.id };
  requireGoodPassword(password, caller.user.email);
  const stored = await loadPassword(db, holder);
  await requireProof(db, hasher, change, { holder, stored });
  const made = await hasher.make(password);
  return db.transaction(async (tx) => {
    await putPassword(tx, holder, made);
    const except = sessionOf(caller.principal)?.id;
    const ended = await endSessions(tx, { ...holder, except });
    await endLinks(tx, holder);
    const action = stored === undefined ? 'create' : 'update';
    await appendAdministrativeAudit(tx, schema, administrativeActor(caller, requestId), [
      { subject_type: 'password', subject_id: String(caller.user.id), action },
      ...ended.map(({ id }) => {
        return { subject_type: 'session', subject_id: id, action: 'end' } as const;
      }),
    ]);
    if (ended.length > 0) await announceSessions(tx, workspace.id);
    return ended.length;
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
  db: Database,
  hasher: PasswordHasher,
  { caller, model, current, address, requestId, now }: PasswordChange,
  { holder, stored }: Existing,
): Promise<void> {
  const session = sessionOf(caller.principal);
  if (session === undefined) throw new Error('a password is changed in a session only');
  const isFresh = isFreshSignIn(session, now);
  if (stored === undefined || (isFresh && session.method === 'link' && current === undefined)) {
    if (isFresh) return;
    throw new ApiError('fresh_sign_in_required');
  }
  if (current === undefined) {
    const message = 'Send the current password as well.';
    throw errorFromProblems([{ param: 'current_password', code: 'validation_failed', message }]);
  }
  const account = { account: holder, password: current, stored };
  if (await isPasswordOf(db, hasher, account, address)) return;
  await appendAdministrativeAudit(db, model.schema, administrativeActor(caller, requestId), [
    { subject_type: 'password', subject_id: String(caller.user.id), action: 'update_failed' },
  ]);
  throw new ApiError('invalid_credentials', {
    param: 'current_password',
    message: 'The current password is wrong.',
  });
}

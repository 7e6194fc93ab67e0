// One-time links to sign in with: invitations, and the way back for whoever has forgotten a password. The
// endpoint and the command make them here.

import { uuidv7 } from 'uuidv7';
import {
  type AdministrativeActor,
  appendAdministrativeAudit,
} from '../../control/administrative-audit.ts';
import type { MemberRow } from '../../control/members.ts';
import { deleteIdentities } from '../../control/oidc-identities.ts';
import { appendLink } from '../../control/sign-in-links.ts';
import { ApiError } from '../../errors.ts';
import { hashOf } from '../../model/api-key-form.ts';
import { makeToken } from '../../model/session-token.ts';
import type { Database } from '../../postgres/db.ts';
import { canSignIn, type SignInPlace } from './open-session.ts';

export interface LinkRequest {
  readonly place: SignInPlace;
  readonly person: MemberRow;
  /** Where the application is, such as `https://crm.example.com`. */
  readonly origin: string;
  readonly actor: AdministrativeActor;
  /** True: remove the identities of the person at identity providers. */
  readonly unlink?: boolean;
}

export interface SignInLink {
  /** The token is its fragment, which browsers send to nobody. */
  readonly url: string;
  readonly expires_at: string;
}

/** Errors: `conflict` for whoever cannot sign in. */
export async function makeSignInLink(db: Database, request: LinkRequest): Promise<SignInLink> {
  const { place, person, origin, actor, unlink = false } = request;
  if (!canSignIn(person)) {
    throw new ApiError('conflict', { message: 'Only an active person can sign in.' });
  }
  const token = makeToken();
  const [id, holder] = [uuidv7(), { workspace_id: place.id, user_id: person.id }];
  const expires_at = await db.transaction(async (tx) => {
    const forgotten = unlink ? await deleteIdentities(tx, holder) : 0;
    const expires = await appendLink(tx, { id, ...holder, token_hash: hashOf(token) });
    await appendAdministrativeAudit(tx, place.schema, actor, [
      { subject_type: 'sign_in_link', subject_id: id, action: 'create' },
      ...(forgotten > 0
        ? [{ subject_type: 'user', subject_id: String(person.id), action: 'unlink' } as const]
        : []),
    ]);
    return expires;
  });
  return { url: `${origin}/app/${place.slug}/sign-in#${token}`, expires_at };
}

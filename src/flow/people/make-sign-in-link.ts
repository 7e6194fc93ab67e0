// One-time links to sign in with: invitations, and links for people who have forgotten their password. Endpoints,
// commands and the demo make them here.

import { uuidv7 } from 'uuidv7';
import { type Administration, administer } from '../../control/administer.ts';
import { wantMail } from '../../control/mails.ts';
import { deleteIdentities } from '../../control/oidc-identities.ts';
import type { MemberRow } from '../../control/people.ts';
import { appendLink } from '../../control/sign-in-links.ts';
import { ApiError } from '../../errors.ts';
import { hashOf } from '../../model/api-key-form.ts';
import type { MailLanguage } from '../../model/notification-kinds.ts';
import { makeToken } from '../../model/session-token.ts';
import { canSignIn } from './open-session.ts';

export interface LinkRequest {
  readonly person: MemberRow;
  /** Where the application is, such as `https://crm.example.com`. */
  readonly origin: string;
  /** True: remove the identities of the person at identity providers. */
  readonly unlink?: boolean;
  /** Also send the person a mail with a link of its own. */
  readonly invitation?: { readonly language: MailLanguage | null } | undefined;
}

export interface SignInLink {
  /** The token is its fragment, which browsers never send. */
  readonly url: string;
  readonly expires_at: string;
}

/** Errors: `conflict` for a person who cannot sign in. */
export async function makeSignInLink(
  asked: Administration,
  { person, origin, unlink = false, invitation }: LinkRequest,
): Promise<SignInLink> {
  if (!canSignIn(person)) {
    throw new ApiError('conflict', { message: 'Only an active person can sign in.' });
  }
  const { workspace } = asked;
  const token = makeToken();
  const [id, holder] = [uuidv7(), { workspace_id: workspace.id, user_id: person.id }];
  return administer(asked, async (tx) => {
    const forgotten = unlink ? await deleteIdentities(tx, holder) : 0;
    const expires_at = await appendLink(tx, { id, ...holder, token_hash: hashOf(token) });
    if (invitation !== undefined)
      await wantMail(tx, { ...holder, kind: 'invitation', ...invitation });
    const url = `${origin}/app/${workspace.slug}/sign-in#${token}`;
    const made = { subject_type: 'sign_in_link', subject_id: id, action: 'create' } as const;
    const user = { subject_type: 'user', subject_id: String(person.id), action: 'unlink' } as const;
    return { result: { url, expires_at }, events: forgotten > 0 ? [made, user] : [made] };
  });
}

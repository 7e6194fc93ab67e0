// One-time links to sign in with: invitations, and links for people who have forgotten their password. Endpoints,
// commands and the demo make them here.

import { uuidv7 } from 'uuidv7';
import { lockWaitingMail, wantMail } from '../../control/events/mails.ts';
import { deleteIdentities } from '../../control/people/oidc-identities.ts';
import { lockLimitsOf, type MemberRow } from '../../control/people/people.ts';
import { appendLink, endLinks, type OpenLink } from '../../control/people/sign-in-links.ts';
import { type Administration, administer } from '../../control/workspace/administer.ts';
import { auditedActor } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import type { MailLanguage } from '../../model/rights/notification-kinds.ts';
import { makeToken } from '../../model/rights/session-token.ts';
import { clearFactors } from './factor-setup.ts';
import { canSignIn } from './open-session.ts';

export interface LinkRequest {
  readonly person: MemberRow;
  /** The origin of the application, such as `https://crm.example.com`. */
  readonly origin: string;
  /** True: remove the identities of the person at identity providers. */
  readonly unlink?: boolean;
  /** True: remove the second factors of the person and end their sessions, for an operator. */
  readonly resetFactors?: boolean;
  /** The hours for which an invitation is valid; null or left out: a link to sign in with, for 30 minutes. */
  readonly hours?: number | null;
  /** The administrator for whom a mail makes it; left out: the person who acts, null for an operator. */
  readonly maker?: number | null;
  /** Also send the person an invitation by mail with a link of its own. */
  readonly mail?: { readonly language: MailLanguage | null } | undefined;
  /** The mail that carries it, whose id it gets: one that is sent again replaces its link. */
  readonly mailId?: string;
  /** The older links of the person that end: all when it is left out. */
  readonly ends?: OpenLink['purpose'] | 'none';
}

export interface SignInLink extends Pick<OpenLink, 'id' | 'purpose' | 'expires_at'> {
  /** The token is its fragment, which browsers never send. */
  readonly url: string;
}

/** Older links of the person end (D703). Errors: `conflict` for a person who cannot sign in, or a mail that has ended. */
export async function makeSignInLink(
  asked: Administration,
  {
    person,
    origin,
    unlink = false,
    resetFactors = false,
    hours = null,
    mail,
    mailId,
    ends,
    maker,
  }: LinkRequest,
): Promise<SignInLink> {
  if (!canSignIn(person)) {
    throw new ApiError('conflict', { message: say('sign_in_inactive') });
  }
  const { workspace } = asked;
  const token = makeToken();
  const maker_user_id = maker === undefined ? auditedActor(asked.actor).user_id : maker;
  const [id, holder] = [mailId ?? uuidv7(), { workspace_id: workspace.id, user_id: person.id }];
  return administer(asked, async (tx) => {
    const forgotten = unlink ? await deleteIdentities(tx, holder) : 0;
    const reset = resetFactors ? await clearFactors(tx, holder) : [];
    // One of several links that are made at once stays.
    await lockLimitsOf(tx, workspace.id, person.id);
    if (mailId !== undefined && !(await lockWaitingMail(tx, mailId))) {
      throw new ApiError('conflict');
    }
    if (ends !== 'none') {
      await endLinks(tx, { ...holder, ...(ends === undefined ? {} : { purpose: ends }) });
    }
    const link = await appendLink(tx, {
      ...{ id, ...holder, hours, maker_user_id },
      token_hash: hashOf(token),
    });
    if (mail !== undefined) {
      await wantMail(tx, {
        ...{ ...holder, kind: 'invitation', ...mail },
        ...{ link_hours: hours, maker_user_id },
      });
    }
    const url = `${origin}/app/${workspace.slug}/sign-in#${token}`;
    const linkMade = { subject_type: 'sign_in_link', subject_id: id, action: 'create' } as const;
    const subject_id = String(person.id);
    const user = { subject_type: 'user', subject_id, action: 'unlink' } as const;
    const { purpose, expires_at } = link;
    const result = { id, purpose, url, expires_at };
    const events = [linkMade, ...(forgotten > 0 ? [user] : []), ...reset];
    return { result, events };
  });
}

/** Revoke a link that can be used. Errors: `record_not_found`. */
export function revokeSignInLink(
  asked: Administration,
  { user_id, id }: { readonly user_id: number; readonly id: string },
): Promise<void> {
  return administer(asked, async (tx) => {
    const ended = await endLinks(tx, { workspace_id: asked.workspace.id, user_id, id });
    if (ended === 0) {
      throw new ApiError('record_not_found', { param: 'link_id', message: say('link_not_found') });
    }
    const event = { subject_type: 'sign_in_link', subject_id: id, action: 'revoke' } as const;
    return { result: undefined, events: [event] };
  });
}

// A link to sign in with, sent by mail to the person with an address. The answer, its time and its limits are the same
// whether or not somebody has it (docs/design/mail.md).

import { wantMail } from '../../control/events/mails.ts';
import { findMemberOrNobody } from '../../control/people/people.ts';
import { countAttempt } from '../../control/people/sign-in-attempts.ts';
import { findWorkspaceOrAny } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import { networkOf } from '../../model/rights/network.ts';
import type { MailLanguage } from '../../model/rights/notification-kinds.ts';
import type { Database } from '../../postgres/db.ts';
import { canSignIn, type SignInOrigin } from './open-session.ts';
import { accountOf } from './sign-in.ts';

export interface LinkAsked {
  /** A slug. */
  readonly workspace: string;
  readonly email: string;
  readonly language: MailLanguage | null;
}

/** Errors: `rate_limited`. */
export async function mailSignInLink(
  db: Database,
  { workspace: slug, email, language }: LinkAsked,
  { address, isHostOf }: Pick<SignInOrigin, 'address' | 'isHostOf'>,
): Promise<void> {
  const tenant = await findWorkspaceOrAny(db, slug);
  const place = tenant?.slug === slug && isHostOf(slug) ? tenant : undefined;
  const found =
    tenant === undefined ? undefined : await findMemberOrNobody(db, tenant.schema, email);
  const person = place !== undefined && canSignIn(found) ? found : undefined;
  const holder = { workspace_id: place?.id ?? 0, user_id: person?.id ?? 0 };
  await requireRoom(db, `address ${networkOf(address)}`);
  await requireRoom(db, `account ${accountOf(holder, { slug, email })}`);
  if (tenant === undefined) return;
  // A mail to nobody is skipped when it is due: storing it takes the time that one to somebody takes.
  const user_id = person?.id ?? NOBODY;
  await wantMail(db, { workspace_id: tenant.id, user_id, kind: 'sign_in_link', language });
}

const NOBODY = 0;

async function requireRoom(db: Database, subject: string): Promise<void> {
  const seconds = await countAttempt(db, hashOf(`mailed ${subject}`));
  if (seconds === 0) return;
  throw new ApiError('rate_limited', {
    message: say('too_many_links'),
    headers: { 'Retry-After': String(seconds) },
  });
}

// Signing in with a password or a one-time link. Whatever is wrong has one answer, by the same statements and
// one scrypt (docs/decisions.md, D215).

import {
  isPresentPassword,
  loadPassword,
  putPassword,
  type StoredPassword,
} from '../../control/people/passwords.ts';
import { findMemberOrNobody, loadMember } from '../../control/people/people.ts';
import { forgiveAttempt } from '../../control/people/sign-in-attempts.ts';
import { endLinks, useLink } from '../../control/people/sign-in-links.ts';
import { findWorkspaceOrAny } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import { isToken } from '../../model/rights/session-token.ts';
import type { Database } from '../../postgres/db.ts';
import { isMakerEntitled } from './link-makers.ts';
import { canSignIn, refuseSignIn, type SignedIn, type SignInOrigin } from './open-session.ts';
import type { PasswordHasher } from './password-hash.ts';
import { openOrAsk, requireOpened } from './second-step.ts';
import { judgeAttempt } from './sign-in-limit.ts';

export interface PasswordSignIn {
  /** A slug. */
  readonly workspace: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Errors: `invalid_credentials`, `second_factor_required`, `second_factor_missing`, `rate_limited`,
 * `service_unavailable`.
 */
export async function signInWithPassword(
  db: Database,
  hasher: PasswordHasher,
  { workspace: slug, email, password }: PasswordSignIn,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const asked = await findWorkspaceOrAny(db, slug);
  const tenant = asked?.slug === slug && origin.isHostOf(slug) ? asked : undefined;
  const member =
    asked === undefined ? undefined : await findMemberOrNobody(db, asked.schema, email);
  const person = tenant === undefined ? undefined : member;
  const holder = { workspace_id: tenant?.id ?? 0, user_id: person?.id ?? 0 };
  const stored = await loadPassword(db, holder);
  const counted = { account: accountOf(holder, { slug, email }), address: origin.address };
  return judgeAttempt(db, counted, async (attempt) => {
    const isRight = await hasher.matches(password, stored);
    if (!isRight || !canSignIn(person) || tenant === undefined || stored === undefined) {
      return refuseSignIn(db, origin, { place: tenant, userId: member?.id ?? null });
    }
    const renewed = hasher.isOutdated(stored) ? await hasher.make(password) : undefined;
    const opened = await db.transaction(async (tx) => {
      // Changed meanwhile: that has ended all sessions, and this one must not begin after it.
      if (!(await isPresentPassword(tx, holder, stored))) return undefined;
      if (renewed !== undefined) await putPassword(tx, holder, renewed);
      const proof = { place: tenant, person, method: 'password', origin, attempt } as const;
      const result = await openOrAsk(tx, proof);
      // The password was right; a session forgives the attempt itself.
      if (result instanceof ApiError) await forgiveAttempt(tx, attempt);
      return result;
    });
    if (opened !== undefined) return requireOpened(opened);
    return refuseSignIn(db, origin, { place: tenant, userId: person.id });
  });
}

interface Account {
  readonly workspace_id: number;
  readonly user_id: number;
}

/** However an address is written, a person has one account. */
export function accountOf(
  { workspace_id, user_id }: Account,
  { slug, email }: { readonly slug: string; readonly email: string },
): string {
  if (user_id !== 0) return `${workspace_id} ${user_id}`;
  return `${slug} ${email.toLowerCase()}`;
}

/** True when the password is that of this person. Errors: `rate_limited`, `service_unavailable`. */
export async function isPasswordOf(
  db: Database,
  hasher: PasswordHasher,
  { account, password, stored }: CurrentPassword,
  address: string,
): Promise<boolean> {
  const counted = accountOf(account, { slug: '', email: '' });
  return judgeAttempt(db, { account: counted, address }, async (attempt) => {
    const isRight = await hasher.matches(password, stored);
    if (isRight) await forgiveAttempt(db, attempt);
    return isRight;
  });
}

interface CurrentPassword {
  readonly account: Account;
  readonly password: string;
  readonly stored: StoredPassword;
}

/**
 * A link has 256 random bits, too many to guess, so attempts are not counted (D399). It is used up although a second
 * factor has to follow. Errors: `invalid_credentials`, `second_factor_required`, `second_factor_missing`.
 */
export async function signInWithLink(
  db: Database,
  token: string,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const opened = await db.transaction(async (tx) => {
    const link = isToken(token) ? await useLink(tx, hashOf(token)) : undefined;
    // A refusal is rolled back: on the host of another workspace a link is not used up.
    if (link === undefined || !origin.isHostOf(link.slug))
      throw new ApiError('invalid_credentials');
    const linkPlace = { ...link, id: link.workspace_id };
    const person = await loadMember(tx, link.schema, link.user_id);
    const isInForce = await isMakerEntitled(tx, link);
    if (!canSignIn(person) || !isInForce) throw new ApiError('invalid_credentials');
    await endLinks(tx, { workspace_id: link.workspace_id, user_id: link.user_id });
    const used = { subject_type: 'sign_in_link', subject_id: link.id, action: 'use' } as const;
    return openOrAsk(tx, { place: linkPlace, person, method: 'link', origin, events: [used] });
  });
  return requireOpened(opened);
}

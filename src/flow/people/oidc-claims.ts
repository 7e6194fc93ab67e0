// The claims of an identity provider: the identity, and the e-mail address that the provider vouches for. A claim that
// the service would store or compare is checked before the database sees it.

import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Why a sign-in was refused: a word for programs and the log, and a sentence for the person. */
const REFUSALS = {
  provider_refused: say('provider_refused'),
  claims_unusable: say('provider_claims_unusable'),
  email_missing: say('provider_email_missing'),
  email_not_verified: say('provider_email_not_verified'),
  email_verification_missing: say('provider_verification_missing'),
  second_factor_missing: say('provider_factor_missing'),
} as const;

export type OidcRefusal = keyof typeof REFUSALS;

/** The refusal depends only on what the provider has sent, so it does not show who has an account. */
export function refusedBy(reason: OidcRefusal, cause?: unknown): ApiError {
  const details = { reason };
  return new ApiError('invalid_credentials', { message: REFUSALS[reason], details, cause });
}

/** OpenID Connect Core §2: a subject has at most 255 characters. */
const SUBJECT_LENGTH = 255;
const ISSUER_LENGTH = 1000;

/** Errors: `invalid_credentials`. */
export function requireIdentity({ iss, sub }: Claims) {
  return {
    issuer: requireText('iss', iss, ISSUER_LENGTH),
    subject: requireText('sub', sub, SUBJECT_LENGTH),
  };
}

/** The provider says in `amr` how the person signed in there (RFC 8176). Errors: `invalid_credentials`. */
export function requireAmr({ amr }: Claims, required: readonly string[]): void {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  if (required.length === 0 || required.some((one) => methods.includes(one))) return;
  throw refusedBy('second_factor_missing');
}

/** True when the token leaves out the address or its verification, which the userinfo endpoint may know. */
export function needsUserinfo({ email, email_verified }: Claims): boolean {
  return email === undefined || email_verified === undefined;
}

/**
 * The address, when the provider says that it has verified it, or when the provider says nothing and the operator trusts
 * its addresses. Errors: `invalid_credentials`.
 */
export function requireEmail({ email, email_verified }: Claims, trustsEmail: boolean): string {
  if (email === undefined || email === null || email === '') throw refusedBy('email_missing');
  const address = requireText('email', email, LIMITS.emailLength);
  // Amazon Cognito and Apple send the text "true".
  if (email_verified === true || email_verified === 'true') return address;
  const isSilent = email_verified === undefined || email_verified === null;
  if (isSilent && trustsEmail) return address;
  throw refusedBy(isSilent ? 'email_verification_missing' : 'email_not_verified');
}

/** PostgreSQL stores no NUL, and two texts with half characters could be stored as one. */
function requireText(name: string, value: unknown, length: number): string {
  const isUsable =
    typeof value === 'string' &&
    value !== '' &&
    value.length <= length &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value);
  if (isUsable) return value;
  throw refusedBy('claims_unusable', new Error(`the claim ${name} cannot be stored`));
}

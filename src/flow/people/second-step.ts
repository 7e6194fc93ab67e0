// The second step of a sign-in: who has proved their identity by a password or a link, and has a second factor, gets a
// challenge in place of a session; the factor with the challenge opens the session (docs/design/second-factors.md). A
// passkey whose authenticator has verified the person signs in alone.

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import {
  appendChallenge,
  loadChallenge,
  takeChallenge,
} from '../../control/people/factor-challenges.ts';
import { findPasskey, loadPasskeys, takeCounter } from '../../control/people/passkey-rows.ts';
import type { Holder } from '../../control/people/passwords.ts';
import { loadMember } from '../../control/people/people.ts';
import {
  type FactorRow,
  hasFactor,
  isFactorRequired,
  loadFactors,
  takeCode,
  takeGrace,
  takeRecoveryCode,
} from '../../control/people/second-factors.ts';
import { noteEvents } from '../../control/workspace/administer.ts';
import { findWorkspace } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { recoveryHash, stepOfCode } from '../../model/rights/one-time-code.ts';
import { LOST, openSecret, type SecretKeys } from '../../model/rights/sealed-secret.ts';
import { makeToken } from '../../model/rights/session-token.ts';
import type { Database, Transaction } from '../../postgres/db.ts';
import { factorEvent } from './factor-setup.ts';
import {
  canSignIn,
  openSession,
  type Proof,
  refuseSignIn,
  SIGN_IN_FAILED,
  type SignedIn,
  type SignInOrigin,
  signingIn,
} from './open-session.ts';
import { readAssertion, requestOptions } from './passkeys.ts';
import { judgeAttempt } from './sign-in-limit.ts';

/** The factors that a person may give. */
export type FactorKind = 'code' | 'passkey' | 'recovery_code';

/** The proof of a second factor. */
export type GivenFactor =
  | { readonly code: string }
  | { readonly recovery_code: string }
  | { readonly assertion: AuthenticationResponseJSON };

/**
 * The end of the first step, in its transaction: a session, or the error that asks for the factor, which is thrown after
 * the transaction has ended. Nothing here runs before the password or the link is right.
 */
export async function openOrAsk(tx: Transaction, proof: FirstStep): Promise<SignedIn | ApiError> {
  const { place: workspace, person } = proof;
  const holder = { workspace_id: workspace.id, user_id: person.id };
  const row = await loadFactors(tx, holder);
  if (hasFactor(row)) {
    await noteEvents(tx, placeOf(proof), [...(proof.events ?? []), factorEvent(person.id, 'ask')]);
    return askForFactor(tx, proof, row);
  }
  if (!(await isFactorRequired(tx, workspace.schema, person.roles))) return openSession(tx, proof);
  if (await takeGrace(tx, holder)) return openSession(tx, { ...proof, factor: 'grace' });
  await noteEvents(tx, placeOf(proof), [...(proof.events ?? []), SIGN_IN_FAILED]);
  return new ApiError('second_factor_missing', { message: say('factor_grace_used') });
}

/** The session of a first step. Errors: `second_factor_required`, `second_factor_missing`. */
export function requireOpened(opened: SignedIn | ApiError): SignedIn {
  if (opened instanceof ApiError) throw opened;
  return opened;
}

/** The proof of a first step. */
interface FirstStep extends Proof {
  readonly method: 'password' | 'link';
}

function placeOf({ place, person, origin }: FirstStep) {
  return { workspace: place, actor: signingIn(origin, { user_id: person.id, session_id: null }) };
}

async function askForFactor(
  tx: Transaction,
  { place, person, method, origin }: FirstStep,
  row: FactorRow,
): Promise<ApiError> {
  const holder = { workspace_id: place.id, user_id: person.id };
  const { challenge, expires_at } = await appendChallenge(tx, { ...holder, method });
  const { hostname } = origin.site;
  const passkeys = (await loadPasskeys(tx, holder)).filter(({ host }) => host === hostname);
  const kinds: readonly FactorKind[] = [
    ...(row.code_secret === null ? [] : (['code'] as const)),
    ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
    ...(row.recovery_codes === 0 ? [] : (['recovery_code'] as const)),
  ];
  const passkey =
    passkeys.length === 0 ? {} : { passkey: requestOptions(origin.site, challenge, passkeys) };
  return new ApiError('second_factor_required', {
    details: { challenge, expires_at, kinds, ...passkey },
  });
}

/** A challenge for a passkey alone; of a workspace that does not exist, one that nobody can answer. */
export async function beginWithPasskey(
  db: Database,
  slug: string,
  { site, isHostOf }: Pick<SignInOrigin, 'site' | 'isHostOf'>,
) {
  const workspace = isHostOf(slug) ? await findWorkspace(db, slug) : undefined;
  if (workspace === undefined) return requestOptions(site, makeToken());
  const asked = { workspace_id: workspace.id, user_id: null, method: 'passkey' } as const;
  const { challenge } = await appendChallenge(db, asked);
  return requestOptions(site, challenge);
}

export interface SecondStep {
  readonly challenge: string;
  readonly given: GivenFactor;
}

/**
 * Sign in by the factor that a challenge asks for. Wrong factors count by account, apart from wrong passwords, which
 * others can send. Errors: `invalid_credentials`, `rate_limited`.
 */
export async function signInWithFactor(
  parts: FactorParts,
  step: SecondStep,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const { db } = parts;
  const challenged = await findChallenged(db, step, origin);
  const { place: workspace, owner, method } = challenged ?? {};
  const account = owner === undefined ? {} : { account: factorAccount(owner) };
  const refuse = () =>
    refuseSignIn(db, origin, { place: workspace, userId: owner?.user_id ?? null });
  return judgeAttempt(db, { ...account, address: origin.address }, async (attempt) => {
    if (workspace === undefined || owner === undefined || method === undefined) return refuse();
    const isAlone = method === 'passkey';
    const judging = { ...parts, site: origin.site };
    const take = await judgeFactor(judging, owner, { ...step, isAlone });
    const person = await loadMember(db, workspace.schema, owner.user_id);
    if (take === undefined || !canSignIn(person)) return refuse();
    const proof = { place: workspace, method, origin, factor: 'given' } as const;
    const signedIn = await db.transaction(async (tx) => {
      if (!(await take(tx))) return undefined;
      // Thrown: the factor is not used up by a challenge that somebody has used meanwhile.
      if (!(await takeChallenge(tx, step.challenge))) throw new ApiError('invalid_credentials');
      const events = [factorEvent(person.id, 'use', kindOf(step.given))];
      return openSession(tx, { ...proof, person, attempt, events });
    });
    return signedIn ?? refuse();
  });
}

/** The place, method and person of a challenge to sign in; of a passkey alone, the person of the passkey. */
async function findChallenged(
  db: Database,
  { challenge, given }: SecondStep,
  { isHostOf }: Pick<SignInOrigin, 'isHostOf'>,
) {
  const row = await loadChallenge(db, challenge);
  if (row === undefined || row.method === null || !isHostOf(row.slug)) return undefined;
  const { workspace_id, user_id, method, schema, slug, name } = row;
  const place = { id: workspace_id, schema, slug, name };
  const known: Holder | undefined = user_id === null ? undefined : { workspace_id, user_id };
  const isFound = known === undefined && 'assertion' in given;
  const owner = isFound ? await findPasskey(db, workspace_id, given.assertion.id) : known;
  return { place, method, owner };
}

function factorAccount({ workspace_id, user_id }: Holder): string {
  return `factor ${workspace_id} ${user_id}`;
}

function kindOf(given: GivenFactor): FactorKind {
  if ('code' in given) return 'code';
  return 'recovery_code' in given ? 'recovery_code' : 'passkey';
}

export interface FactorParts {
  readonly db: Database;
  readonly keys: SecretKeys;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: number;
}

interface Judging extends FactorParts {
  readonly site: SignInOrigin['site'];
}

/** Uses up a factor in the transaction that it opens a session in; false: it was used meanwhile. */
type Take = (tx: Transaction) => Promise<boolean>;

/** Undefined for a factor that is not the person's, or not right. */
async function judgeFactor(
  { db, keys, site, now }: Judging,
  { workspace_id, user_id }: Holder,
  step: SecondStep & { readonly isAlone: boolean },
): Promise<Take | undefined> {
  const holder = { workspace_id, user_id };
  const { given: factor, challenge, isAlone } = step;
  if ('assertion' in factor) {
    const passkey = await findPasskey(db, workspace_id, factor.assertion.id);
    if (passkey === undefined || passkey.user_id !== user_id) return undefined;
    const counter = await readAssertion(site, passkey, { challenge, isAlone }, factor.assertion);
    return counter === undefined ? undefined : (tx) => takeCounter(tx, passkey.id, counter);
  }
  if ('recovery_code' in factor) {
    const hash = recoveryHash(factor.recovery_code);
    return (tx) => takeRecoveryCode(tx, holder, hash);
  }
  const row = await loadFactors(db, holder);
  const sealed = row?.code_secret ?? LOST;
  if (row === undefined || sealed === LOST) return undefined;
  const secret = openSecret(keys, { workspace_id, row: row.handle, use: 'code_secret' }, sealed);
  const at = stepOfCode(secret, factor.code, now);
  return at === undefined ? undefined : (tx) => takeCode(tx, holder, { secret: sealed, step: at });
}

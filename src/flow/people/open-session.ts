// The common end of every way to sign in: the session, in one transaction with the statements that begin it and its
// audit rows; and the common end of failures.

import { uuidv7 } from 'uuidv7';
import { lockActive, type MemberRow } from '../../control/people/people.ts';
import {
  appendSession,
  endSessions,
  type ListedSession,
} from '../../control/people/session-rows.ts';
import { forgiveAttempt } from '../../control/people/sign-in-attempts.ts';
import { noteEvents } from '../../control/workspace/administer.ts';
import type {
  AdministrativeEvent,
  SigningIn,
} from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import type { SecondFactorState, SignInMethod } from '../../model/rights/principal.ts';
import { isToken, makeToken } from '../../model/rights/session-token.ts';
import type { Queryable, Transaction } from '../../postgres/db.ts';
import { endEvent } from './end-sessions.ts';
import type { PasskeyPlace } from './passkeys.ts';

/** The workspace in which a person signs in. */
export interface SignInPlace {
  readonly id: number;
  readonly schema: string;
  readonly slug: string;
  readonly name: string;
}

/** The client and browser with which a person signs in. */
export interface SignInOrigin {
  /** The address of the client. */
  readonly address: string;
  /** Where the browser is. */
  readonly site: PasskeyPlace;
  /** The browser, as it names itself. */
  readonly agent: string;
  readonly requestId: string;
  /** Tokens of sessions that the request has sent: the one that is replaced ends. */
  readonly tokens: readonly string[];
  /** False on the host of another workspace than the one with this slug. */
  readonly isHostOf: (slug: string) => boolean;
}

export interface SignedIn {
  /** Only for the cookie. */
  readonly token: string;
  readonly session: ListedSession;
  readonly user: MemberRow;
  readonly workspace: SignInPlace;
}

/** A person who has proved their identity, and the method. */
export interface Proof {
  readonly place: SignInPlace;
  readonly person: MemberRow;
  readonly method: SignInMethod;
  readonly origin: SignInOrigin;
  /** The second factor of the session; left out: it has none. */
  readonly factor?: NonNullable<SecondFactorState>;
  /** Left out: it was not counted. */
  readonly attempt?: Attempt;
  /** Events that are audited in addition to the sign-in. */
  readonly events?: readonly AdministrativeEvent[];
}

/** The account and address that an attempt counts for. */
export interface Attempt {
  readonly account: Buffer | undefined;
  readonly address: Buffer;
}

/**
 * Begin a session; part of the caller's transaction. Errors: `invalid_credentials` for a person who was deactivated
 * meanwhile.
 */
export async function openSession(tx: Transaction, proof: Proof): Promise<SignedIn> {
  const { place: workspace, person, method, factor, origin, attempt, events = [] } = proof;
  const token = makeToken();
  const workspace_id = workspace.id;
  // Deactivation ends the sessions that it sees: this one is committed before it, or does not begin.
  if (!(await lockActive(tx, workspace.schema, person.id)))
    throw new ApiError('invalid_credentials');
  const session = await appendSession(tx, {
    id: uuidv7(),
    workspace_id,
    user_id: person.id,
    token_hash: hashOf(token),
    method,
    second_factor: factor ?? null,
    user_agent: origin.agent,
  });
  const hashes = origin.tokens.filter(isToken).map(hashOf);
  const replaced = hashes.length === 0 ? [] : await endSessions(tx, { workspace_id, hashes });
  if (attempt !== undefined) await forgiveAttempt(tx, attempt);
  const actor = signingIn(origin, { user_id: person.id, session_id: session.id });
  await noteEvents(tx, { workspace, actor }, [
    ...events,
    { subject_type: 'session', subject_id: session.id, action: `sign_in_by_${method}` },
    ...replaced.map(endEvent),
  ]);
  return { token, session, user: person, workspace };
}

export const SIGN_IN_FAILED = {
  subject_type: 'session',
  subject_id: null,
  action: 'sign_in_failed',
} as const;

interface Refusal {
  readonly place: SignInPlace | undefined;
  readonly userId: number | null;
  /** An answer with the reason, which must not depend on the person; left out: the one answer to everything else. */
  readonly error?: ApiError;
}

/** Refuse a sign-in, with an audit row where the workspace exists. */
export async function refuseSignIn(
  db: Queryable,
  origin: SignInOrigin,
  about: Refusal,
): Promise<never> {
  if (about.place !== undefined) {
    const actor = signingIn(origin, { user_id: about.userId, session_id: null });
    await noteEvents(db, { workspace: about.place, actor }, [SIGN_IN_FAILED]);
  }
  throw about.error ?? new ApiError('invalid_credentials');
}

/** True for a person who may sign in; agents use keys. */
export function canSignIn(person: MemberRow | undefined): person is MemberRow {
  return person?.active === true && person.kind === 'user';
}

/** A person who signs in, as the actor of a change. */
export function signingIn(
  { requestId }: SignInOrigin,
  who: Pick<SigningIn, 'user_id' | 'session_id'>,
): SigningIn {
  return { kind: 'sign_in', ...who, request_id: requestId };
}

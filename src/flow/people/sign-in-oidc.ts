// Signing in by an identity provider. An identity belongs to one person; a new one is given to the active person
// who has the e-mail address that the provider has verified (docs/decisions.md, D217).

import {
  appendIdentity,
  type Identity,
  loadIdentityHolder,
} from '../../control/people/oidc-identities.ts';
import { loadMember, loadMembersByAddress, type MemberRow } from '../../control/people/people.ts';
import { loadSessions } from '../../control/people/session-rows.ts';
import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { findWorkspace } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import { isToken } from '../../model/rights/session-token.ts';
import type { Database } from '../../postgres/db.ts';
import type { IdentifiedPerson, Oidc } from './oidc.ts';
import {
  canSignIn,
  openSession,
  refuseSignIn,
  type SignedIn,
  type SignInOrigin,
  type SignInPlace,
} from './open-session.ts';
import { judgeAttempt } from './sign-in-limit.ts';
import type { UnderWay } from './under-way.ts';

/** A browser that has come back. */
export interface Return {
  readonly underWay: UnderWay;
  readonly url: URL;
  readonly origin: SignInOrigin;
}

/** Errors: `invalid_credentials`, `rate_limited`, `service_unavailable`. */
export async function signInWithOidc(
  db: Database,
  provider: Pick<Oidc, 'finish'>,
  { underWay, url, origin }: Return,
): Promise<SignedIn> {
  const { workspace } = underWay;
  const tenant = origin.isHostOf(workspace) ? await findWorkspace(db, workspace) : undefined;
  return judgeAttempt(db, { address: origin.address }, async (attempt) => {
    const refuse = (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      return refuseSignIn(db, origin, { place: tenant, userId: null, error });
    };
    const identified = await provider.finish(underWay, url).catch(refuse);
    if (tenant === undefined) return refuseSignIn(db, origin, { place: tenant, userId: null });
    const identifiedPerson = await findPerson(db, tenant, identified).catch(refuse);
    const { person } = identifiedPerson;
    const userId = person?.id ?? null;
    if (!canSignIn(person)) return refuseSignIn(db, origin, { place: tenant, userId });
    const signedIn = await db.transaction(async (tx) => {
      const events = [linkedEvent(person)];
      const proof = { place: tenant, person, method: 'oidc', origin, attempt } as const;
      if (!identifiedPerson.isNew) return openSession(tx, proof);
      const holder = { workspace_id: tenant.id, user_id: person.id };
      // Known by another identity there: an address that was given to somebody else must not inherit it.
      if (!(await appendIdentity(tx, holder, identityOf(identified)))) return undefined;
      return openSession(tx, { ...proof, events });
    });
    return signedIn ?? refuseSignIn(db, origin, { place: tenant, userId });
  });
}

/** A browser with the sessions that it sends. */
export interface Visitor {
  readonly workspace: string;
  readonly tokens: readonly string[];
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** True when one of the sessions is in force there and has begun since that moment. */
export async function hasSignedIn(
  db: Database,
  { workspace, tokens, since }: Visitor,
): Promise<boolean> {
  const hashes = tokens.filter(isToken).map(hashOf);
  if (hashes.length === 0) return false;
  const [place, sessions] = [await findWorkspace(db, workspace), await loadSessions(db, hashes)];
  return sessions.some((session) => {
    if (session === undefined || session.ended) return false;
    return session.workspace_id === place?.id && Date.parse(session.created_at) >= since;
  });
}

interface Found {
  readonly person: MemberRow | undefined;
  /** True when the identity has no person yet. */
  readonly isNew: boolean;
}

async function findPerson(
  db: Database,
  place: SignInPlace,
  identified: IdentifiedPerson,
): Promise<Found> {
  const holder = await loadIdentityHolder(db, place.id, identityOf(identified));
  if (holder !== undefined) {
    return { person: await loadMember(db, place.schema, holder), isNew: false };
  }
  const email = await identified.verifiedEmail();
  const found = await loadMembersByAddress(db, place.schema, email);
  // Two people whose addresses differ only in capital letters: the owner cannot be determined.
  return { person: found.length === 1 ? found[0] : undefined, isNew: true };
}

function identityOf({ issuer, subject }: IdentifiedPerson): Identity {
  return { issuer, subject };
}

function linkedEvent({ id }: MemberRow): AdministrativeEvent {
  return { subject_type: 'user', subject_id: String(id), action: 'link_identity' };
}

// Passkeys (Web Authentication): what browsers are asked, and whether an authenticator's answer is right, by the library
// @simplewebauthn/server, which is loaded at the first answer. Whose passkeys are kept is decided by the callers.

import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PasskeyRow } from '../../control/people/passkey-rows.ts';

/** The host of the application as browsers see it. */
export interface PasskeyPlace {
  /** An origin such as `https://crm.example.com`. */
  readonly origin: string;
  /** The RP ID: passkeys of a host work at this host only. */
  readonly hostname: string;
}

/** EdDSA, ES256 and RS256: every release of Node.js that runs the service can verify them. */
const ALGORITHMS = [-8, -7, -257];
/** Milliseconds for the person. */
const TIMEOUT = 5 * 60_000;

/** False for addresses: browsers make passkeys for names of hosts only. */
export function mayHavePasskeys({ hostname }: PasskeyPlace): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}

interface Credential {
  readonly credential_id: string;
  readonly transports: readonly string[];
}

const descriptorOf = ({ credential_id, transports }: Credential) =>
  ({ type: 'public-key', id: credential_id, transports }) as const;

/** The question of a sign-in: without `passkeys` any of the host, whose authenticator has verified the person. */
export function requestOptions(
  place: PasskeyPlace,
  challenge: string,
  passkeys?: readonly Credential[],
) {
  return {
    challenge,
    rpId: place.hostname,
    timeout: TIMEOUT,
    userVerification: passkeys === undefined ? 'required' : 'preferred',
    allowCredentials: (passkeys ?? []).map(descriptorOf),
  };
}

interface Creation {
  readonly challenge: string;
  readonly handle: string;
  readonly person: { readonly name: string | null; readonly email: string | null };
  readonly workspace: string;
  readonly passkeys: readonly Credential[];
}

/** The question for a new passkey; those that the person has are not made again. */
export function creationOptions(place: PasskeyPlace, creation: Creation) {
  const { challenge, handle, person, workspace, passkeys } = creation;
  const name = person.email ?? '';
  return {
    challenge,
    rp: { id: place.hostname, name: workspace },
    user: { id: handleText(handle), name, displayName: person.name ?? name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: passkeys.map(descriptorOf),
  };
}

/** A user handle in base64url. */
function handleText(handle: string): string {
  return Buffer.from(handle.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The new credential; undefined for an answer that is not right. */
export async function readNewPasskey(
  place: PasskeyPlace,
  challenge: string,
  response: RegistrationResponseJSON,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { origin, hostname: host } = place;
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (checked?.verified !== true) return undefined;
  const { id: credential_id, publicKey: public_key, counter } = checked.registrationInfo.credential;
  const transports = response.response.transports ?? [];
  return { host, credential_id, public_key, counter, transports };
}

interface Asked {
  readonly challenge: string;
  /** True: the passkey is the only factor, so the authenticator must have verified the person. */
  readonly isAlone: boolean;
}

/** The counter of the authenticator when the answer is right for the passkey; undefined when it is not. */
export async function readAssertion(
  place: PasskeyPlace,
  passkey: PasskeyRow,
  { challenge, isAlone }: Asked,
  response: AuthenticationResponseJSON,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { userHandle } = response.response;
  // Without a list of passkeys the authenticator names the person (Web Authentication §7.2, step 6).
  const isOfPerson =
    (userHandle ?? null) === null ? !isAlone : userHandle === handleText(passkey.handle);
  if (!isOfPerson) return undefined;
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.hostname,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: [...passkey.transports] as AuthenticatorTransport[],
    },
    requireUserVerification: isAlone,
  }).catch(() => undefined);
  return checked?.verified === true ? checked.authenticationInfo.newCounter : undefined;
}

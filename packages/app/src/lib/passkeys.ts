// Passkeys of this browser: the questions of the service as Web Authentication takes them, and its answers as JSON.

import type { Endpoints } from '@workspace-records/client';

type Assertion = NonNullable<Endpoints['createSession']['body']['assertion']>;
type Attestation = Endpoints['createPasskey']['body']['credential'];

/** False in a browser without passkeys, or one that cannot read them as JSON. */
export function hasPasskeys(): boolean {
  return (
    'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

/** Rejects when the person cancels, or has none. */
export async function askPasskey(options: object): Promise<Assertion> {
  const json = options as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { id, rawId, response } = credential.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
    response: {
      ...{ clientDataJSON, authenticatorData, signature },
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  };
}

export async function makePasskey(options: object): Promise<Attestation> {
  const json = options as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { id, rawId, response } = credential.toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, transports },
  };
}

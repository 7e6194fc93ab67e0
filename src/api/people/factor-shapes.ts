// Schemas of second factors: codes, and the answers of authenticators as browsers print them (`toJSON` of a
// PublicKeyCredential).

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { closed, nullable } from '../shapes.ts';

export const CodeText = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The present code of the authenticator app.',
});

/** Bytes in base64url. */
const bytes = (most: number) => Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength: most });

const credential = <Response extends Type.TSchema>(response: Response) =>
  Type.Object(
    {
      id: bytes(LIMITS.credentialIdLength),
      rawId: bytes(LIMITS.credentialIdLength),
      type: Type.Literal('public-key'),
      authenticatorAttachment: Type.Optional(Type.Enum(['platform', 'cross-platform'])),
      clientExtensionResults: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 }),
      response,
    },
    closed,
  );

export const AssertionShape = credential(
  Type.Object(
    {
      clientDataJSON: bytes(LIMITS.clientDataLength),
      authenticatorData: bytes(LIMITS.clientDataLength),
      signature: bytes(LIMITS.clientDataLength),
      userHandle: Type.Optional(bytes(100)),
    },
    closed,
  ),
);

export const AttestationShape = credential(
  Type.Object(
    {
      clientDataJSON: bytes(LIMITS.clientDataLength),
      attestationObject: bytes(LIMITS.attestationLength),
      authenticatorData: Type.Optional(bytes(LIMITS.attestationLength)),
      transports: Type.Optional(
        Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 }),
      ),
      publicKey: Type.Optional(bytes(LIMITS.attestationLength)),
      publicKeyAlgorithm: Type.Optional(Type.Integer()),
    },
    closed,
  ),
);

export const Passkey = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    host: Type.String({ description: 'The host at which the passkey works.' }),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: nullable(Type.String({ format: 'date-time' })),
  },
  { $id: 'Passkey' },
);

/** The options of Web Authentication as browsers read them from JSON. */
export const OptionsShape = Type.Object(
  { challenge: Type.String() },
  {
    additionalProperties: true,
    description:
      'Options as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read them.',
  },
);

export const RecoveryCodes = nullable(
  Type.Array(Type.String(), {
    description: 'New recovery codes, which are shown once; null: the person has some.',
  }),
);

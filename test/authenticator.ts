// An authenticator in memory, whose answers tests can change: the host, the origin, the counter, whether it has verified
// the person. packages/app/test/journeys/second-factor.test.ts uses the one of Chromium.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface AnswerOptions {
  readonly origin: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** True: it has verified the person. */
  readonly verified?: boolean;
  readonly userHandle?: string;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const url = (bytes: Buffer) => bytes.toString('base64url');

/** CBOR (RFC 8949) of what authenticators send. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as string)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

export function openAuthenticator(host: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [bx, by] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const key = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bx],
      [-3, by],
    ]),
  );

  const authData = (
    { rpId = host, counter = 0, verified = true }: AnswerOptions,
    more: Buffer[],
  ) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = 1 | (verified ? 4 : 0) | (more.length > 0 ? 64 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, ...more]);
  };
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = {
    id: url(id),
    rawId: url(id),
    type: 'public-key',
    clientExtensionResults: {},
  };

  return {
    id: url(id),
    create(challenge: string, options: AnswerOptions) {
      const length = Buffer.from([0, id.length]);
      const data = authData(options, [Buffer.alloc(16), length, id, key]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]);
      const clientDataJSON = url(clientData('webauthn.create', challenge, options.origin));
      return {
        ...credential,
        response: { clientDataJSON, attestationObject: url(cbor(attestation)) },
      };
    },
    get(challenge: string, options: AnswerOptions) {
      const data = authData(options, []);
      const client = clientData('webauthn.get', challenge, options.origin);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: url(client),
        authenticatorData: url(data),
        signature: url(signature),
        ...(options.userHandle === undefined ? {} : { userHandle: options.userHandle }),
      };
      return { ...credential, response };
    },
  };
}

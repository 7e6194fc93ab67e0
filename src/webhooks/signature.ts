// Signatures of webhooks as Standard Webhooks 1.0 defines them: `v1,` and the HMAC-SHA256 of id, timestamp and body.

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** `whsec_` and 32 random bytes in base64. */
export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The header `webhook-signature`: one signature for each secret, so two while a secret is rotated. */
export function signWebhook(message: SignedMessage, secrets: readonly string[]): string {
  return secrets.map((secret) => signatureOf(message, secret)).join(' ');
}

function signatureOf({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || key.length !== SECRET_BYTES) {
    throw new Error('A secret of a webhook is whsec_ and 32 bytes in base64.');
  }
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

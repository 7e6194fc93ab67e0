// The token of the link in a mail that ends mails to its person. It names them and is signed with the secret of the
// workspace; it can do only that, and nothing is stored of it.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../../limits.ts';

const TOKEN = /^(\d{1,10})\.(\d{1,10})\.([\w-]{43})$/;

export interface Subscriber {
  readonly workspace_id: number;
  readonly user_id: number;
}

export function makeUnsubscribeToken(secret: Buffer, subscriber: Subscriber): string {
  const { workspace_id, user_id } = subscriber;
  return `${workspace_id}.${user_id}.${signatureOf(secret, subscriber).toString('base64url')}`;
}

/** The person that a token names; its signature is still to be checked. Undefined: no token. */
export function readSubscriber(token: string): Subscriber | undefined {
  const found = TOKEN.exec(token);
  if (found === null) return undefined;
  const [workspace_id, user_id] = [Number(found[1]), Number(found[2])];
  // Beyond an integer of PostgreSQL there is neither.
  return Math.max(workspace_id, user_id) > LIMITS.smallId ? undefined : { workspace_id, user_id };
}

/** True when the workspace with this secret has made the token. */
export function isUnsubscribeToken(secret: Buffer, token: string): boolean {
  const subscriber = readSubscriber(token);
  if (subscriber === undefined) return false;
  const signature = Buffer.from(TOKEN.exec(token)?.[3] ?? '', 'base64url');
  const expected = signatureOf(secret, subscriber);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function signatureOf(secret: Buffer, { workspace_id, user_id }: Subscriber): Buffer {
  return createHmac('sha256', secret).update(`unsubscribe ${workspace_id} ${user_id}`).digest();
}

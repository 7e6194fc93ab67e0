// Requests to an identity provider: how the service authenticates, how many run at once, how long they take and how much
// they may answer.

import * as oidc from 'openid-client';
import { limitConcurrency } from '../../control/process/limit-concurrency.ts';

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: the service chooses by the metadata of the provider. */
  readonly authMethod: 'client_secret_basic' | 'client_secret_post' | undefined;
}

/** Seconds for one request. */
export const TIME_LIMIT = 5;
const AT_ONCE = 10;
const MOST_WAITING = 40;
const ANSWER_BYTES = 1024 * 1024;

/** Sends the requests to one provider. Errors of the result: `service_unavailable` when too many wait. */
export function limitedFetch(): oidc.CustomFetch {
  const inTurn = limitConcurrency(AT_ONCE, MOST_WAITING);
  return (url, options) =>
    inTurn(async () => {
      const response = await fetch(url, options as RequestInit);
      // Read here, so that the limits of time and number include the body.
      const body = await readAnswer(response);
      const { status, headers } = response;
      const hasBody = ![101, 204, 205, 304].includes(status);
      return new Response(hasBody ? body : null, { status, headers });
    });
}

async function readAnswer({ body }: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Error('the answer of the identity provider is too long');
    chunks.push(chunk);
  }
  return new Blob(chunks);
}

/**
 * How the service proves at the token endpoint that it is the registered client. Providers that do not list the methods
 * they accept, accept Basic (OpenID Connect Discovery §3).
 */
export function authenticationOf(
  { clientId, clientSecret, authMethod }: Client,
  accepted: readonly string[] = ['client_secret_basic'],
): oidc.ClientAuth {
  const [basic, post] = [
    accepted.includes('client_secret_basic'),
    accepted.includes('client_secret_post'),
  ];
  // Some providers decode the credentials of Basic (RFC 6749 §2.3.1), others do not.
  const isAmbiguous =
    escapeBasic(clientId, true) + escapeBasic(clientSecret) !== clientId + clientSecret;
  const preferred = basic && !(post && isAmbiguous) ? 'client_secret_basic' : 'client_secret_post';
  if ((authMethod ?? preferred) === 'client_secret_post')
    return oidc.ClientSecretPost(clientSecret);
  const pair = `${escapeBasic(clientId, true)}:${escapeBasic(clientSecret)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return (_server, _client, _body, headers) => headers.set('authorization', authorization);
}

/**
 * Escapes only the characters that a provider which decodes would read otherwise. openid-client escapes `-` and `.` as
 * well, and providers that do not decode then know no such client.
 */
function escapeBasic(text: string, isClientId = false): string {
  const meaningful = isClientId ? /[%+:]|[^\x20-\x7e]+/g : /[%+]|[^\x20-\x7e]+/g;
  return text.replace(meaningful, encodeURIComponent);
}

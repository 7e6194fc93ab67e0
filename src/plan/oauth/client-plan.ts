// Clients of OAuth: their metadata, and the redirect URIs that they may use (docs/design/oauth.md). Pure.

import { isObject } from '../../model/definition/definition.ts';

/** A program that acts for people. */
export interface OauthClient {
  readonly id: string;
  readonly kind: 'document' | 'registered' | 'entered';
  /** The name that the client gives itself, or an administrator gave it. */
  readonly name: string;
  readonly redirect_uris: readonly string[];
  /** SHA-256; null: it has no secret. */
  readonly secret_hash: Buffer | null;
}

export type ClientMetadata = Pick<OauthClient, 'name' | 'redirect_uris'>;

/** A refusal in the words of RFC 6749, 7591 and 8707. */
export interface OauthRefusal {
  readonly error: OauthErrorCode;
  readonly error_description: string;
}

export type OauthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'unsupported_response_type'
  | 'unsupported_token_type';

export function refusal(error: OauthErrorCode, error_description: string): OauthRefusal {
  return Object.freeze({ error, error_description });
}

export const MOST_REDIRECT_URIS = 10;
const REDIRECT_LENGTH = 1000;
const NAME_LENGTH = 100;
/** Schemes that browsers or systems run, open or fetch themselves. */
const NO_PROGRAM =
  /^(?:about|blob|data|file|filesystem|ftp|intent|javascript|mailto|ms-[\w-]+|search-ms|shell|sms|tel|vbscript|view-source|wss?):/i;
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

/** The metadata of a client (RFC 7591 §2). Properties that do not concern the service are ignored. */
export function parseClientMetadata(value: unknown): ClientMetadata | OauthRefusal {
  if (!isObject(value)) return unusable('The metadata must be a JSON object.');
  const { redirect_uris: sent, client_name, grant_types, response_types } = value;
  const isList = Array.isArray(sent) && sent.length > 0 && sent.length <= MOST_REDIRECT_URIS;
  if (!isList || !sent.every(isRedirectUri)) {
    return refusal('invalid_redirect_uri', REDIRECT_URIS);
  }
  if (!lists(grant_types, 'authorization_code')) {
    return unusable('grant_types must contain authorization_code.');
  }
  if (!lists(response_types, 'code')) return unusable('response_types must contain code.');
  const name = typeof client_name === 'string' ? plainName(client_name) : '';
  return Object.freeze({ name: name || hostOf(String(sent[0])) || 'client', redirect_uris: sent });
}

const REDIRECT_URIS = `redirect_uris must be 1 to ${MOST_REDIRECT_URIS} addresses of https, of http on a loopback address, or of a scheme of the program's own, without fragment and credentials.`;

/** The metadata at the address that is the id of its client. Errors as `parseClientMetadata`. */
export function parseClientDocument(id: string, value: unknown): OauthClient | OauthRefusal {
  if (!isObject(value) || value.client_id !== id) {
    return unusable('client_id in the metadata must be the address of the metadata.');
  }
  const { token_endpoint_auth_method: method = 'none' } = value;
  if (method !== 'none') return unusable('token_endpoint_auth_method must be none.');
  const metadata = parseClientMetadata(value);
  return 'error' in metadata
    ? metadata
    : Object.freeze({ id, kind: 'document', ...metadata, secret_hash: null });
}

function unusable(description: string): OauthRefusal {
  return refusal('invalid_client_metadata', description);
}

function lists(value: unknown, word: string): boolean {
  return value === undefined || (Array.isArray(value) && value.includes(word));
}

/** A name in one line, without invisible characters. */
function plainName(text: string): string {
  const plain = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain
    .slice(0, NAME_LENGTH)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trim();
}

/** True for an id that is the address of metadata, written in the one way that `URL` writes it. */
export function isDocumentId(id: string): boolean {
  if (id.length > REDIRECT_LENGTH || !/^https?:\/\/[\x21-\x7e]+$/.test(id) || !URL.canParse(id))
    return false;
  const { href, username, password, pathname } = new URL(id);
  return href === id && username + password === '' && pathname !== '/' && !id.includes('#');
}

/** True for an address that the service may send a code to. */
export function isRedirectUri(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > REDIRECT_LENGTH) return false;
  // `URL` reads a backslash as a slash.
  if (!/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/.test(value) || /[\\#]/.test(value)) return false;
  if (!URL.canParse(value) || NO_PROGRAM.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  if (username + password !== '') return false;
  return protocol !== 'http:' || LOOPBACK.test(value);
}

/** True when a client with this URI may use the sent one: the same text, on loopback with any port (RFC 8252 §7.3). */
export function isRedirectOf(registered: string, sent: string): boolean {
  if (registered === sent) return true;
  if (!isRedirectUri(sent)) return false;
  const [own, other] = [LOOPBACK.exec(registered), LOOPBACK.exec(sent)];
  if (own === null || other === null || own[1] !== other[1]) return false;
  return registered.slice(own[0].length) === sent.slice(other[0].length);
}

/** The host that gets the code; null: a program on the machine of the person. */
export function hostOf(uri: string): string | null {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' ? host : null;
}

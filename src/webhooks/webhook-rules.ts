// Which addresses and headers a webhook may have. Names are resolved when something is sent, so here only hosts are
// checked that need no resolution. Pure.

import { isIP } from 'node:net';
import { ApiError, shownName } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Message, say } from '../messages/message.ts';
import type { AddressRules, Scheme } from './addresses.ts';

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** Printable ASCII; other characters would arrive in another encoding. */
const VALUE = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;
/** Headers of the message, of its signature, of the connection and of proxies. */
const RESERVED = /^(?:content-.*|webhook-.*|proxy-.*)$/;
const RESERVED_NAMES = new Set([
  ...['accept-encoding', 'connection', 'expect', 'host', 'http2-settings', 'keep-alive', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]);
const LOOPBACKS = ['127.0.0.1', '::1'];

/** Errors: `validation_failed`. */
export function requireWebhookUrl(text: string, rules: AddressRules, param = 'url'): void {
  const message = urlProblem(text, rules);
  if (message !== undefined) throw new ApiError('validation_failed', { param, message });
}

/** Errors: `validation_failed`. */
export function requireWebhookHeaders(
  headers: Readonly<Record<string, string>>,
  param = 'headers',
): void {
  const message = headersProblem(Object.entries(headers));
  if (message !== undefined) throw new ApiError('validation_failed', { param, message });
}

/**
 * Headers are secrets shared with one receiver: another origin gets none of them unless they are sent again (D568).
 * Errors: `invalid_write`.
 */
export function requireHeadersAgain(
  { url, header_names }: { readonly url: string; readonly header_names: readonly string[] },
  change: { readonly url?: string | undefined; readonly headers?: object | undefined },
): void {
  if (header_names.length === 0 || change.headers !== undefined) return;
  if (change.url === undefined || new URL(change.url).origin === new URL(url).origin) return;
  const message = say('headers_for_another_server', { none: '{}' });
  throw new ApiError('invalid_write', { param: 'headers', message });
}

/** The reason why nothing may be sent to this host; undefined for names, which are resolved first. */
export function hostProblem({ hostname, protocol }: URL, rules: AddressRules): Message | undefined {
  const scheme = protocol as Scheme;
  const addresses = addressesIn(hostname);
  if (addresses.some((address) => !rules.isAllowed(address, scheme))) return ADDRESS_REFUSED;
  if (addresses.length > 0 || scheme === 'https:') return undefined;
  // A proxy does not report to which address it has connected.
  return rules.allowsNetworks && !rules.proxied ? undefined : NEEDS_TLS;
}

export const ADDRESS_REFUSED = say('webhook_address_refused');
const NEEDS_TLS = say('webhook_needs_https');

function urlProblem(text: string, rules: AddressRules): Message | undefined {
  if (text.length > LIMITS.webhookUrlLength) {
    return say('webhook_url_too_long', { most: LIMITS.webhookUrlLength });
  }
  // `URL` would leave out some of these characters.
  if (/[\s\p{C}]/u.test(text) || !URL.canParse(text)) return say('webhook_url_invalid');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NEEDS_TLS;
  if (url.hostname.includes('..') || url.hostname.length > 253) {
    return say('webhook_url_invalid');
  }
  if (url.username !== '' || url.password !== '') {
    return say('webhook_url_credentials');
  }
  if (text.includes('#')) return say('webhook_url_fragment');
  return hostProblem(url, rules);
}

/** The addresses of hosts that need no resolution. `URL` has written every literal in its usual form. */
function addressesIn(hostname: string): readonly string[] {
  const name = hostname.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACKS;
  const literal = name.startsWith('[') ? name.slice(1, -1) : name;
  return isIP(literal) === 0 ? [] : [literal];
}

function headersProblem(headers: readonly (readonly [string, string])[]): Message | undefined {
  if (headers.length > LIMITS.webhookHeaders) {
    return say('too_many_headers', { most: LIMITS.webhookHeaders });
  }
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > LIMITS.webhookHeaderBytes) {
    return say('headers_too_long', { most: LIMITS.webhookHeaderBytes });
  }
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return say('header_repeated', { name: shownName(twice) });
  for (const [name, value] of headers) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function headerProblem(name: string, value: string): Message | undefined {
  if (!TOKEN.test(name)) return say('header_name_invalid', { name: shownName(name) });
  const lower = name.toLowerCase();
  if (RESERVED.test(lower) || RESERVED_NAMES.has(lower)) {
    return say('header_reserved', { name: shownName(name) });
  }
  if (VALUE.test(value)) return undefined;
  return say('header_value_invalid', { name: shownName(name) });
}

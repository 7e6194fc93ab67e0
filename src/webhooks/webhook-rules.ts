// Which addresses and headers a webhook may have. Names are resolved when something is sent, so here only hosts are
// checked that need no resolution. Pure.

import { isIP } from 'node:net';
import { ApiError, shownName } from '../errors.ts';
import { LIMITS } from '../limits.ts';
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
  const message = 'The address leads to another server: send its headers too, or {} for none.';
  throw new ApiError('invalid_write', { param: 'headers', message });
}

/** The reason why nothing may be sent to this host; undefined for names, which are resolved first. */
export function hostProblem({ hostname, protocol }: URL, rules: AddressRules): string | undefined {
  const scheme = protocol as Scheme;
  const addresses = addressesIn(hostname);
  if (addresses.some((address) => !rules.isAllowed(address, scheme))) return ADDRESS_REFUSED;
  if (addresses.length > 0 || scheme === 'https:') return undefined;
  // A proxy does not report to which address it has connected.
  return rules.allowsNetworks && !rules.proxied ? undefined : NEEDS_TLS;
}

export const ADDRESS_REFUSED = 'Webhooks are not sent to this address.';
const NEEDS_TLS = 'A webhook needs an address with https.';

function urlProblem(text: string, rules: AddressRules): string | undefined {
  if (text.length > LIMITS.webhookUrlLength) {
    return `The address of a webhook can have at most ${LIMITS.webhookUrlLength} characters.`;
  }
  // `URL` would leave out some of these characters.
  if (/[\s\p{C}]/u.test(text) || !URL.canParse(text)) return 'The address is not a valid URL.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NEEDS_TLS;
  if (url.hostname.includes('..') || url.hostname.length > 253) {
    return 'The address is not a valid URL.';
  }
  if (url.username !== '' || url.password !== '') {
    return 'The address of a webhook cannot contain credentials. Use a header.';
  }
  if (text.includes('#')) return 'The address of a webhook cannot have a fragment.';
  return hostProblem(url, rules);
}

/** The addresses of hosts that need no resolution. `URL` has written every literal in its usual form. */
function addressesIn(hostname: string): readonly string[] {
  const name = hostname.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACKS;
  const literal = name.startsWith('[') ? name.slice(1, -1) : name;
  return isIP(literal) === 0 ? [] : [literal];
}

function headersProblem(headers: readonly (readonly [string, string])[]): string | undefined {
  if (headers.length > LIMITS.webhookHeaders) {
    return `A webhook can have at most ${LIMITS.webhookHeaders} headers.`;
  }
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > LIMITS.webhookHeaderBytes) {
    return `The headers of a webhook can have at most ${LIMITS.webhookHeaderBytes} bytes together.`;
  }
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The header "${shownName(twice)}" is repeated.`;
  for (const [name, value] of headers) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function headerProblem(name: string, value: string): string | undefined {
  if (!TOKEN.test(name)) return `"${shownName(name)}" is not a valid name of a header.`;
  const lower = name.toLowerCase();
  if (RESERVED.test(lower) || RESERVED_NAMES.has(lower)) {
    return `The header "${shownName(name)}" cannot be set.`;
  }
  if (VALUE.test(value)) return undefined;
  return `The value of the header "${shownName(name)}" must be printable ASCII characters.`;
}

// Which hosts a key may be used on (D15): `{slug}.{base domain}` belongs to one workspace, the bare
// domain, `localhost` and IP addresses to all. It knows no workspace, only the slug it is given.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { operatorError } from '../errors.ts';

export interface HostRules {
  readonly baseDomain: string | undefined;
  /** Addresses, or networks such as `10.0.0.0/8`, whose X-Forwarded-Host counts. */
  readonly trustedProxies: readonly string[];
}

/** True when a key of the workspace with this slug may be used on the request's host. */
export type HostCheck = (request: IncomingMessage, slug: string) => boolean;

export function compileHostCheck({ baseDomain, trustedProxies }: HostRules): HostCheck {
  if (baseDomain === undefined) return () => true;
  const trusted = listOfAddresses(trustedProxies);
  const suffix = `.${baseDomain}`;
  return (request, slug) => {
    const host = hostName(sentHost(request, trusted));
    if (host === baseDomain || host === 'localhost' || isIP(host) !== 0) return true;
    return host.endsWith(suffix) && host.slice(0, -suffix.length) === slug;
  };
}

function listOfAddresses(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
    if (isIP(address) === 0 || prefix > most) {
      throw operatorError(`TRUSTED_PROXIES: "${text}" is no IP address or network.`);
    }
    list.addSubnet(address, prefix, family);
  }
  return list;
}

function sentHost({ headers, socket }: IncomingMessage, trusted: BlockList): string {
  const forwarded = headers['x-forwarded-host'];
  const host = headers.host ?? '';
  if (typeof forwarded !== 'string') return host;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  const family = isIP(address);
  if (family === 0 || !trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')) return host;
  return forwarded.split(',')[0]?.trim() ?? host;
}

/** Without port, brackets and final dot, in lower case. */
function hostName(host: string): string {
  const bare = host.startsWith('[') ? host.slice(1).replace(/\].*$/, '') : host.split(':', 1)[0];
  return (bare ?? '').toLowerCase().replace(/\.$/, '');
}

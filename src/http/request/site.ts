// The site of a request: the origin in the client's request, the address it comes from, and whether sessions may be
// used there. Apart from the connection itself, only headers of a trusted proxy count.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { LIMITS } from '../../limits.ts';
import type { Proxies } from './proxies.ts';

export interface Site {
  /** The origin of the site, such as `https://crm.example.com`, without the default port. */
  readonly origin: string;
  /** The name or address of the host; empty when the request names no host. */
  readonly hostname: string;
  /** The address of the client. */
  readonly address: string;
  /** The browser or program, as it names itself; empty when it does not. */
  readonly agent: string;
  /**
   * The cookies of sessions: `secure` over https, `plain` over http where that is safe or the
   * configuration allows it; undefined: there are none, as without a host.
   */
  readonly cookies: 'secure' | 'plain' | undefined;
}

/** `allowInsecure`: sessions over plain http that is not of this machine. */
export function compileSites(
  proxies: Pick<Proxies, 'clientAddress' | 'sentHost' | 'sentScheme'>,
  allowInsecure: boolean,
): (request: IncomingMessage) => Site {
  return (request) => {
    const scheme = proxies.sentScheme(request);
    const host = proxies.sentHost(request);
    const url = `${scheme}://${host}`;
    const { origin, hostname } = URL.canParse(url) ? new URL(url) : { origin: url, hostname: '' };
    const isPlain = allowInsecure || isLoopback(hostname);
    const kind = scheme === 'https' ? 'secure' : isPlain ? 'plain' : undefined;
    const cookies = hostname === '' ? undefined : kind;
    const [address, agent] = [proxies.clientAddress(request), agentOf(request)];
    return { origin, hostname, address, agent, cookies };
  };
}

/** Bounded: it is stored with a session. */
function agentOf({ headers }: IncomingMessage): string {
  return (headers['user-agent'] ?? '').slice(0, LIMITS.userAgentLength);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Hosts that browsers trust without https: their traffic stays on the machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(name);
  if (family === 0) return name === 'localhost' || name.endsWith('.localhost');
  return LOOPBACK.check(name, family === 6 ? 'ipv6' : 'ipv4');
}

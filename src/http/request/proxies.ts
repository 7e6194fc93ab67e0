// Trusted proxies: the address, the host and the scheme of the client from forwarding headers. Only headers that a proxy of
// the configuration has set are used.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { operatorError } from '../../errors.ts';

export interface Proxies {
  /** The address of the client: the last one in the chain that is not a trusted proxy. */
  clientAddress(request: IncomingMessage): string;
  /** The host in the request to the first trusted proxy of the chain. */
  sentHost(request: IncomingMessage): string;
  /** The scheme of the request to the first trusted proxy of the chain. */
  sentScheme(request: IncomingMessage): 'http' | 'https';
  isTrusted(address: string): boolean;
}

/** `trusted`: addresses, or networks such as `10.0.0.0/8`. */
export function compileProxies(trusted: readonly string[]): Proxies {
  const list = listOfAddresses(trusted);
  const isTrusted = (sent: string) => {
    const address = plain(sent);
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  /**
   * Addresses from the nearest to the farthest that is known: trusted proxies, and one that is
   * not.
   */
  const chainOf = (request: IncomingMessage): readonly string[] => {
    const chain = [plain(request.socket.remoteAddress ?? '')];
    if (trusted.length === 0) return chain;
    const said = listIn(request, 'x-forwarded-for');
    while (isTrusted(chain.at(-1) ?? '') && said.length > 0) chain.push(plain(said.pop() ?? ''));
    return chain;
  };
  /** The value of a header that the first trusted proxy of the chain has set. */
  const forwarded = (request: IncomingMessage, header: string): string | undefined => {
    const values = listIn(request, header);
    const proxies = values.length === 0 ? [] : chainOf(request).filter(isTrusted);
    // Each proxy has appended its value to the header, or has replaced it.
    const at = Math.max(0, values.length - proxies.length);
    return proxies.length === 0 ? undefined : values[at];
  };
  return {
    isTrusted,
    clientAddress: (request) => chainOf(request).at(-1) ?? '',
    sentHost: (request) => forwarded(request, 'x-forwarded-host') ?? request.headers.host ?? '',
    sentScheme(request) {
      const isSecure = forwarded(request, 'x-forwarded-proto')?.toLowerCase() === 'https';
      return isSecure ? 'https' : 'http';
    },
  };
}

function listIn({ headers }: IncomingMessage, name: string): string[] {
  const text = headers[name];
  return typeof text === 'string' ? text.split(',').map((one) => one.trim()) : [];
}

/** The address without brackets, port and the prefix of IPv4 in IPv6. */
function plain(address: string): string {
  const bare = address.startsWith('[') ? address.slice(1).replace(/\].*$/, '') : address;
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '');
  return /^[\d.]+:\d+$/.test(mapped) ? mapped.replace(/:\d+$/, '') : mapped;
}

function listOfAddresses(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
    if (isIP(address) === 0 || prefix > most) {
      throw operatorError(`TRUSTED_PROXIES: "${text}" is not an IP address or network.`);
    }
    list.addSubnet(address, prefix, family);
  }
  return list;
}

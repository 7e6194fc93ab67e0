// The addresses to which webhooks may be sent. Refused are all that are not public, in every form in which IPv6 can
// contain them, unless WEBHOOK_ALLOW_NETWORKS has them; link-local addresses and metadata services always. Pure.

import { BlockList, isIP, isIPv4 } from 'node:net';
import { groupsOfIpv6 } from '../model/rights/network.ts';

export interface AddressRules {
  /** A proxy connects, and checks the addresses of names. */
  readonly proxied: boolean;
  /** True when some networks are allowed that are not public. */
  readonly allowsNetworks: boolean;
  /** False for text that is not an address. Only allowed networks are reached without TLS. */
  isAllowed(address: string, scheme: Scheme): boolean;
}

export type Scheme = 'http:' | 'https:';

interface AddressOptions {
  /** As `isNetwork` accepts them. */
  readonly allowNetworks: readonly string[];
  readonly proxied: boolean;
}

/** IPv4 that is not public (IANA IPv4 Special-Purpose Address Registry). */
const PRIVATE_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** IPv6 outside of 2000::/3, the only public part, and what is not public in it. */
const PRIVATE_IPV6 = [
  ...['::/3', '4000::/2', '8000::/1'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
];
/**
 * Link-local addresses, and metadata services of Alibaba, Amazon, Azure, Google and Oracle: they give credentials of the
 * machine to everybody who can send a request from it.
 */
const NEVER = [
  ...['169.254.0.0/16', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['fe80::/10', 'fd00:ec2::254', 'fd20:ce::254'],
];

export function openAddressRules({ allowNetworks, proxied }: AddressOptions): AddressRules {
  const isPrivate = networksOf([...PRIVATE_IPV4, ...PRIVATE_IPV6]);
  const isNever = networksOf(NEVER);
  const isListed = networksOf(allowNetworks);
  const isAllowed = (address: string, scheme: Scheme): boolean => {
    // A zone belongs to addresses of this link only.
    if (isIP(address) === 0 || address.includes('%')) return false;
    const mapped = mappedIpv4(address);
    if (mapped !== undefined) return isAllowed(mapped, scheme);
    if (isNever(address)) return false;
    if (!isListed(address) && (scheme === 'http:' || isPrivate(address))) return false;
    // A translator sends to the IPv4 inside; the network of the translator does not decide whether that is allowed.
    return embeddedIpv4(address).every((inner) => isAllowed(inner, scheme));
  };
  return Object.freeze({ proxied, allowsNetworks: allowNetworks.length > 0, isAllowed });
}

/** Lists for each family: a BlockList compares IPv4 with networks of IPv6 as well, as mapped addresses. */
function networksOf(networks: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of networks) {
    const [address = '', bits] = text.split('/');
    const family = familyOf(address);
    const most = family === 'ipv4' ? 32 : 128;
    lists[family].addSubnet(address, bits === undefined ? most : Number(bits), family);
  }
  return (address) => {
    const family = familyOf(address);
    return lists[family].check(address, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Of `::ffff:a.b.c.d`: systems connect to it by IPv4. */
function mappedIpv4(address: string): string | undefined {
  if (isIPv4(address)) return undefined;
  const groups = groupsOfIpv6(address);
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? dotted(groups, 6) : undefined;
}

/** The IPv4 that translators, relays and tunnels find in an address of IPv6. */
function embeddedIpv4(address: string): readonly string[] {
  if (isIPv4(address)) return [];
  const groups = groupsOfIpv6(address);
  const [first, second, third] = groups;
  const start = groups.slice(0, 6).join(':');
  // IPv4-compatible, but for :: and ::1.
  if (start === '0:0:0:0:0:0') return groups[6] === '0' ? [] : [dotted(groups, 6)];
  // IPv4-translated (RFC 2765), NAT64 (RFC 6052).
  if (start === '0:0:0:0:ffff:0' || start === '64:ff9b:0:0:0:0') return [dotted(groups, 6)];
  // NAT64 of a local prefix (RFC 8215), which has 96 bits or 48, with bits 64 to 71 left out.
  if (first === '64' && second === 'ff9b' && third === '1') {
    return [dotted(groups, 6), dotted([groups[3] ?? '0', bytesAround(groups)], 0)];
  }
  // 6to4 (RFC 3056).
  if (first === '2002') return [dotted(groups, 1)];
  // Teredo (RFC 4380): a server, and a client with all bits inverted.
  if (first === '2001' && second === '0') return [dotted(groups, 2), dotted(groups.map(invert), 6)];
  return [];
}

/** Two groups as dotted IPv4. */
function dotted(groups: readonly string[], at: number): string {
  const [high, low] = [groups[at], groups[at + 1]].map((group) =>
    Number.parseInt(group ?? '0', 16),
  );
  return [high, low].flatMap((number = 0) => [number >> 8, number & 255]).join('.');
}

/** The low byte of the fifth group and the high byte of the sixth. */
function bytesAround(groups: readonly string[]): string {
  const [fifth, sixth] = [groups[4], groups[5]].map((group) => Number.parseInt(group ?? '0', 16));
  return ((((fifth ?? 0) & 255) << 8) | ((sixth ?? 0) >> 8)).toString(16);
}

function invert(group: string): string {
  return (Number.parseInt(group, 16) ^ 0xffff).toString(16);
}

// Addresses of the internet as numbers, and as far as they tell clients apart. Pure.

import { isIPv4, isIPv6 } from 'node:net';

/** One person has all addresses of a network of IPv6, which is told by the first half of them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  return groupsOfIpv6(address).slice(0, 4).join(':');
}

/**
 * True for a network such as `10.0.0.0/8` or `fd00::/8`, or a single address. Networks of IPv4 are written as such, and
 * not as mapped ones (`::ffff:10.0.0.0/104`).
 */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (isIPv4(address)) return Number(bits ?? 32) <= 32;
  if (!isIPv6(address) || Number(bits ?? 128) > 128) return false;
  return !groupsOfIpv6(address).join(':').startsWith('0:0:0:0:0:ffff:');
}

/** The eight groups of an address of IPv6, in hexadecimal without leading zeros; a zone is left out. */
export function groupsOfIpv6(address: string): readonly string[] {
  // `URL` writes an address in one way only.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...last];
}

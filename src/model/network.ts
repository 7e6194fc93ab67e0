// Addresses as far as they tell clients apart. Pure.

import { isIPv6 } from 'node:net';

/** One person has all addresses of a network of IPv6, which is told by the first half of them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // `URL` writes an address in one way only.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4).join(':');
}

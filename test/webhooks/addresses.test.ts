// Addresses to which webhooks may be sent: private ones in every form, and what WEBHOOK_ALLOW_NETWORKS changes.

import { describe, expect, test } from 'vitest';
import { openAddressRules, type Scheme } from '../../src/webhooks/addresses.ts';
import { hostProblem } from '../../src/webhooks/webhook-rules.ts';
import { PRIVATE_HOSTS, PUBLIC_HOSTS } from './private-hosts.ts';

const rulesFor = (...allowNetworks: readonly string[]) =>
  openAddressRules({ allowNetworks, proxied: false });
const rules = rulesFor();

test('there are more than sixty private forms', () => {
  expect(new Set(PRIVATE_HOSTS).size).toBeGreaterThan(100);
});

test.each(PRIVATE_HOSTS)('%s is refused', (host) => {
  expect(hostProblem(new URL(`https://${host}/`), rules)).toBeDefined();
  expect(hostProblem(new URL(`http://${host}/`), rules)).toBeDefined();
});

test.each(PUBLIC_HOSTS)('%s is allowed with https only', (host) => {
  expect(hostProblem(new URL(`https://${host}/`), rules)).toBeUndefined();
  expect(hostProblem(new URL(`http://${host}/`), rules)).toBeDefined();
});

test.each(['', 'example.com', '127.0.0.1/8', '1.2.3', 'fe80::1%eth0', '2606::1%1', '::ffff:1.2.3'])(
  '"%s" is not an address',
  (text) => {
    expect(rules.isAllowed(text, 'https:')).toBe(false);
    expect(rulesFor('0.0.0.0/0', '::/0').isAllowed(text, 'https:')).toBe(false);
  },
);

describe('allowed networks', () => {
  test.each<[network: string, address: string, scheme: Scheme, allowed: boolean]>([
    ['10.0.0.0/8', '10.1.2.3', 'https:', true],
    ['10.0.0.0/8', '10.1.2.3', 'http:', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', 'http:', true],
    ['10.0.0.0/8', '11.0.0.1', 'http:', false],
    ['10.0.0.0/8', '172.16.0.1', 'https:', false],
    ['10.1.2.3', '10.1.2.3', 'https:', true],
    ['10.1.2.3', '10.1.2.4', 'https:', false],
    ['127.0.0.1', '::1', 'https:', false],
    ['::1', '::1', 'http:', true],
    ['::1', '127.0.0.1', 'http:', false],
    ['fd00::/8', 'fd12::1', 'https:', true],
    // Networks of IPv6 allow no address of IPv4, and the other way round.
    ['::/0', '10.0.0.1', 'https:', false],
    ['::/0', '::ffff:10.0.0.1', 'https:', false],
    ['0.0.0.0/0', '::1', 'https:', false],
    ['0.0.0.0/0', '8.8.8.8', 'http:', true],
    // A translator is as good as the address behind it.
    ['64:ff9b::/96', '64:ff9b::808:808', 'https:', true],
    ['64:ff9b::/96', '64:ff9b::a00:1', 'https:', false],
    ['64:ff9b::/96', '64:ff9b::a9fe:a9fe', 'https:', false],
    ['64:ff9b:1::/48', '64:ff9b:1:808:8:800::', 'https:', false],
    ['64:ff9b:1::/48', '64:ff9b:1:808:8:800:808:808', 'https:', true],
    ['64:ff9b:1::/48', '64:ff9b:1:a9fe:a9:fe00:808:808', 'https:', false],
    ['2002::/16', '2002:808:808::1', 'https:', true],
    ['2002::/16', '2002:a00:1::1', 'https:', false],
    // The server of a tunnel and, inverted, its client.
    ['2001::/32', '2001:0:808:808::f7f7:f7f7', 'https:', true],
    ['2001::/32', '2001:0:808:808::80ff:fffe', 'https:', false],
    ['2001::/32', '2001:0:a00:1::f7f7:f7f7', 'https:', false],
  ])('%s: %s by %s %s', (network, address, scheme, allowed) => {
    expect(rulesFor(network).isAllowed(address, scheme)).toBe(allowed);
  });

  test.each([
    ...['169.254.169.254', '169.254.0.1', '::ffff:169.254.169.254', 'fe80::1', 'febf:ffff::1'],
    ...[
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '::a9fe:a9fe',
      '100.100.100.200',
      'fd00:ec2::254',
    ],
    ...['fd20:ce::254', '168.63.129.16', '192.0.0.192', '::ffff:0:a9fe:a9fe'],
  ])('never have %s', (address) => {
    const all = rulesFor('0.0.0.0/0', '::/0', '169.254.0.0/16', 'fe80::/10', address);
    expect(all.isAllowed(address, 'https:')).toBe(false);
    expect(all.isAllowed(address, 'http:')).toBe(false);
  });

  test('allow names without TLS, except through a proxy', () => {
    const url = new URL('http://hooks.internal/');
    expect(hostProblem(url, rules)?.text).toMatch('https');
    expect(hostProblem(url, rulesFor('10.0.0.0/8'))).toBeUndefined();
    const proxied = openAddressRules({ allowNetworks: ['10.0.0.0/8'], proxied: true });
    expect(hostProblem(url, proxied)?.text).toMatch('https');
    expect(hostProblem(new URL('http://10.0.0.1/'), proxied)).toBeUndefined();
    expect(hostProblem(new URL('https://127.0.0.1/'), proxied)).toBeDefined();
    expect(hostProblem(new URL('https://localhost/'), proxied)).toBeDefined();
  });
});

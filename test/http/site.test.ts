// The origin of a request and its target: scheme and host by trusted proxies only.

import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { compileProxies } from '../../src/http/request/proxies.ts';
import { compileSites, isLoopback } from '../../src/http/request/site.ts';

const request = (address: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress: address }, headers }) as unknown as IncomingMessage;

const siteOf = compileSites(compileProxies(['10.0.0.0/8']), false);

describe('a site', () => {
  test.each([
    ['localhost:3000', 'http://localhost:3000', 'plain'],
    ['127.0.0.1', 'http://127.0.0.1', 'plain'],
    ['[::1]:80', 'http://[::1]', 'plain'],
    ['LOCALHOST:80', 'http://localhost', 'plain'],
    ['crm.example.com', 'http://crm.example.com', undefined],
    ['localhost.evil.example', 'http://localhost.evil.example', undefined],
    ['192.168.1.5', 'http://192.168.1.5', undefined],
    ['not a host', 'http://not a host', undefined],
    ['', 'http://', undefined],
  ])('a request for %j is %j', (host, origin, cookies) => {
    expect(siteOf(request('192.0.2.1', { host }))).toMatchObject({ origin, cookies });
  });

  test('is the host in the request to the first trusted proxy', () => {
    const headers = {
      host: 'inside:3000',
      'x-forwarded-for': '203.0.113.7, 10.0.0.2',
      'x-forwarded-host': 'evil.example, crm.example.com:443, inside',
      'x-forwarded-proto': 'http, https, http',
    };
    expect(siteOf(request('10.0.0.1', headers))).toEqual({
      ...{
        origin: 'https://crm.example.com',
        hostname: 'crm.example.com',
        address: '203.0.113.7',
        agent: '',
        cookies: 'secure',
      },
    });
    const untrusted = siteOf(request('203.0.113.7', headers));
    expect(untrusted).toMatchObject({ origin: 'http://inside:3000', cookies: undefined });
  });

  test('that is no host has no sessions, also behind a proxy with https', () => {
    const headers = { 'x-forwarded-host': 'a b', 'x-forwarded-proto': 'https' };
    const site = siteOf(request('10.0.0.1', headers));
    expect([site.hostname, site.cookies]).toEqual(['', undefined]);
  });

  test('has the name of the browser, as long as a session can keep', () => {
    const site = siteOf(request('192.0.2.1', { host: 'x', 'user-agent': 'b'.repeat(1000) }));
    expect(site.agent).toBe('b'.repeat(400));
  });

  test('over plain http has cookies when the configuration allows them', () => {
    const insecure = compileSites(compileProxies([]), true);
    const site = insecure(request('203.0.113.7', { host: 'crm.example.com' }));
    expect(site).toMatchObject({ origin: 'http://crm.example.com', cookies: 'plain' });
  });
});

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['localhost.example', false],
])('%s is of this machine: %s', (name, is) => {
  expect(isLoopback(name)).toBe(is);
});

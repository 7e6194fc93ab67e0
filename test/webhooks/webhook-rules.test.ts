// The URL and the headers that a webhook may have.

import { expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { openAddressRules } from '../../src/webhooks/addresses.ts';
import { requireWebhookHeaders, requireWebhookUrl } from '../../src/webhooks/webhook-rules.ts';

const rules = openAddressRules({ allowNetworks: ['10.0.0.0/8'], proxied: false });

function refusal(check: () => void): ApiError {
  try {
    check();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test.each([
  'https://example.com',
  'https://example.com/hook?token=a%20b&x=1',
  'https://example.com:8443/',
  'https://müller.example/ä',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://10.0.0.1/',
  'http://10.0.0.1:8080/',
  'http://hooks.internal/',
  `https://example.com/${'a'.repeat(2048 - 20)}`,
])('%s', (url) => {
  expect(() => requireWebhookUrl(url, rules)).not.toThrow();
});

test.each([
  [`https://example.com/${'a'.repeat(2048 - 19)}`, 'at most 2048'],
  ['', 'not a valid URL'],
  ['example.com/hook', 'not a valid URL'],
  ['/hook', 'not a valid URL'],
  ['https://', 'not a valid URL'],
  ['https://127.0.0.08/', 'not a valid URL'],
  ['https://256.1.1.1.1/', 'not a valid URL'],
  ['https://example..com/', 'not a valid URL'],
  ['https://127.0.0.1../', 'not a valid URL'],
  [`https://${'a.'.repeat(127)}com/`, 'not a valid URL'],
  ['https://exam\nple.com/', 'not a valid URL'],
  ['https://example.com/\t', 'not a valid URL'],
  [' https://example.com/', 'not a valid URL'],
  ['https://example.com/\0', 'not a valid URL'],
  ['https://example.com/\ud800', 'not a valid URL'],
  ['https://example.com/\u202e', 'not a valid URL'],
  ['ftp://example.com/', 'https'],
  ['file:///etc/passwd', 'https'],
  ['javascript:alert(1)', 'https'],
  ['https://user@example.com/', 'credentials'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://:secret@example.com/', 'credentials'],
  ['https://example.com@127.0.0.1/', 'credentials'],
  ['https://example.com/#part', 'fragment'],
  ['https://example.com/#', 'fragment'],
  ['https://127.0.0.1/', 'not sent to this address'],
  ['https:127.0.0.1', 'not sent to this address'],
  ['https://10.0.0.1.nip.io@[::1]/', 'credentials'],
  ['https:\\\\169.254.169.254\\latest', 'not sent to this address'],
  ['http://8.8.8.8/', 'not sent to this address'],
])('%s is refused', (url, message) => {
  const { code, param, message: told } = refusal(() => requireWebhookUrl(url, rules));
  expect([code, param]).toEqual(['validation_failed', 'url']);
  expect(told).toMatch(message);
});

test('http needs an allowed network', () => {
  const strict = openAddressRules({ allowNetworks: [], proxied: false });
  for (const url of ['http://example.com/', 'http://10.0.0.1/']) {
    expect(refusal(() => requireWebhookUrl(url, strict, 'webhook.url')).param).toBe('webhook.url');
  }
});

test.each<Readonly<Record<string, string>>>([
  {},
  { Authorization: 'Bearer abc', 'X-Tenant': 'a b\tc', Cookie: 'a=1', Accept: '*/*', a: '' },
  { "!#$%&'*+-.^_`|~09azAZ": 'x' },
  { 'x-long': 'a'.repeat(1018) },
])('headers %j', (headers) => {
  expect(() => requireWebhookHeaders(headers)).not.toThrow();
});

const RESERVED = [
  ...['Host', 'host', 'Connection', 'Keep-Alive', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade'],
  ...['Content-Type', 'content-length', 'CONTENT-ENCODING', 'content-anything', 'Webhook-Id'],
  ...['webhook-signature', 'webhook-timestamp', 'webhook-attempt', 'webhook-', 'User-Agent'],
  ...['Accept-Encoding', 'Expect', 'Proxy-Authorization', 'Proxy-Connection', 'HTTP2-Settings'],
];

test.each<[Readonly<Record<string, string>>, string]>([
  ...RESERVED.map((name): [Readonly<Record<string, string>>, string] => [
    { [name]: 'x' },
    'cannot be set',
  ]),
  [Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 'x'])), 'at most 5'],
  [{ 'x-long': 'a'.repeat(1019) }, 'at most 1024 bytes'],
  [{ 'x-a': '1', 'X-A': '2' }, 'repeated'],
  [{ '': 'x' }, 'valid name'],
  [{ 'x y': 'x' }, 'valid name'],
  [{ 'x:': 'x' }, 'valid name'],
  [{ ':path': 'x' }, 'valid name'],
  [{ 'x\r\nhost': 'x' }, 'valid name'],
  [{ ä: 'x' }, 'valid name'],
  [{ x: 'a\r\nHost: b' }, 'printable ASCII'],
  [{ x: 'a\nb' }, 'printable ASCII'],
  [{ x: 'a\0b' }, 'printable ASCII'],
  [{ x: 'ä' }, 'printable ASCII'],
  [{ x: ' a' }, 'printable ASCII'],
  [{ x: 'a\t' }, 'printable ASCII'],
])('headers %j are refused', (headers, message) => {
  const { code, param, message: told } = refusal(() => requireWebhookHeaders(headers));
  expect([code, param]).toEqual(['validation_failed', 'headers']);
  expect(told).toMatch(message);
});

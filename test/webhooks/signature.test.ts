// Signatures, verified by the library of Standard Webhooks that receivers use.

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { makeWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';

function headersFor(id: string, body: string, secrets: readonly string[], ago = 0) {
  const timestamp = Math.floor(Date.now() / 1000) - ago;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook({ id, timestamp, body }, secrets),
  };
}

describe('signatures', () => {
  test('of 200 bodies are verified, by each secret of a rotation', () => {
    for (let index = 0; index < 200; index += 1) {
      const secrets = [makeWebhookSecret(), makeWebhookSecret()];
      const body = JSON.stringify({ text: randomBytes(index).toString('latin1'), more: '🦆é\0' });
      const headers = headersFor(`evt_${index}`, body, secrets);
      for (const secret of secrets) {
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }
    }
  });

  test('are two during a rotation, and one otherwise', () => {
    const [one, other] = [makeWebhookSecret(), makeWebhookSecret()];
    const message = { id: 'evt_1', timestamp: 1_700_000_000, body: '{}' };
    const both = signWebhook(message, [one, other]);
    expect(both).toBe(`${signWebhook(message, [one])} ${signWebhook(message, [other])}`);
    expect(both).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  });

  test('are not verified with another secret, id, time or body', () => {
    const secret = makeWebhookSecret();
    const headers = headersFor('evt_1', '{"a":1}', [secret]);
    const verifier = new Webhook(secret);
    expect(() => new Webhook(makeWebhookSecret()).verify('{"a":1}', headers)).toThrow();
    expect(() => verifier.verify('{"a":2}', headers)).toThrow();
    expect(() => verifier.verify('{"a":1}', { ...headers, 'webhook-id': 'evt_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verifier.verify('{"a":1}', { ...headers, 'webhook-timestamp': later })).toThrow();
    expect(() => verifier.verify('{"a":1}', headersFor('evt_1', '{"a":1}', [secret], 301))).toThrow(
      'too old',
    );
  });

  test('have secrets of 32 bytes', () => {
    const secret = makeWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(makeWebhookSecret()).not.toBe(secret);
    const message = { id: 'evt_1', timestamp: 1, body: '' };
    for (const bad of ['', secret.slice(6), 'whsec_', `whsec_${'A'.repeat(22)}==`]) {
      expect(() => signWebhook(message, [bad])).toThrow('whsec_');
    }
  });
});

// Verifying webhooks: signatures of another implementation are right, and a request that differs in anything is refused.

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { isWebhookError, verifyWebhook } from '../../packages/client/src/verify-webhook.ts';

const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`;
const SECRET = secretOf(randomBytes(32));
const OTHER = secretOf(randomBytes(32));
const EVENT = { type: 'record.left', id: 'e1', object_type: 'deals', record_id: 'r1' };
const BODY = JSON.stringify({
  type: EVENT.type,
  timestamp: '2026-11-25T00:00:00.000Z',
  data: { ...EVENT, name: 'Ünïcode ✓' },
});

function signed({
  secret = SECRET,
  id = 'e1',
  body = BODY,
  secondsAgo = 0,
}: {
  readonly secret?: string;
  readonly id?: string;
  readonly body?: string;
  readonly secondsAgo?: number;
} = {}) {
  const at = new Date(Date.now() - secondsAgo * 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const refusalOf = async (...call: Parameters<typeof verifyWebhook>) => {
  const error = await verifyWebhook(...call).catch((thrown: unknown) => thrown);
  return isWebhookError(error) ? error.code : error;
};

test('signatures of the standard package are right, in every form of headers and body', async () => {
  const headers = signed();
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const lists = { ...headers, 'webhook-signature': [headers['webhook-signature']] };
  for (const form of [headers, new Headers(headers), upper, lists]) {
    for (const body of [BODY, new TextEncoder().encode(BODY), Buffer.from(BODY)]) {
      const message = await verifyWebhook(form, body, SECRET);
      expect(message).toEqual({ id: 'e1', ...JSON.parse(BODY) });
      if (message.type === 'record.left') expect(message.data.record_id).toBe('r1');
    }
  }
});

test('while a secret is rotated, either side may have both', async () => {
  const [first, second] = [signed(), signed({ secret: OTHER })];
  const both = `${first['webhook-signature']} ${second['webhook-signature']}`;
  const headers = { ...first, 'webhook-signature': `v1a,x ${both}` };
  expect((await verifyWebhook(headers, BODY, OTHER)).id).toBe('e1');
  expect((await verifyWebhook(headers, BODY, SECRET)).id).toBe('e1');
  expect((await verifyWebhook(second, BODY, [SECRET, OTHER])).id).toBe('e1');
});

test('a request that differs in anything is refused', async () => {
  const headers = signed();
  const signature = headers['webhook-signature'];
  const differing: readonly (readonly [object, string])[] = [
    [{}, BODY.replace('r1', 'r2')],
    [{}, ` ${BODY}`],
    [{ 'webhook-id': 'e2' }, BODY],
    [{ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }, BODY],
    [{ 'webhook-signature': signature.replace('v1,', 'v2,') }, BODY],
    [{ 'webhook-signature': signature.slice(0, -5) }, BODY],
    [{ 'webhook-signature': 'v1,' }, BODY],
    [{ 'webhook-signature': 'v1,%%% nonsense v1' }, BODY],
    [signed({ secret: OTHER }), BODY],
  ];
  for (const [changes, body] of differing) {
    const refused = await refusalOf({ ...headers, ...changes }, body, SECRET);
    expect(refused, JSON.stringify(changes)).toBe('signature_invalid');
  }
  expect(await refusalOf(headers, BODY, [])).toBe('signature_invalid');
});

test('times are right within five minutes', async () => {
  for (const secondsAgo of [0, 290, -290]) {
    expect(await refusalOf(signed({ secondsAgo }), BODY, SECRET)).toMatchObject({ id: 'e1' });
  }
  for (const secondsAgo of [310, -310, 1e9]) {
    expect(await refusalOf(signed({ secondsAgo }), BODY, SECRET)).toBe('timestamp_invalid');
  }
  for (const timestamp of ['1e9', '-1', '0x10', 'now']) {
    const headers = { ...signed(), 'webhook-timestamp': timestamp };
    expect(await refusalOf(headers, BODY, SECRET)).toBe('timestamp_invalid');
  }
});

test('a missing header, a body of something else and a secret that is none', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const headers = { ...signed(), [name]: undefined };
    expect(await refusalOf(headers, BODY, SECRET)).toBe('header_missing');
    expect(await refusalOf({ ...headers, [name]: '' }, BODY, SECRET)).toBe('header_missing');
  }
  expect(await refusalOf(new Headers(), BODY, SECRET)).toBe('header_missing');
  for (const body of ['', '{', 'null', '[]', '{"type":"ping"}']) {
    expect(await refusalOf(signed({ body }), body, SECRET)).toBe('body_invalid');
  }
  for (const secret of ['', 'whsec_', 'whsec_%', SECRET.slice(6)]) {
    expect(await refusalOf(signed(), BODY, secret)).toBeInstanceOf(TypeError);
  }
});

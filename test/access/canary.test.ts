// The canary itself: that a leak is seen by every client, and that no test speaks to a service past
// them.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient } from '../client.ts';
import { call, sendRaw } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';
import { CANARY, disownKey } from './canary.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

test('every client refuses data of another workspace', async () => {
  const { secret } = await world.key('ada', { workspace: 'globex' });
  const { port } = world;
  const raw = (key: string) =>
    sendRaw(port, `GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`, {
      wait: 200,
    });
  const path = '/v1/me';
  const own = await call(port, path, { key: secret });
  expect(own.text).toContain(CANARY);
  expect((await raw(secret)).text).toContain(CANARY);
  expect((await openClient({ port, secret }).get('/me')).status).toBe(200);
  // The same key, taken for one of another workspace.
  const [first, second, third] = await Promise.all(
    [0, 1, 2].map(async () => (await world.key('ada', { workspace: 'globex' })).secret),
  );
  for (const key of [first, second, third]) disownKey(String(key));
  await expect(call(port, path, { key: String(first) })).rejects.toThrow(CANARY);
  await expect(raw(String(second))).rejects.toThrow(CANARY);
  await expect(openClient({ port, secret: String(third) }).get('/me')).rejects.toThrow(CANARY);
});

test('the shadow has a record of every object, and all of its texts are canaries', async () => {
  const ada = await world.as('ada', { workspace: 'globex' });
  const objects = (await ada.get('/objects')).body.data;
  const types = objects.map(({ object_type }: { object_type: string }) => object_type);
  for (const type of types.filter((one: string) => one !== 'work_items')) {
    const [record] = (await ada.get(`/objects/${type}/records`)).body.data;
    const { fields } = (await ada.get(`/objects/${type}/records/${record.id}`)).body.data;
    if ('name' in fields) expect(fields.name).toContain(CANARY);
    const [comment] =
      (await ada.get(`/objects/${type}/records/${record.id}/comments`)).body.data ?? [];
    if (comment !== undefined) expect(comment.body).toContain(CANARY);
  }
});

/**
 * Files that may open connections: the clients, tests of processes that have one workspace only, those that check
 * only the status, or nothing, and the browser of an identity provider. The fetch of `client-world.ts` is a guarded
 * one.
 */
const CONNECTING = [
  ...[
    'client.ts',
    'event-client.ts',
    'http-client.ts',
    'faults/database-proxy.ts',
    'citus/tcp-proxy.ts',
  ],
  ...['faults/killed-service.ts', 'faults/change-order.test.ts', 'cli/start.nightly.test.ts'],
  'mcp/oauth-clients.nightly.test.ts',
  ...[
    'faults/pgbouncer.test.ts',
    'api/idempotency.test.ts',
    'api/job-waits.full.test.ts',
    'api/changes.full.test.ts',
  ],
  ...['http/peers.test.ts', 'http/unread.nightly.test.ts'],
  ...['identity-provider.ts', 'client/client-world.ts'],
  // Pages without a workspace, and a client whose service is of the test.
  ...['http/application.test.ts', 'client/signed-in-again.test.ts'],
  ...['faults/approval-crashes.nightly.test.ts', 'files/file-store.full.test.ts'],
  // Their answers are statuses, or are not read.
  ...['api/record-files.test.ts', 'http/uploads.nightly.test.ts', 'mcp/protocol.full.test.ts'],
  // Proxies, a provider and generated programs that answer for themselves, and answers that are only timed.
  ...['deploy/proxies.nightly.test.ts', 'deploy/proxy-programs.ts', 'api/glewlwyd.full.test.ts'],
  ...['client/generated-programs.ts', 'http/service-time.full.test.ts'],
];

test('no other test opens connections without looking for canaries', () => {
  const root = resolve(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const connecting = files.filter((file) => {
    if (!file.endsWith('.ts')) return false;
    const text = readFileSync(join(root, file), 'utf8');
    const connects = /\bfetch\(|http\.(?:request|get)\(|net\.connect\(|createConnection\(/;
    return connects.test(text) && !text.includes('expectNoCanary');
  });
  const unknown = connecting.filter((file) => !CONNECTING.includes(file));
  expect(unknown).toEqual([]);
});

// The client in a session: the state it reports while it waits, and how a call continues after its person has signed
// in again.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ClientOptions,
  createClient,
  isRecordsError,
  type Wait,
} from '../../packages/client/src/index.ts';
import { openWorld, type World } from '../world.ts';
import { type CuttingProxy, openCuttingProxy, refusal } from './cutting-proxy.ts';

let world: World;
let proxy: CuttingProxy;

beforeAll(async () => {
  world = await openWorld();
  proxy = await openCuttingProxy(world.port);
});
afterAll(async () => {
  await proxy?.close();
  await world?.close();
});

/** As a browser sends requests of a page of the service, with its cookie of now. */
function inBrowser(browser: { cookie: string }, options: Partial<ClientOptions> = {}) {
  const methods: string[] = [];
  const client = createClient({
    baseUrl: proxy.baseUrl,
    workspace: 'acme',
    fetch(url, init) {
      methods.push(init.method ?? '');
      const headers = new Headers(init.headers);
      headers.set('cookie', browser.cookie);
      headers.set('sec-fetch-site', 'same-origin');
      return fetch(url, { ...init, headers });
    },
    ...options,
  });
  return { client, methods };
}

const cookieOf = async (name: string) => (await world.inSession(name)).cookie;

test.each(['', 'wrs-1=gone'])(
  'a call continues after its person has signed in again (%j)',
  async (cookie) => {
    const browser = { cookie };
    const asked: string[] = [];
    const { client, methods } = inBrowser(browser, {
      async signInAgain({ code }) {
        asked.push(code);
        browser.cookie = await cookieOf('ada');
        return true;
      },
    });
    const name = `Kept ${cookie}`;
    const made = await client.records('deals').create({ name });
    expect(made.display).toBe(name);
    expect(asked).toEqual([cookie === '' ? 'missing_api_key' : 'invalid_credentials']);
    expect(methods).toEqual(['POST', 'POST']);
    expect(await world.rows('select id from deals where name = $1', [name])).toHaveLength(1);
  },
);

test('a call that needs a fresh sign-in is repeated after one', async () => {
  const { cookie, sessionId } = await world.inSession('ada');
  await world.database.rows(
    `update workspace_records.sessions set created_at = created_at - interval '31 minutes' where id = $1`,
    [sessionId],
  );
  const browser = { cookie };
  const { client } = inBrowser(browser, {
    async signInAgain({ code }) {
      expect(code).toBe('fresh_sign_in_required');
      browser.cookie = await cookieOf('ada');
      return true;
    },
  });
  const key = await client.keys.create({ name: 'After it', scopes: ['records:read'] });
  expect(key.name).toBe('After it');
});

test('it is repeated once, and a refusal stays one', async () => {
  let asked = 0;
  const { client, methods } = inBrowser(
    { cookie: '' },
    {
      async signInAgain() {
        asked += 1;
        return asked === 1;
      },
    },
  );
  await expect(client.records('deals').list()).rejects.toMatchObject({ status: 401 });
  expect([asked, methods.length]).toEqual([1, 2]);
  await expect(client.records('deals').list()).rejects.toMatchObject({ status: 401 });
  expect([asked, methods.length]).toEqual([2, 3]);
});

test('a wrong current password does not end a session', async () => {
  const { client } = inBrowser(
    { cookie: await cookieOf('rob') },
    { signInAgain: () => Promise.reject(new Error('asked')) },
  );
  await client.sessions.setPassword({ password: 'a sentence of some length' });
  const wrong = { password: 'another sentence of it', current_password: 'a wrong sentence' };
  const error = await client.sessions.setPassword(wrong).catch((failure: unknown) => failure);
  expect(isRecordsError(error, 'invalid_credentials')).toBe(true);
});

test('the client reports the reason of its wait', async () => {
  const waits: Wait[] = [];
  const { client } = inBrowser(
    { cookie: await cookieOf('ada') },
    { onWait: (wait) => waits.push(wait) },
  );
  proxy.spoil(refusal(503, 'service_unavailable', '1'));
  await client.records('deals').list();
  expect(waits).toHaveLength(1);
  expect(waits[0]?.milliseconds).toBeGreaterThanOrEqual(1000);
  expect(waits[0]?.error).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
});

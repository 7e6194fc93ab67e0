// Sign-ins at an identity provider that does not answer: they share one request, and none waits long.

import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLBACK } from '../../src/api/people/sign-in-method-routes.ts';
import { authenticationOf, limitedFetch } from '../../src/flow/people/oidc-requests.ts';
import { call } from '../http-client.ts';
import { CLIENT, startIdentityProvider, visit } from '../identity-provider.ts';
import { openWorld, type World } from '../world.ts';

interface Silent {
  readonly issuer: string;
  /** Requests that have come so far. */
  requests(): number;
  close(): void;
}

/** Accepts connections and never answers. */
async function startSilentProvider(): Promise<Silent> {
  const sockets: net.Socket[] = [];
  let requests = 0;
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    issuer: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    requests: () => requests,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

let silent: Silent;
let world: World;

beforeAll(async () => {
  silent = await startSilentProvider();
  world = await openWorld({
    ...{ OIDC_ISSUER: silent.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
  });
});
afterAll(async () => {
  await world?.close();
  silent?.close();
});

test('300 sign-ins send one request for each time limit', async () => {
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => call(world.port, '/v1/sign_in/start?workspace=acme')),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  const seconds = (performance.now() - began) / 1000;
  expect(seconds).toBeGreaterThan(4.5);
  expect(silent.requests()).toBeGreaterThan(0);
  expect(silent.requests()).toBeLessThanOrEqual(1 + seconds / 5);
  // The other ways to sign in are served.
  expect((await call(world.port, '/v1/sign_in_methods?workspace=acme')).status).toBe(200);
});

test('simultaneous requests to one provider are limited, and so is the wait for them', async () => {
  const send = limitedFetch();
  const before = silent.requests();
  const ended = new AbortController();
  const options = { signal: ended.signal, method: 'GET', headers: {}, redirect: 'manual' };
  const results = Array.from({ length: 100 }, () =>
    send(silent.issuer, options as never).catch((error: Error) => error.message),
  );
  await expect.poll(() => silent.requests() - before).toBe(10);
  ended.abort();
  const messages = await Promise.all(results);
  expect(messages.filter((text) => String(text).includes('busy'))).toHaveLength(50);
  expect(silent.requests() - before).toBe(10);
});

test('a provider that comes back is used at once', async () => {
  const provider = await startIdentityProvider();
  const other = await openWorld({
    ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id },
    OIDC_CLIENT_SECRET: CLIENT.secret,
  });
  try {
    const start = () => call(other.port, '/v1/sign_in/start?workspace=acme');
    expect((await start()).status).toBe(503);
    provider.open(`http://127.0.0.1:${other.port}${CALLBACK}`);
    const { status, headers } = await start();
    expect(status).toBe(303);
    expect(await visit(String(headers.location))).toContain(CALLBACK);
  } finally {
    await other.close();
    await provider.close();
  }
});

const BOTH = ['client_secret_basic', 'client_secret_post'];
const plain = { clientId: 'records-app.prod', clientSecret: 'a_b~c-d.e', authMethod: undefined };

async function sent(client: typeof plain | object, accepted?: readonly string[]) {
  const [body, headers] = [new URLSearchParams(), new Headers()];
  const all = { ...plain, ...client };
  const metadata = { client_id: all.clientId, client_secret: all.clientSecret };
  await authenticationOf(all, accepted)({ issuer: 'https://id.example' }, metadata, body, headers);
  const basic = headers.get('authorization');
  if (basic === null) return Object.fromEntries(body);
  return Buffer.from(basic.slice('Basic '.length), 'base64').toString();
}

test.each<[string, object, readonly string[] | undefined, unknown]>([
  ['ordinary credentials, as they are', {}, BOTH, 'records-app.prod:a_b~c-d.e'],
  ['Basic, when nothing is listed', {}, undefined, 'records-app.prod:a_b~c-d.e'],
  [
    'in the body, when only that is listed',
    {},
    ['client_secret_post'],
    { client_id: 'records-app.prod', client_secret: 'a_b~c-d.e' },
  ],
  [
    'in the body, when decoding would change a secret and both are listed',
    { clientSecret: 'a+b%20c' },
    BOTH,
    { client_id: 'records-app.prod', client_secret: 'a+b%20c' },
  ],
  [
    'in the body, when the id has a colon',
    { clientId: 'urn:app' },
    BOTH,
    { client_id: 'urn:app', client_secret: 'a_b~c-d.e' },
  ],
  [
    'escaped in Basic, when only that is listed',
    { clientId: 'urn:app', clientSecret: 'a+b%:ü' },
    ['client_secret_basic'],
    'urn%3Aapp:a%2Bb%25:%C3%BC',
  ],
  [
    'by the method of the setting',
    { authMethod: 'client_secret_post' },
    ['client_secret_basic'],
    { client_id: 'records-app.prod', client_secret: 'a_b~c-d.e' },
  ],
  [
    'by the method of the setting, Basic',
    { authMethod: 'client_secret_basic', clientSecret: 'a+b' },
    BOTH,
    'records-app.prod:a%2Bb',
  ],
])('the service authenticates with %s', async (_, client, accepted, expected) => {
  expect(await sent(client, accepted)).toEqual(expected);
});

// Several sign-ins at identity providers in one browser: each ends on its own and leads to its own page, and one that
// has ended already, or never will, leads a signed-in person to the application.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALLBACK } from '../../src/api/people/sign-in-method-routes.ts';
import {
  endedCookies,
  readSignInCookie,
  signInCookies,
} from '../../src/http/request/session-cookies.ts';
import { LIMITS } from '../../src/limits.ts';
import { guardKey } from '../access/canary.ts';
import { BAD_PATHS, GOOD_PATHS } from '../application-paths.ts';
import { type Answer, call } from '../http-client.ts';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
  visit,
} from '../identity-provider.ts';
import { ACME_CANARY, CANARY, openWorld, type World } from '../world.ts';

let world: World;
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider();
  world = await openWorld({
    ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id },
    ...{ OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_DOWN_ISSUER: 'http://127.0.0.1:1' },
    ...{ OIDC_DOWN_CLIENT_ID: 'x', OIDC_DOWN_CLIENT_SECRET: 'x' },
  });
  provider.open(`http://127.0.0.1:${world.port}${CALLBACK}`);
  guardKey('acme', ACME_CANARY);
  guardKey('globex', CANARY);
});
afterAll(async () => {
  await world?.close();
  await provider?.close();
});
beforeEach(async () => {
  await world.database.rows('delete from workspace_records.sign_in_attempts');
  provider.signIn({ sub: 'ada', email: 'ada@acme.example', email_verified: true });
});

interface Browser {
  readonly cookies: Map<string, string>;
  /** Where it is led from a path of the service. */
  go(path: string): Promise<string>;
  /** As far as to the provider. */
  start(query?: string): Promise<string>;
  signOut(): Promise<void>;
  /** The person who is signed in. */
  person(workspace?: string): Promise<string | undefined>;
}

/** Keeps cookies in the order in which it was given them, as browsers send them. */
function openBrowser(): Browser {
  const cookies = new Map<string, string>();
  const ask = async (path: string, workspace = 'acme', method = 'GET'): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { cookie, 'x-workspace': workspace, 'sec-fetch-site': 'same-origin' };
    const headers = { accept: 'text/html', ...own };
    const answer = await call(world.port, path, { method, headers, owner: workspace });
    keep(answer);
    return answer;
  };
  const keep = ({ headers }: Answer) => {
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = '', age] = /^([^=]+)=([^;]*); Max-Age=(\d+)/.exec(line) ?? [];
      if (age === '0') cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const go = async (path: string) => {
    const { status, headers } = await ask(path);
    expect(status).toBe(303);
    return String(headers.location);
  };
  return {
    cookies,
    go,
    start: (query = '') => go(`/v1/sign_in/start?workspace=acme${query}`),
    async signOut() {
      expect((await ask('/v1/sessions/current', 'acme', 'DELETE')).status).toBe(200);
    },
    async person(workspace = 'acme') {
      const { json } = await ask('/v1/me', workspace);
      return json.data?.user.email;
    },
  };
}

/** From the provider back to the path of the service. */
async function back(url: string): Promise<string> {
  const { pathname, search } = new URL(await visit(url));
  return pathname + search;
}

/** Back with a refusal of the provider in place of a code. */
function refusedBy(url: string, error = 'access_denied'): string {
  const state = new URL(url).searchParams.get('state') ?? '';
  return `${CALLBACK}?${new URLSearchParams({ error, state, iss: provider.issuer })}`;
}

const failures = async () =>
  (
    await world.rows(
      `select count(*)::integer as count from _audit where action = 'sign_in_failed'`,
    )
  )
    .map(({ count }) => count)
    .at(0);

describe('several at once', () => {
  test('each comes to its end, in any order', async () => {
    const browser = openBrowser();
    const [first, second] = [await browser.start(), await browser.start('&to=/acme/o/deals')];
    expect(await browser.go(await back(second))).toBe('/app/acme/o/deals');
    expect(await browser.person()).toBe('ada@acme.example');
    expect(await browser.go(await back(first))).toBe('/app/acme');
    expect(await browser.person()).toBe('ada@acme.example');
  });

  test('of several people: the last one to come back is signed in', async () => {
    const browser = openBrowser();
    const [first, second] = [await browser.start(), await browser.start()];
    await browser.go(await back(first));
    provider.signIn({ sub: 'bea', email: 'bea@acme.example', email_verified: true });
    await browser.go(await back(second));
    expect(await browser.person()).toBe('bea@acme.example');
  });

  test('of several workspaces: each leads to its own', async () => {
    const browser = openBrowser();
    const acme = await browser.start();
    const globex = await browser.go('/v1/sign_in/start?workspace=globex&to=/globex/search');
    expect(await browser.go(await back(acme))).toBe('/app/acme');
    provider.signIn({ sub: 'gil', email: 'gil@globex.example', email_verified: true });
    expect(await browser.go(await back(globex))).toBe('/app/globex/search');
    expect(await browser.person('globex')).toBe('gil@globex.example');
    expect(await browser.person()).toBe('ada@acme.example');
  });

  test('as many as there may be: beyond them the oldest ends', async () => {
    const browser = openBrowser();
    const urls: string[] = [];
    for (let count = 0; count < LIMITS.signInsUnderWay; count += 1) {
      urls.push(await browser.start());
    }
    expect(browser.cookies.size).toBe(LIMITS.signInsUnderWay);
    const last = await browser.start();
    expect(browser.cookies.size).toBe(LIMITS.signInsUnderWay);
    const [oldest = '', next = ''] = urls;
    expect(await browser.go(await back(oldest))).toBe('/app/acme/sign-in?refused=unknown');
    expect(await browser.go(await back(next))).toBe('/app/acme');
    expect(await browser.go(await back(last))).toBe('/app/acme');
  });

  test('all of them are short enough to be sent with every request', async () => {
    const browser = openBrowser();
    const to = GOOD_PATHS.at(-1) ?? '';
    expect(to).toHaveLength(LIMITS.applicationPathLength);
    for (let count = 0; count < LIMITS.signInsUnderWay; count += 1) {
      await browser.start(`&to=${encodeURIComponent(to)}`);
    }
    expect([...browser.cookies].join('; ').length).toBeLessThan(8192);
    expect(await browser.person()).toBeUndefined();
  });
});

test('over https only cookies of this host count, and each scheme has its own', () => {
  const hostname = 'x.example';
  const origin = `https://${hostname}`;
  const site = { origin, hostname, address: '', agent: '', cookies: 'secure' } as const;
  const id = 'a'.repeat(16);
  const [header = ''] = signInCookies(site, undefined, { id, value: 'v' });
  const name = `__Host-wrs-sign-in-${id}`;
  expect(header).toBe(`${name}=v; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure`);
  const plain = `wrs-sign-in-${id}=forged`;
  expect(readSignInCookie(plain, site, id)).toBeUndefined();
  expect(readSignInCookie(`${plain}; ${name}=v`, site, id)).toBe('v');
  expect(readSignInCookie(`${name}=v; ${name}=w`, site, id)).toBeUndefined();
  expect(endedCookies(site, `${plain}; ${name}=v`, 1).map((one) => one.split(';')[0])).toEqual([
    '__Host-wrs-1=',
    `${name}=`,
  ]);
});

describe('the way back, requested again', () => {
  test('leads to the same place without a request to the provider or an error', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start('&to=/acme/search'));
    const before = await failures();
    expect(await browser.go(path)).toBe('/app/acme/search');
    const session = browser.cookies.get('wrs-1');
    expect(await browser.go(path)).toBe('/app/acme/search');
    expect(browser.cookies.get('wrs-1')).toBe(session);
    expect(await failures()).toBe(before);
  });

  test('after signing out leads to the page to sign in: the browser keeps no state', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start('&to=/acme/search'));
    await browser.go(path);
    await browser.signOut();
    expect(browser.cookies.size).toBe(0);
    expect(await browser.go(path)).toBe('/app/acme/sign-in?refused=unknown');
  });

  test('without its cookie leads a signed-in person to their workspace', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start('&to=/acme/search'));
    await browser.go(path);
    for (const name of browser.cookies.keys()) {
      if (name.startsWith('wrs-sign-in')) browser.cookies.delete(name);
    }
    expect(await browser.go(path)).toBe('/app/acme');
    browser.cookies.clear();
    expect(await browser.go(path)).toBe('/app/acme/sign-in?refused=unknown');
  });

  test('a session of another workspace, or one that has ended, is none', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start());
    await browser.go(path);
    const session = browser.cookies.get('wrs-1') ?? '';
    browser.cookies.clear();
    browser.cookies.set('wrs-1', session);
    const other = path.replace('state=acme.', 'state=globex.');
    expect(await browser.go(other)).toBe('/app/globex/sign-in?refused=unknown');
    await world.database.rows('update workspace_records.sessions set ended_at = now()');
    expect(await browser.go(path)).toBe('/app/acme/sign-in?refused=unknown');
  });

  test('after ten minutes it is over, whatever the browser has kept', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start());
    for (const [name, value] of browser.cookies) {
      const values = JSON.parse(Buffer.from(value, 'base64url').toString());
      values[3] -= LIMITS.signInSeconds * 1000 + 1;
      browser.cookies.set(name, Buffer.from(JSON.stringify(values)).toString('base64url'));
    }
    expect(await browser.go(path)).toBe('/app/acme/sign-in?refused=unknown');
  });

  test('a cookie of another form is ignored', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start());
    const [name = ''] = browser.cookies.keys();
    const printed = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const value of ['', 'x', printed(null), printed({}), printed(['x']), printed([1, 2])]) {
      browser.cookies.set(name, value);
      expect(await browser.go(path)).toBe('/app/acme/sign-in?refused=unknown');
    }
  });
});

describe('a sign-in that the provider refuses', () => {
  test('leads a browser that has signed in meanwhile to the application', async () => {
    const browser = openBrowser();
    const [mine, other] = [await browser.start(), await browser.start('&to=/acme/o/deals')];
    await browser.go(await back(mine));
    // Keycloak's answer to the second tab when the first one has signed in.
    const path = refusedBy(other, 'temporarily_unavailable');
    expect(await browser.go(path)).toBe('/app/acme/o/deals');
  });

  test('is reported to a person who was signed in before, with the page they requested', async () => {
    const browser = openBrowser();
    await browser.go(await back(await browser.start()));
    const other = await browser.start('&to=/acme/o/deals');
    const page = '/app/acme/sign-in?refused=provider_refused&to=%2Facme%2Fo%2Fdeals';
    expect(await browser.go(refusedBy(other))).toBe(page);
    const down = '/app/acme/sign-in?refused=service_unavailable&to=%2Facme%2Fo%2Fdeals';
    expect(await browser.start('&provider=down&to=/acme/o/deals')).toBe(down);
  });
});

describe('where it leads', () => {
  test.each(GOOD_PATHS)('%.60s', async (to) => {
    const browser = openBrowser();
    const url = await browser.start(`&to=${encodeURIComponent(to)}`);
    expect(url).not.toContain('to=');
    expect(await browser.go(await back(url))).toBe(`/app${to}`);
  });

  test('to no path outside the workspace, neither requested nor stored', async () => {
    const browser = openBrowser();
    const path = await back(await browser.start());
    const [[name = '', value = ''] = []] = browser.cookies;
    const kept = JSON.parse(Buffer.from(value, 'base64url').toString());
    for (const to of BAD_PATHS) {
      const query = `workspace=acme&to=${encodeURIComponent(to)}`;
      const { status, json } = await call(world.port, `/v1/sign_in/start?${query}`);
      expect([to, status, json.error.code, json.error.param]).toEqual([
        to,
        400,
        'validation_failed',
        'to',
      ]);
      const forged = Buffer.from(JSON.stringify([...kept, to])).toString('base64url');
      browser.cookies.set(name, forged);
      expect(await browser.go(refusedBy(`http://x?${path.split('?')[1]}`))).toBe(
        '/app/acme/sign-in?refused=provider_refused',
      );
      await world.database.rows('delete from workspace_records.sign_in_attempts');
    }
  });

  test('a workspace of any letters is kept as it is, and does not get into the cookie', async () => {
    for (const workspace of ['x; Path=/x', 'x\r\nSet-Cookie: y=z', 'é', '€ ,"\\']) {
      const path = `/v1/sign_in/start?workspace=${encodeURIComponent(workspace)}`;
      const { status, headers } = await call(world.port, path);
      expect([workspace, status, headers['set-cookie']?.length]).toEqual([workspace, 303, 1]);
      expect(headers['set-cookie']?.[0]).toMatch(/^wrs-sign-in-[\w-]{16}=[\w-]+; Max-Age=600; /);
    }
  });
});

// A program of others and a passkey through each proxy of deploy/, with its file as it is shipped: resource, issuer and RP
// ID are those of the address that the browser and the program use.

import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../faults/program.ts';
import { openAuthenticator } from '../authenticator.ts';
import { openProvider } from '../mcp/oauth-provider.ts';
import { type OauthWorld, openOauthWorld } from '../oauth-world.ts';
import { until } from '../until.ts';
import { HOST, makeCertificate, PROXIES, type ProxyName, startProxy } from './proxy-programs.ts';

let world: OauthWorld;
let folder: string;

beforeAll(async () => {
  world = await openOauthWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.close();
});

const AGE = `update workspace_records.oauth_tokens set issued_at = issued_at - make_interval(secs => $1),
  replaced_at = replaced_at - make_interval(secs => $1)`;

/** `fetch` of a program on another machine, which knows the proxy by its name. */
function fetchThrough(port: number, ca: Buffer): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search, host } = new URL(String(input));
    const request = https.request({
      ...{ host: '127.0.0.1', port, servername: HOST, ca, agent: false },
      ...{ path: pathname + search, method: init.method ?? 'GET' },
      headers: { host, ...Object.fromEntries(new Headers(init.headers)) },
    });
    request.end(init.body === undefined || init.body === null ? undefined : String(init.body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers } = response;
    const body = status === 204 ? null : (Readable.toWeb(response) as ReadableStream);
    return new Response(body, { status, headers: headers as Record<string, string> });
  };
}

test.each(Object.keys(PROXIES) as ProxyName[])(
  '%s: from the address to a tool call, and a passkey of the host',
  async (name) => {
    const own = join(folder, name);
    mkdirSync(own);
    const [tlsPort, plainPort] = [await freePort(), await freePort()];
    const certificate = makeCertificate(own);
    chmodSync(join(own, 'key.pem'), 0o644);
    const upstreams = [world.port, world.port] as const;
    const proxy = await startProxy(name, { folder: own, tlsPort, plainPort, upstreams });
    try {
      const through = fetchThrough(tlsPort, certificate);
      const origin = `https://${HOST}:${tlsPort}`;
      await until(async () => (await through(`${origin}/readyz`)).status === 200);
      const { cookie } = await world.inSession('rob');
      const headers = { cookie: `__Host-${cookie}`, origin, 'content-type': 'application/json' };
      const post = async (path: string, body: object) => {
        const sent = { method: 'POST', headers, body: JSON.stringify(body) };
        const answer = await through(`${origin}/v1${path}`, sent);
        // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
        const { data, error } = (await answer.json()) as any;
        if (error !== undefined) throw new Error(JSON.stringify(error));
        return data;
      };

      const { provider, kept } = openProvider('http://127.0.0.1/callback');
      const open = () => {
        const options = { authProvider: provider, fetch: through };
        return new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), options);
      };
      const first = open();
      await expect(new Client({ name: 'a', version: '1' }).connect(first)).rejects.toThrow();
      const { search, searchParams } = kept.url as URL;
      expect([kept.url?.origin, searchParams.get('resource')]).toEqual([origin, `${origin}/mcp`]);
      const query = search.slice(1);
      const { digest } = await post('/oauth/authorizations', { query });
      const { url } = await post('/oauth/grants', { query, digest });
      expect(new URL(url).searchParams.get('iss')).toBe(origin);
      await first.finishAuth(new URL(url).searchParams);
      const client = new Client({ name: 'a', version: '1' });
      await client.connect(open());
      const describe = () => client.callTool({ name: 'describe', arguments: {} });
      expect(JSON.stringify(await describe())).toContain('Rob');
      // After an hour each call refreshes, and the refresh token that is stored last is good a minute later.
      for (const seconds of [3600, 60]) {
        const { access_token } = kept.tokens as { readonly access_token: string };
        await world.database.rows(AGE, [seconds]);
        await world.database.rows(
          `delete from workspace_records.oauth_tokens where kind = 'access'`,
        );
        await world.database.rows('update workspace_records.api_keys set expires_at = expires_at');
        const me = { headers: { authorization: `Bearer ${access_token}` } };
        await until(async () => (await through(`${origin}/v1/me`, me)).status === 401);
        const answers = await Promise.all(Array.from({ length: 5 }, describe));
        expect(JSON.stringify(answers).match(/Rob/g)?.length).toBeGreaterThanOrEqual(5);
      }
      await client.close();

      const device = openAuthenticator(HOST);
      const { challenge, rp } = await post('/me/passkeys/options', {});
      const credential = device.create(challenge, { origin });
      const { passkey } = await post('/me/passkeys', { challenge, name: 'Phone', credential });
      expect([rp.id, passkey.host]).toEqual([HOST, HOST]);
    } finally {
      await proxy.stop();
    }
  },
);

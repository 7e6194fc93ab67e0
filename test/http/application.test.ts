// The delivery of the application: its page with a policy and a nonce of its own for each request, its assets for
// ever, no other file of the folder, and none of it where it is switched off.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServerFixture, type ServerFixture, type Started } from '../server-fixture.ts';

const SCRIPT = `console.log('${'x'.repeat(2000)}');`;
const INDEX =
  '<meta property="csp-nonce" nonce="__NONCE__"><script nonce="__NONCE__" src="/app/assets/index-abc.js"></script>';

/** Milliseconds until the counts of earlier requests are written. */
const LATEST_COUNTS = 600;

let folder: string;
let fixture: ServerFixture;
let server: Started;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'application-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, '.built'), '');
  writeFileSync(join(folder, 'secret.txt'), 'not to be told');
  const script = join(folder, 'assets', 'index-abc.js');
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets', 'index-abc.css'), 'a{}');
  writeFileSync(join(folder, 'assets', 'letters-abc.woff2'), 'wOF2');
  writeFileSync(join(folder, 'assets', 'notes.txt'), 'not to be told');
  fixture = await openServerFixture();
  server = await fixture.start({ applicationFolder: folder });
});
afterAll(async () => {
  await fixture?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Asked {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly port?: number;
}

/** Paths as they are, which `fetch` would tidy. */
function ask(path: string, { port = server.port, ...options }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, ...options }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(parts) });
      });
    });
    request.on('error', reject).end();
  });
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('/', () => {
  test('leads browsers to the application', async () => {
    const { status, headers } = await ask('/', { headers: HTML });
    expect(status).toBe(302);
    expect(headers).toMatchObject({
      location: '/app',
      vary: 'Accept',
      'cache-control': 'no-store',
    });
  });

  test('gives programs the same answer as before', async () => {
    const off = await fixture.start({ applicationFolder: folder, config: { application: false } });
    const key = await fixture.key('ann');
    for (const headers of [{}, { accept: '*/*' }, { authorization: `Bearer ${key}` }]) {
      const [now, before] = [
        await ask('/', { headers }),
        await ask('/', { headers, port: off.port }),
      ];
      expect(now.status).toBe(before.status);
      expect(codeOf(now)).toBe(codeOf(before));
      expect(Object.keys(now.headers)).toEqual(Object.keys(before.headers));
    }
  });
});

const codeOf = ({ body }: Answer) => JSON.parse(body.toString()).error.code;

describe('the page', () => {
  const PATHS = [
    '/app',
    '/app/',
    '/app/acme',
    '/app/acme/o/deals?q=x',
    '/app/acme/settings/keys',
    '/app/assets',
  ];

  test.each(PATHS)('is at %s', async (path) => {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(200);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
    expect(nonce.length).toBeGreaterThanOrEqual(22);
    expect(body.toString()).toBe(INDEX.replaceAll('__NONCE__', nonce));
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('etag');
  });

  test('has another nonce each time, and a policy that blocks all else', async () => {
    const policies = await Promise.all([ask('/app'), ask('/app')]);
    const [one = '', other = ''] = policies.map(({ headers }) =>
      String(headers['content-security-policy']),
    );
    expect(one).not.toBe(other);
    expect(one.replace(/'nonce-[^']+'/, "'nonce-…'").split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "style-src 'self' 'nonce-…'",
      "style-src-attr 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });

  test('HEAD has the headers without the page', async () => {
    const { status, headers, body } = await ask('/app/acme', { method: 'HEAD' });
    expect([status, body.length]).toEqual([200, 0]);
    expect(Number(headers['content-length'])).toBeGreaterThan(INDEX.length);
  });

  test.each(['/app/Acme', '/app/a_b', '/app/%61cme', '/app/-x', '/app/acme%2f..'])(
    'is not at %s, which is not a workspace',
    async (path) => {
      const answer = await ask(path);
      expect([answer.status, codeOf(answer)]).toEqual([404, 'route_not_found']);
    },
  );

  test('other methods and neighbours are unchanged', async () => {
    expect((await ask('/app/acme', { method: 'POST' })).status).toBe(401);
    expect((await ask('/application')).status).toBe(401);
  });

  test('needs no statement', async () => {
    await sleep(LATEST_COUNTS);
    const before = fixture.own.stats.statements;
    await ask('/app/acme', { headers: { cookie: 'wrs-1=x' } });
    await ask('/app/assets/index-abc.js', { headers: { cookie: 'wrs-1=x' } });
    await ask('/app/assets/gone.js', { headers: { cookie: 'wrs-1=x' } });
    expect(fixture.own.stats.statements).toBe(before);
  });
});

describe('assets', () => {
  const FOREVER = 'public, max-age=31536000, immutable';

  test('stay in caches for a year, and are known by their tag', async () => {
    const first = await ask('/app/assets/index-abc.js');
    expect(first.status).toBe(200);
    expect(first.body.toString()).toBe(SCRIPT);
    expect(first.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': FOREVER,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      vary: 'Accept-Encoding',
    });
    const again = await ask('/app/assets/index-abc.js', {
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const style = await ask('/app/assets/index-abc.css');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    const font = await ask('/app/assets/letters-abc.woff2');
    expect(font.headers).toMatchObject({ 'content-type': 'font/woff2', 'cache-control': FOREVER });
  });

  test.each([
    ['br, gzip', 'br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip', gzipSync(SCRIPT)],
  ])('with Accept-Encoding: %s they come as %s', async (accepted, coding, bytes) => {
    const { headers, body } = await ask('/app/assets/index-abc.js', {
      headers: { 'accept-encoding': accepted },
    });
    expect(headers['content-encoding']).toBe(coding);
    expect(body.equals(bytes)).toBe(true);
    expect(headers['content-length']).toBe(String(bytes.length));
  });

  test('HEAD has the length without the bytes', async () => {
    const { status, headers, body } = await ask('/app/assets/index-abc.js', { method: 'HEAD' });
    expect([status, headers['content-length'], body.length]).toEqual([
      200,
      String(SCRIPT.length),
      0,
    ]);
  });

  test.each([
    '/app/assets/gone.js',
    '/app/assets/notes.txt',
    '/app/assets/index-abc.js.br',
    '/app/assets/../index.html',
    '/app/assets/..%2fsecret.txt',
    '/app/assets/%2e%2e/secret.txt',
    '/app/assets/../../package.json',
    '/app/assets/.built',
    '/app/assets//etc/passwd.x',
  ])('%s is not found', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body.toString()).not.toContain('not to be told');
  });
});

describe('where it is served', () => {
  test('on the host of a workspace it is that of this workspace only', async () => {
    const { port } = await fixture.start({
      applicationFolder: folder,
      config: { baseDomain: 'crm.example' },
    });
    const on = (host: string, path: string) => ask(path, { port, headers: { ...HTML, host } });
    expect((await on('acme.crm.example', '/')).headers.location).toBe('/app/acme');
    expect((await on('acme.crm.example', '/app')).headers.location).toBe('/app/acme');
    expect((await on('acme.crm.example', '/app/acme/o/deals')).status).toBe(200);
    expect((await on('acme.crm.example', '/app/globex')).status).toBe(404);
    expect((await on('crm.example', '/')).headers.location).toBe('/app');
    expect((await on('crm.example', '/app/globex')).status).toBe(200);
    expect((await on('other.example', '/app/globex')).status).toBe(404);
    expect((await on('acme.crm.example', '/app/assets/index-abc.js')).status).toBe(200);
  });

  test('with APPLICATION=off there is the interface only', async () => {
    const { port } = await fixture.start({
      applicationFolder: folder,
      config: { application: false },
    });
    for (const path of ['/', '/app', '/app/acme', '/app/assets/index-abc.js']) {
      const answer = await ask(path, { port, headers: HTML });
      expect([answer.status, codeOf(answer)], path).toEqual([401, 'missing_api_key']);
    }
    const key = await fixture.key('ann');
    const answer = await ask('/app', { port, headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'route_not_found']);
  });
});

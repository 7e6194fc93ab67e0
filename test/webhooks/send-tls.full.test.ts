// TLS of webhooks with an authority of the test: NODE_EXTRA_CA_CERTS makes it trusted, and nothing makes certificates
// unchecked.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type Receiver } from './receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
const path = (name: string) => join(folder, name);
let receiver: Receiver;
let expired: Receiver;

beforeAll(async () => {
  makeAuthority();
  receiver = await listenWith(makeCertificate('good', '1'));
  expired = await listenWith(makeCertificate('old', '-1'));
});
afterAll(async () => {
  await Promise.all([receiver.close(), expired.close()]);
  rmSync(folder, { recursive: true });
});

function openssl(...args: readonly string[]) {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
}

function makeAuthority() {
  const name = ['-subj', '/CN=Authority of a test', '-days', '2'];
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    ...name,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
}

/** A certificate for hooks.test, of the authority. */
function makeCertificate(name: string, days: string) {
  writeFileSync(path('names'), 'subjectAltName=DNS:hooks.test\n');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    ...key,
    '-subj',
    '/CN=hooks.test',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  );
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...authority, '-days', days, '-out', `${name}.pem`);
  return { key: readFileSync(path(`${name}.key`)), cert: readFileSync(path(`${name}.pem`)) };
}

function listenWith(certificate: { readonly key: Buffer; readonly cert: Buffer }) {
  return listen(createServer(certificate, (_, response) => response.end('ok')));
}

async function sent(url: string, environment: Readonly<Record<string, string>>, proxy?: string) {
  const child = join(import.meta.dirname, 'send-child.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', child, url, ...(proxy === undefined ? [] : [proxy])],
    { env: { ...process.env, ...environment } },
  );
  return JSON.parse(stdout);
}

const TRUSTED = { NODE_EXTRA_CA_CERTS: path('ca.pem') };
const UNCHECKED = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };

test('an authority in NODE_EXTRA_CA_CERTS is trusted', async () => {
  const result = await sent(`https://hooks.test:${receiver.port}/`, TRUSTED);
  expect(result).toMatchObject({ kind: 'answered', status: 200, answer: 'ok' });
});

test.each([{}, UNCHECKED])('an unknown authority is refused, with %j', async (environment) => {
  const result = await sent(`https://hooks.test:${receiver.port}/`, environment);
  expect(result).toMatchObject({ kind: 'failed', reason: 'tls' });
});

test('a certificate of another name is refused', async () => {
  const result = await sent(`https://other.test:${receiver.port}/`, TRUSTED);
  expect(result).toMatchObject({ kind: 'failed', reason: 'tls' });
  expect(result.message).toMatch('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('a certificate that has expired is refused', async () => {
  const result = await sent(`https://hooks.test:${expired.port}/`, { ...TRUSTED, ...UNCHECKED });
  expect(result).toMatchObject({ kind: 'failed', reason: 'tls' });
  expect(result.message).toMatch('CERT_HAS_EXPIRED');
});

test('certificates are checked through a proxy as well', async () => {
  const proxying = createHttpServer();
  proxying.on('connect', (_, socket) => {
    const target = connect(receiver.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => undefined);
    socket.on('error', () => undefined).on('close', () => target.destroy());
  });
  const proxy = await listen(proxying);
  const through = `http://127.0.0.1:${proxy.port}`;
  try {
    expect(await sent('https://hooks.test/', TRUSTED, through)).toMatchObject({ status: 200 });
    for (const [url, environment] of [
      ['https://other.test/', TRUSTED],
      ['https://hooks.test/', UNCHECKED],
    ] as const) {
      expect(await sent(url, environment, through)).toMatchObject({ reason: 'tls' });
    }
  } finally {
    await proxy.close();
  }
});

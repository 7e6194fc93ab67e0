// TLS and sign-in at a mail server, with a certificate of the test.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openMailSender } from '../../src/mail/mail-sender.ts';
import { type MailServerOptions, openMailServer } from './mail-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'mail-tls-'));
let key: string;
let cert: string;
beforeAll(() => {
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const out = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')];
  const args = ['req', '-x509', ...made, '-subj', '/CN=localhost', '-addext', names, ...out];
  execFileSync('openssl', args, { stdio: 'pipe' });
  key = readFileSync(join(folder, 'key'), 'utf8');
  cert = readFileSync(join(folder, 'cert'), 'utf8');
});
afterAll(() => rmSync(folder, { recursive: true }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const PASSWORD = 'secret canary';

async function sent(
  options: MailServerOptions,
  settings: Partial<Parameters<typeof openMailSender>[0]>,
) {
  const secured: boolean[] = [];
  const server = await openMailServer({
    ...options,
    onMailFrom(_, session, callback) {
      secured.push(session.secure);
      callback(null);
    },
    onAuth({ username, password }, _, callback) {
      const isRight = username === 'user' && password === PASSWORD;
      callback(isRight ? null : new Error('wrong'), isRight ? { user: 'user' } : undefined);
    },
  });
  closing.push(server.close);
  const from = { name: '', address: 'records@example.com' };
  const sender = openMailSender({
    ...{ host: '127.0.0.1', port: server.port, tls: 'offered', credentials: undefined, from },
    ...{ timeLimit: 10_000, ...settings },
  });
  const result = await sender.send(
    {
      ...{ id: '1', to: { name: '', address: 'mia@acme.example' }, subject: 'S', text: 'T' },
      ...{ html: '<p>T</p>', unsubscribe: undefined },
    },
    new AbortController().signal,
  );
  return { result, secured, mails: server.mails };
}

test('TLS from the first byte', async () => {
  const { result, secured } = await sent({ key, cert, secure: true }, { tls: 'always', ca: cert });
  expect([result, secured]).toEqual([{ kind: 'sent' }, [true]]);
});

test('STARTTLS where the server has it, and where it is required', async () => {
  for (const tls of ['offered', 'required'] as const) {
    const { result, secured } = await sent({ key, cert }, { tls, ca: cert });
    expect([result, secured]).toEqual([{ kind: 'sent' }, [true]]);
  }
});

test('a server without STARTTLS gets no mail where it is required', async () => {
  const { result, mails } = await sent({}, { tls: 'required', ca: cert });
  expect(result).toMatchObject({ kind: 'failed', isServer: true });
  expect(mails).toEqual([]);
});

test('a certificate that nobody vouches for gets no mail', async () => {
  for (const tls of ['always', 'required', 'offered'] as const) {
    const { result, mails } = await sent({ key, cert, secure: tls === 'always' }, { tls });
    expect(result).toMatchObject({ kind: 'failed', isServer: true });
    expect(mails).toEqual([]);
  }
});

test('the right password is let in, another one is not, and no result has it', async () => {
  const options = { key, cert, authOptional: false };
  const signIn = (password: string) =>
    sent(options, { tls: 'required', ca: cert, credentials: { user: 'user', password } });
  expect((await signIn(PASSWORD)).result).toEqual({ kind: 'sent' });
  const { result } = await signIn('wrong canary');
  expect(result).toMatchObject({ kind: 'failed', isServer: true });
  expect(JSON.stringify(result)).not.toContain('canary');
});

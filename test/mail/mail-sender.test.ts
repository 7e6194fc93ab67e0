// Handing mails to a server: what arrives, and what refusals, slow servers and servers that die become.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Mail } from '../../src/mail/mail-sender.ts';
import { openMailServer, refusal } from './mail-server.ts';
import { senderTo } from './mailer.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const never = new AbortController().signal;
const MAIL: Mail = {
  id: '0190a000-0000-7000-8000-000000000001',
  to: { name: 'Mia Müller', address: 'mia@acme.example' },
  subject: 'Größe: 3 notifications',
  text: 'Wörter\n.\nMore\n',
  html: '<p>Wörter</p>',
  unsubscribe: 'https://acme.example.com/v1/mail/unsubscribe?token=t',
};

async function server(options: Parameters<typeof openMailServer>[0] = {}) {
  const opened = await openMailServer(options);
  closing.push(opened.close);
  return opened;
}

/** A server of one's own making; the sockets end with the test. */
async function rawServer(serve: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const raw = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(raw, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    raw.close();
  });
  return (raw.address() as AddressInfo).port;
}

test.each([
  ['müller@acme.example', false, { kind: 'sent' }],
  ['müller@acme.example', true, { kind: 'refused', reason: 'EENVELOPE no SMTPUTF8' }],
  // The domain is sent in its form of ASCII.
  ['mueller@größe.example', true, { kind: 'sent' }],
])('the address %s at a server that hides SMTPUTF8 (%s)', async (address, hideSMTPUTF8, result) => {
  const { port } = await server({ hideSMTPUTF8 } as object);
  const to = { ...MAIL.to, address };
  expect(await senderTo(port).send({ ...MAIL, to }, never)).toEqual(result);
});

test('a mail arrives with its words, its Message-ID and its way out', async () => {
  const { port, mails } = await server();
  expect(await senderTo(port).send(MAIL, never)).toEqual({ kind: 'sent' });
  const [mail] = mails;
  expect([mail?.to, mail?.html.trim()]).toEqual([['mia@acme.example'], MAIL.html]);
  expect(mail?.text.replaceAll('\r\n', '\n').trim()).toBe('Wörter\n.\nMore');
  expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
    subject: MAIL.subject,
    from: '"Records" <records@example.com>'.replaceAll('"', ''),
    to: 'Mia Müller <mia@acme.example>',
    'message-id': `<${MAIL.id}@example.com>`,
    'list-unsubscribe': `<${MAIL.unsubscribe}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'auto-submitted': 'auto-generated',
  });
});

test('line breaks of a name make no header and no recipient', async () => {
  const { port, mails } = await server();
  const injected = 'x\r\nBcc: all@example.com\r\n\r\nbody';
  const to = { name: injected, address: 'mia@acme.example' };
  expect(await senderTo(port).send({ ...MAIL, to, subject: injected }, never)).toEqual({
    kind: 'sent',
  });
  expect(mails[0]?.to).toEqual(['mia@acme.example']);
  expect(mails[0]?.headers.has('bcc')).toBe(false);
  expect(mails[0]?.headers.get('subject')).toBe('x Bcc: all@example.com body');
});

test.each([
  'mia@acme.example>, <all@example.com',
  'mia@acme.example\r\nRCPT TO:<x@y>',
  'a b@c',
  '',
])('the address %j is refused', async (address) => {
  const { port, mails } = await server();
  const result = await senderTo(port).send({ ...MAIL, to: { name: '', address } }, never);
  expect(result).toMatchObject({ kind: 'refused' });
  expect(mails).toEqual([]);
});

test('a recipient that the server refuses is refused for good, or later', async () => {
  const codes = new Map([
    ['gone@acme.example', 550],
    ['full@acme.example', 452],
  ]);
  const { port } = await server({
    onRcptTo({ address }, _, callback) {
      const code = codes.get(address);
      callback(code === undefined ? null : refusal(code));
    },
  });
  const sendTo = (address: string) =>
    senderTo(port).send({ ...MAIL, to: { name: '', address } }, never);
  expect(await sendTo('gone@acme.example')).toMatchObject({ kind: 'refused' });
  expect(await sendTo('full@acme.example')).toMatchObject({ kind: 'failed', isServer: false });
  expect(await sendTo('mia@acme.example')).toEqual({ kind: 'sent' });
});

test('a mail that the server refuses after reading it is refused for good, or later', async () => {
  let code = 554;
  const { port } = await server({
    onMail: () => {
      throw refusal(code);
    },
  });
  expect(await senderTo(port).send(MAIL, never)).toMatchObject({ kind: 'refused' });
  code = 451;
  expect(await senderTo(port).send(MAIL, never)).toMatchObject({ kind: 'failed' });
});

test('a refusal has neither an address nor the words of the server', async () => {
  const { port } = await server({
    onRcptTo: (_, __, callback) => callback(refusal(550, 'mia@acme.example is unknown to canary')),
  });
  const result = await senderTo(port).send(MAIL, never);
  expect(JSON.stringify(result)).not.toMatch(/acme|canary/);
});

test('a sender that the server does not take is the fault of the server', async () => {
  const { port } = await server({
    onMailFrom: (_, __, callback) => callback(refusal(550)),
  });
  expect(await senderTo(port).send(MAIL, never)).toMatchObject({ kind: 'failed', isServer: true });
});

test.each([
  ['says nothing', () => undefined],
  ['closes at once', (socket: Socket) => socket.destroy()],
  ['greets and dies', (socket: Socket) => socket.end('220 ready\r\n')],
  ['answers nonsense', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['has no room', (socket: Socket) => socket.end('421 too busy\r\n')],
] as const)('a server that %s fails within the time limit', async (_, serve) => {
  const port = await rawServer(serve);
  expect(await senderTo(port, 300).send(MAIL, never)).toMatchObject({
    kind: 'failed',
    isServer: true,
  });
});

test('a server that answers a letter now and then fails within the time limit', async () => {
  const port = await rawServer((socket) => {
    const timer = setInterval(() => socket.write('2'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await senderTo(port, 300).send(MAIL, never)).toMatchObject({ kind: 'failed' });
});

test('without a server, and when the attempt is given up', async () => {
  const opened = await openMailServer();
  await opened.close();
  expect(await senderTo(opened.port).send(MAIL, never)).toMatchObject({
    kind: 'failed',
    isServer: true,
  });
  const port = await rawServer(() => undefined);
  const ending = new AbortController();
  const sending = senderTo(port).send(MAIL, ending.signal);
  ending.abort();
  expect(await sending).toMatchObject({ kind: 'failed' });
});

test('several mails at once', async () => {
  const { port, mails } = await server();
  const sender = senderTo(port);
  const results = await Promise.all(Array.from({ length: 20 }, () => sender.send(MAIL, never)));
  expect(results.every(({ kind }) => kind === 'sent')).toBe(true);
  expect(mails).toHaveLength(20);
});

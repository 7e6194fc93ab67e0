// SMTP_URL, MAIL_FROM and PUBLIC_URL.

import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

const mail = (SMTP_URL: string | undefined, MAIL_FROM: string | undefined = 'a@b.example') =>
  readConfig({ SMTP_URL, MAIL_FROM }).mail;

test('without a server there is no mail', () => {
  expect(mail(undefined)).toBeUndefined();
  expect(mail('')).toBeUndefined();
});

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'offered' }],
  ['smtps://mail.example', { host: 'mail.example', port: 465, tls: 'always' }],
  ['smtp://mail.example:2525', { port: 2525 }],
  [
    'smtp://u:p%40ss@mail.example',
    { tls: 'required', credentials: { user: 'u', password: 'p@ss' } },
  ],
  ['smtp://u:p@127.0.0.1:2525', { host: '127.0.0.1', tls: 'offered' }],
  ['smtp://u:p@[::1]:2525/', { host: '::1', tls: 'offered' }],
  ['smtp://u:p@mail.example?starttls=never', { tls: 'never' }],
  ['smtp://mail.example?starttls=required', { tls: 'required' }],
])('%s', (url, expected) => {
  expect(mail(url)).toMatchObject(expected);
});

test.each([
  ['a@b.example', { name: '', address: 'a@b.example' }],
  ['Records <a@b.example>', { name: 'Records', address: 'a@b.example' }],
  ['Die Datensätze <a@b.example>', { name: 'Die Datensätze', address: 'a@b.example' }],
])('from %s', (from, expected) => {
  expect(mail('smtp://mail.example', from)?.from).toEqual(expected);
});

test.each([
  ...['http://mail.example', 'mail.example', 'smtp://', 'smtp://u:canary@'],
  ...['smtp://u:canary@mail.example/path', 'smtp://u:canary@mail.example?tls=off'],
  'smtp://u:canary@mail.example?starttls=maybe',
])('%s is refused in one line without the password', (url) => {
  expect(() => mail(url)).toThrow(/SMTP_URL/);
  expect(() => mail(url)).not.toThrow(/canary/);
});

test.each(['nobody', 'a@b.example, c@d.example', 'x\r\nBcc: <a@b.example>', '<>', 'a@b@c'])(
  'from %j is refused',
  (from) => {
    expect(() => mail('smtp://mail.example', from)).toThrow(/MAIL_FROM/);
  },
);

test('a server needs a sender', () => {
  expect(() => readConfig({ SMTP_URL: 'smtp://mail.example' })).toThrow(
    'SMTP_URL needs MAIL_FROM as well.',
  );
});

test('where people find the application', () => {
  expect(readConfig({}).publicUrl).toBeUndefined();
  expect(readConfig({ PUBLIC_URL: 'https://crm.example/' }).publicUrl).toBe('https://crm.example');
  for (const PUBLIC_URL of ['crm.example', 'https://crm.example/app', 'ftp://crm.example']) {
    expect(() => readConfig({ PUBLIC_URL })).toThrow(/PUBLIC_URL/);
  }
});

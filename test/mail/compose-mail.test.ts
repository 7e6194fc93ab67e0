// The words of mails, in both languages, and names that stay text.

import { expect, test } from 'vitest';
import { composeDigest, composeLinkMail, type DigestItem } from '../../src/mail/compose-mail.ts';
import { NOTIFICATION_KINDS } from '../../src/model/rights/notification-kinds.ts';

const place = { name: 'Acme', url: 'https://acme.example.com/app/acme' };
const item = (more: Partial<DigestItem> = {}): DigestItem => ({
  ...{ kind: 'mention', author: 'Rob', display: 'Big deal', isApproved: false },
  ...{ path: '/o/deals/1', ...more },
});
const digest = (items: readonly DigestItem[], language: 'en' | 'de' = 'en', total?: number) =>
  composeDigest({
    ...{ language, place, items, total: total ?? items.length },
    unsubscribe: 'https://acme.example.com/v1/mail/unsubscribe?token=t',
  });

test('a digest of one says it in the subject; of several it counts them', () => {
  expect(digest([item()]).subject).toBe('Rob mentioned you: Big deal');
  expect(digest([item(), item()]).subject).toBe('2 notifications in Acme');
  expect(digest([item()], 'de').subject).toBe('Rob hat Sie erwähnt: Big deal');
  expect(digest([item(), item()], 'de').subject).toBe('2 Mitteilungen in Acme');
});

test('text and HTML have the same sentences and addresses', () => {
  const { text, html } = digest([item(), item({ kind: 'due', author: null, path: '/o/tasks/2' })]);
  for (const part of [
    'Rob mentioned you: Big deal',
    'https://acme.example.com/app/acme/o/deals/1',
    'Due today: Big deal',
    'https://acme.example.com/app/acme/o/tasks/2',
    'https://acme.example.com/app/acme/notifications',
    'https://acme.example.com/app/acme/settings/profile',
    'https://acme.example.com/v1/mail/unsubscribe?token=t',
  ]) {
    expect(text).toContain(part);
    expect(html).toContain(part);
  }
});

test.each(['en', 'de'] as const)('every kind has a sentence in %s', (language) => {
  const subjects = NOTIFICATION_KINDS.map((kind) => digest([item({ kind })], language).subject);
  expect(new Set(subjects).size).toBe(NOTIFICATION_KINDS.length);
  const decided = [true, false].map(
    (isApproved) => digest([item({ kind: 'request_decided', isApproved })], language).subject,
  );
  expect(new Set(decided).size).toBe(2);
});

test('names are text: no line, no header and no markup of their own', () => {
  const display = 'x\r\nBcc: all@example.com\n\n<script>alert("1")</script>\u2028&';
  const { text, html } = digest([item({ display, author: '"><img src=x>' })]);
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&lt;script&gt;');
  expect(text).not.toMatch(/^Bcc:/m);
});

test('a long name is shortened, a missing one is replaced', () => {
  expect(digest([item({ display: '😀'.repeat(500) })]).subject).toBe(
    `Rob mentioned you: ${'😀'.repeat(120)}…`,
  );
  expect(digest([item({ display: null, author: null })]).subject).toBe(
    'Someone mentioned you: a record without a name',
  );
});

test('a digest of many names the others by their number', () => {
  const { subject, text } = digest([item()], 'en', 1000);
  expect(subject).toBe('1000 notifications in Acme');
  expect(text).toContain('999 more notifications');
});

test.each([
  ['en', null, 'once, for 30 minutes.'],
  ['en', 1, 'once, for 1 hour.'],
  ['en', 36, 'once, for 36 hours.'],
  ['en', 24, 'once, for 1 day.'],
  ['en', 168, 'once, for 7 days.'],
  ['de', null, 'einmal und 30 Minuten lang.'],
  ['de', 1, 'einmal und 1 Stunde lang.'],
  ['de', 168, 'einmal und 7 Tage lang.'],
] as const)('a link in %s of %s hours', (language, hours, sentence) => {
  const link = 'https://acme.example.com/app/acme/sign-in#token';
  const mail = { kind: 'invitation', language, place, link, hours } as const;
  expect(composeLinkMail(mail).text).toContain(sentence);
});

test('an invitation and a link to sign in with', () => {
  const link = 'https://acme.example.com/app/acme/sign-in#token';
  for (const language of ['en', 'de'] as const) {
    for (const kind of ['invitation', 'sign_in_link'] as const) {
      const hours = kind === 'invitation' ? 168 : null;
      const mail = { kind, language, place, link, hours };
      const { subject, text, html } = composeLinkMail(mail);
      expect(subject).toContain('Acme');
      for (const body of [text, html]) {
        expect(body).toContain(link);
        expect(body).toContain('https://acme.example.com/app/acme/sign-in');
      }
    }
  }
});

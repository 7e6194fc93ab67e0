// The mails of the service: a digest of notifications, an invitation, a link to sign in with, a reset second factor. Of
// records they have the display name and the address of their page, never other values. Pure.

import type { MailLanguage, NotificationKind } from '../model/rights/notification-kinds.ts';
import type { Mail } from './mail-sender.ts';
import { type MailPart, printMail } from './mail-text.ts';
import { MAIL_WORDS, type MailWords } from './mail-words.ts';

export type MailContent = Pick<Mail, 'subject' | 'text' | 'html'>;

/** A workspace in a mail; `url` is the start page of the application there. */
export interface MailPlace {
  readonly name: string;
  readonly url: string;
}

/** A notification, as far as its reader may know it now. */
export interface DigestItem {
  readonly kind: NotificationKind;
  readonly author: string | null;
  /** Null: none, or it is hidden. */
  readonly display: string | null;
  readonly isApproved: boolean;
  /** Path below the start page. */
  readonly path: string;
}

export interface Digest {
  readonly language: MailLanguage;
  readonly place: MailPlace;
  /** Not all of them when there are many. */
  readonly items: readonly DigestItem[];
  readonly total: number;
  readonly unsubscribe: string;
}

/** Characters of a display name in a mail. */
const MOST_SHOWN = 120;

export function composeDigest(digest: Digest): MailContent {
  const { language, place: workspace, items, total, unsubscribe } = digest;
  const words = MAIL_WORDS[language];
  const sentences = items.map((item) => sentenceOf(words, item));
  const [only = ''] = sentences;
  const parts: readonly MailPart[] = [
    { text: words.intro(workspace.name) },
    {
      items: linesOf(items, sentences).map(({ text, path }) => ({
        text,
        url: workspace.url + path,
      })),
    },
    ...(total > items.length ? [{ text: words.more(total - items.length) }] : []),
    { text: words.openAll, url: `${workspace.url}/notifications` },
  ];
  const small: readonly MailPart[] = [
    { text: words.settings, url: `${workspace.url}/settings/profile` },
    { text: words.unsubscribe, url: unsubscribe },
  ];
  const subject = total === 1 ? only : words.many(total, workspace.name);
  return { subject, ...printMail(language, parts, small) };
}

/** A line for each sentence about a record, with how often it was the same. */
function linesOf(items: readonly DigestItem[], sentences: readonly string[]) {
  const times = new Map<string, { text: string; path: string; times: number }>();
  for (const [index, { path }] of items.entries()) {
    const text = sentences[index] ?? '';
    const key = `${path} ${text}`;
    times.set(key, { text, path, times: (times.get(key)?.times ?? 0) + 1 });
  }
  return [...times.values()].map(({ text, path, times: count }) => {
    return { path, text: count === 1 ? text : `${text} (${count}\u00d7)` };
  });
}

function sentenceOf(words: MailWords, { kind, author, display, isApproved }: DigestItem): string {
  const who = shortened(author ?? '') || words.someone;
  const record = shortened(display ?? '') || words.unnamed;
  return words.kinds[kind]({ who, record, isApproved });
}

/** Whole characters. */
function shortened(text: string): string {
  const characters = [...text.trim()];
  if (characters.length <= MOST_SHOWN) return text.trim();
  return `${characters.slice(0, MOST_SHOWN).join('')}…`;
}

export interface LinkMail {
  readonly kind: 'invitation' | 'sign_in_link';
  readonly language: MailLanguage;
  readonly place: MailPlace;
  /** Works once. */
  readonly link: string;
  /** How long it works; null: 30 minutes. */
  readonly hours: number | null;
}

export function composeLinkMail({ kind, language, place, link, hours }: LinkMail): MailContent {
  const words = MAIL_WORDS[language];
  const isInvitation = kind === 'invitation';
  const name = shortened(place.name);
  const parts: readonly MailPart[] = [
    { text: isInvitation ? words.invitation(name) : words.signInText(name) },
    { text: words.signInButton, url: link },
    { text: words.once(hours) },
    { text: words.later, url: `${place.url}/sign-in` },
    ...(isInvitation ? [] : [{ text: words.unasked }]),
  ];
  const subject = isInvitation ? words.invited(name) : words.signIn(name);
  return { subject, ...printMail(language, parts) };
}

/** Tells a person that an administrator has removed the second factors. */
export function composeResetMail(language: MailLanguage, place: MailPlace): MailContent {
  const words = MAIL_WORDS[language];
  const name = shortened(place.name);
  const parts: readonly MailPart[] = [
    { text: words.factorReset(name) },
    { text: words.signInButton, url: `${place.url}/sign-in` },
  ];
  return { subject: words.factorResetSubject(name), ...printMail(language, parts) };
}

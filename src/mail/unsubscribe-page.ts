// The page behind the link of a mail that ends mails: it asks, and says when it is done. Complete HTML without scripts.

import type { MailLanguage } from '../model/rights/notification-kinds.ts';
import { escaped } from './mail-text.ts';

interface PageWords {
  readonly title: string;
  readonly ask: (workspace: string) => string;
  readonly button: string;
  readonly done: (workspace: string) => string;
}

const WORDS: Readonly<Record<MailLanguage, PageWords>> = {
  en: {
    title: 'Stop mails',
    ask: (workspace) => `Stop notifications of ${workspace} by mail?`,
    button: 'Stop these mails',
    done: (workspace) =>
      `You get no more notifications of ${workspace} by mail. You can change this in your profile.`,
  },
  de: {
    title: 'Mails abbestellen',
    ask: (workspace) => `Mitteilungen von ${workspace} per Mail abbestellen?`,
    button: 'Diese Mails abbestellen',
    done: (workspace) =>
      `Sie bekommen keine Mitteilungen von ${workspace} mehr per Mail. In Ihrem Profil können Sie das ändern.`,
  },
};

/** Sent to the address of the page itself when the button is pressed. */
export function askPage(language: MailLanguage, workspace: string): string {
  const { title, ask, button } = WORDS[language];
  const form = `<form method="post"><button>${escaped(button)}</button></form>`;
  return page(language, title, `<p>${escaped(ask(workspace))}</p>${form}`);
}

export function donePage(language: MailLanguage, workspace: string): string {
  const { title, done } = WORDS[language];
  return page(language, title, `<p>${escaped(done(workspace))}</p>`);
}

function page(language: MailLanguage, title: string, body: string): string {
  return [
    `<!doctype html><html lang="${language}"><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title>`,
    `<body style="font-family:sans-serif;max-width:32em;margin:4em auto;padding:0 1em">${body}</body></html>`,
  ].join('');
}

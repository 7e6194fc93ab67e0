// A mail as plain text and as simple HTML, from the same parts. Pure.

import { lineOf } from './mail-sender.ts';

/** A part of a mail: a sentence, a sentence with an address, or a list of these. */
export type MailPart =
  | { readonly text: string; readonly url?: string }
  | { readonly items: readonly { readonly text: string; readonly url: string }[] };

export interface MailBody {
  readonly text: string;
  readonly html: string;
}

/** `small`: parts below a line. */
export function printMail(
  language: string,
  parts: readonly MailPart[],
  small: readonly MailPart[] = [],
): MailBody {
  const divider = small.length === 0 ? [] : ['-- '];
  const text = [...parts.map(plainPart), ...divider, ...small.map(plainPart)].join('\n\n');
  const body = [
    ...parts.map(htmlPart),
    ...(small.length === 0 ? [] : ['<hr>']),
    ...small.map((part) => `<small>${htmlPart(part)}</small>`),
  ];
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><body style="${STYLE}">${body.join('')}</body></html>`;
  return { text: `${text}\n`, html };
}

const STYLE = 'font-family:sans-serif;line-height:1.5;max-width:40em';

function plainPart(part: MailPart): string {
  if ('items' in part) {
    return part.items.map(({ text, url }) => `* ${lineOf(text)}\n  ${url}`).join('\n');
  }
  return part.url === undefined ? lineOf(part.text) : `${lineOf(part.text)}\n${part.url}`;
}

function htmlPart(part: MailPart): string {
  if (!('items' in part)) return `<p>${linked(part)}</p>`;
  return `<ul>${part.items.map((item) => `<li>${linked(item)}</li>`).join('')}</ul>`;
}

function linked({ text, url }: { readonly text: string; readonly url?: string }): string {
  const shown = escaped(lineOf(text));
  return url === undefined ? shown : `<a href="${escaped(url)}">${shown}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that HTML shows as it is. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

// Hands a mail to the server of the configuration. The library is loaded with the first mail. Each mail has a connection
// of its own and a time limit, so that a slow server or one that stops answering holds nothing for longer.

import type { Transporter } from 'nodemailer';

/** A mail, complete. */
export interface Mail {
  /** The id that the Message-ID contains: the same for each attempt. */
  readonly id: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where the mail program of the reader ends mails with one request; undefined: nowhere. */
  readonly unsubscribe: string | undefined;
}

/**
 * `refused`: this recipient or this mail, for good. `failed`: later attempts may succeed; `isServer` when the server
 * itself is the reason. `reason` has neither addresses nor text of the server.
 */
export type MailResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly isServer: boolean };

export interface MailSender {
  /** Never rejects. Aborting the signal ends the attempt. */
  send(mail: Mail, signal: AbortSignal): Promise<MailResult>;
}

export interface MailSenderOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: 'always' | 'required' | 'offered' | 'never';
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
  readonly from: { readonly name: string; readonly address: string };
  /** Certificates of authorities beside the usual ones, in PEM. */
  readonly ca?: string;
  /** Milliseconds of an attempt. */
  readonly timeLimit?: number;
}

const TIME_LIMIT_MS = 60_000;
/** Milliseconds without a byte. */
const SILENCE_MS = 20_000;

/** Anything else the library would read as a list of addresses, or as an address with a name. */
const ADDRESS = /^[^\s\p{Cc}<>"(),:;@[\\\]]+@[^\s\p{Cc}<>"(),:;@[\\\]]+$/u;

export function openMailSender(options: MailSenderOptions): MailSender {
  const { from, timeLimit = TIME_LIMIT_MS } = options;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  let opening: Promise<Transporter> | undefined;
  return {
    async send(mail, signal) {
      if (!ADDRESS.test(mail.to.address)) return { kind: 'refused', reason: 'EENVELOPE address' };
      opening ??= openTransport(options);
      const transport = await opening;
      const ending = AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]);
      try {
        const sending = { ...messageOf(mail, from, domain), signal: ending } as object;
        const { ehlo } = (await transport.sendMail(sending)) as {
          readonly ehlo?: readonly string[];
        };
        return isTransmissible(mail.to.address, ehlo)
          ? { kind: 'sent' }
          : { kind: 'refused', reason: 'EENVELOPE no SMTPUTF8' };
      } catch (error) {
        return resultOf(error as SmtpError);
      }
    },
  };
}

/**
 * Whether a server that greeted with these lines takes the address. The library sends a local part beyond ASCII to servers
 * without SMTPUTF8 as well, and reports success whatever they do with it.
 */
function isTransmissible(address: string, ehlo: readonly string[] = []): boolean {
  const isAscii = /^\p{ASCII}*@/u.test(address);
  return isAscii || ehlo.some((line) => /^SMTPUTF8\b/i.test(line));
}

async function openTransport(options: MailSenderOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, credentials, ca, timeLimit = TIME_LIMIT_MS } = options;
  const silence = Math.min(SILENCE_MS, timeLimit);
  return createTransport({
    ...{ host, port, secure: tls === 'always', requireTLS: tls === 'required' },
    ignoreTLS: tls === 'never',
    ...{ connectionTimeout: silence, greetingTimeout: silence, socketTimeout: silence },
    ...{ dnsTimeout: silence, disableFileAccess: true, disableUrlAccess: true },
    tls: { ...(ca === undefined ? {} : { ca }), minVersion: 'TLSv1.2' },
    ...(credentials === undefined
      ? {}
      : { auth: { user: credentials.user, pass: credentials.password }, forceAuth: true }),
  } as object) as Transporter;
}

function messageOf(mail: Mail, from: MailSenderOptions['from'], domain: string) {
  const { id, to, text, html, unsubscribe } = mail;
  return {
    messageId: `<${id}@${domain}>`,
    from: { name: lineOf(from.name), address: from.address },
    to: { name: lineOf(to.name), address: to.address },
    envelope: { from: from.address, to: [to.address] },
    subject: lineOf(mail.subject),
    ...{ text, html },
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  };
}

/** Names of people and records may have line breaks, and a header has none. */
export function lineOf(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** Commands whose refusal is about one recipient or one mail. */
const OF_MAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);

function resultOf({ code = 'ERROR', command, responseCode }: SmtpError): MailResult {
  const reason = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  const isOfMail = command !== undefined && OF_MAIL.has(command);
  const isRefused = isOfMail && responseCode !== undefined && responseCode >= 500;
  if (isRefused) return { kind: 'refused', reason };
  return { kind: 'failed', reason, isServer: !isOfMail };
}

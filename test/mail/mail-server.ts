// A mail server on the loopback interface that keeps what it gets, and reads mails as mail programs do.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** Decoded, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

export interface MailServerOptions extends SMTPServerOptions {
  readonly port?: number;
  /** Called before a mail is accepted; throws what the server answers. */
  onMail?(mail: ReceivedMail): Promise<void> | void;
}

/** An answer of the server other than success. */
export function refusal(code: number, message = 'no'): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

export async function openMailServer({
  port = 0,
  onMail,
  ...options
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: options.key === undefined,
    closeTimeout: 100,
    ...options,
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const mail = readMail(Buffer.concat(pieces).toString('utf8'), to);
        try {
          await onMail?.(mail);
          mails.push(mail);
          callback(null);
        } catch (error) {
          callback(error as Error);
        }
      });
    },
  });
  // Clients that end a connection in the middle are expected.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(raw: string, to: readonly string[]): ReceivedMail {
  const { headers, body } = readPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => readPart(part.replace(/^\r\n/, '')));
  const find = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type));
    return part === undefined ? '' : decoded(part);
  };
  return { to, headers, text: find('text/plain'), html: find('text/html'), raw };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function readPart(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = head.split('\r\n').map((line) => {
    const [name = '', ...rest] = line.split(':');
    return [name.toLowerCase(), decodedWords(rest.join(':').trim())] as const;
  });
  return { headers: new Map(headers), body: text.slice(end + 4) };
}

function decoded({ headers, body }: Part): string {
  const coding = headers.get('content-transfer-encoding');
  if (coding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (coding !== 'quoted-printable') return body;
  return unquoted(body.replaceAll('=\r\n', ''));
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** RFC 2047. */
function decodedWords(text: string): string {
  const joined = text.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, coding: string, word: string) =>
    coding.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('utf8')
      : unquoted(word.replaceAll('_', ' ')),
  );
}

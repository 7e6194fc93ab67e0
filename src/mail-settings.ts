// The mail server and the sender of the configuration: `SMTP_URL` and `MAIL_FROM`. No message of this file repeats
// SMTP_URL, which may contain a password.

import { operatorError } from './errors.ts';

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** `always`: from the first byte; `required`: by STARTTLS; `offered`: by STARTTLS where the server has it; `never`. */
  readonly tls: 'always' | 'required' | 'offered' | 'never';
  /** Undefined: the server takes mail without a sign-in. */
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
  readonly from: MailAddress;
}

export interface MailAddress {
  /** Empty: none. */
  readonly name: string;
  readonly address: string;
}

const URL_HELP =
  'SMTP_URL must be such as "smtps://user:password@smtp.example.com" or "smtp://smtp.example.com:587".';
const FROM_HELP =
  'MAIL_FROM must be an address such as "records@example.com" or "Records <records@example.com>".';
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const STARTTLS_MODES: Readonly<Record<string, MailSettings['tls']>> = {
  required: 'required',
  offered: 'offered',
  never: 'never',
};

export interface MailConfig {
  /** The mail server; undefined: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Where people find the application, in mails, without BASE_DOMAIN; undefined: where the service listens. */
  readonly publicUrl: string | undefined;
}

/** Errors: operator errors of one line. */
export function readMailConfig(text: (name: string) => string | undefined): MailConfig {
  return {
    mail: readMailSettings(text('SMTP_URL'), text('MAIL_FROM')),
    publicUrl: readPublicUrl(text('PUBLIC_URL')),
  };
}

/** Undefined without `SMTP_URL`. */
function readMailSettings(
  url: string | undefined,
  from: string | undefined,
): MailSettings | undefined {
  if (url === undefined) return undefined;
  if (from === undefined) throw operatorError('SMTP_URL needs MAIL_FROM as well.');
  return Object.freeze({ ...readServer(url), from: readSender(from) });
}

function readServer(text: string): Omit<MailSettings, 'from'> {
  if (!URL.canParse(text)) throw operatorError(URL_HELP);
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  const isSecure = protocol === 'smtps:';
  const isPlain = /^\/?$/.test(pathname) && [...searchParams.keys()].every(isOption);
  if (!(isSecure || protocol === 'smtp:') || hostname === '' || !isPlain)
    throw operatorError(URL_HELP);
  const credentials =
    username === ''
      ? undefined
      : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  const host = hostname.replace(/^\[|\]$/g, '');
  const asked = searchParams.get('starttls');
  const tls = isSecure ? 'always' : startTlsOf(asked, credentials !== undefined, hostname);
  return { host, port: port === '' ? (isSecure ? 465 : 587) : Number(port), tls, credentials };
}

function isOption(name: string): boolean {
  return name === 'starttls';
}

/** A password is sent over TLS only, except within the machine. */
function startTlsOf(
  asked: string | null,
  hasPassword: boolean,
  hostname: string,
): MailSettings['tls'] {
  if (asked === null) return hasPassword && !LOOPBACK.test(hostname) ? 'required' : 'offered';
  const mode = STARTTLS_MODES[asked];
  if (mode === undefined)
    throw operatorError('starttls of SMTP_URL must be required, offered or never.');
  return mode;
}

const ADDRESS = /^[^\s<>"(),:;@[\\\]]+@[^\s<>"(),:;@[\\\]]+$/;

function readSender(text: string): MailAddress {
  const found = /^(?:([^<>\r\n"]*)<([^<>\s]+)>|([^<>\s]+))$/.exec(text);
  const address = found?.[2] ?? found?.[3] ?? '';
  if (!ADDRESS.test(address)) throw operatorError(FROM_HELP);
  return { name: (found?.[1] ?? '').trim(), address };
}

/** Where people find the application: an origin. */
function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isOrigin = /^https?:\/\//.test(text) && URL.canParse(text);
  if (isOrigin && new URL(text).origin === text.replace(/\/$/, '')) return new URL(text).origin;
  throw operatorError(
    `PUBLIC_URL must be an address such as "https://crm.example.com", not "${text}".`,
  );
}

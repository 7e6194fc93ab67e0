// Where the service is and with which key, and one request to it: address, headers, one answer. Whether
// it is made again is for request.ts.

import {
  errorOfAnswer,
  isRecordsError,
  parsed,
  type RecordsError,
  recordsError,
} from './errors.ts';
import { ENDPOINTS, type Endpoints } from './schema.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** The address with the version, such as `https://records.example.com/v1`. */
  readonly baseUrl: string;
  /** Absent: the session of the person who signed in, in a page that the service itself serves. */
  readonly apiKey?: string | undefined;
  /** The slug of the session's workspace: needed when the browser has several sessions. */
  readonly workspace?: string | undefined;
  /** The id of the person as whom an administrator's session reads, after `viewing.start`. */
  readonly viewAs?: number | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Attempts of a call after the first; 5 by default. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds for a call with all its attempts and waits; 90,000 by default. */
  readonly timeout?: number | undefined;
  /**
   * Whether writes carry an `Idempotency-Key`: true by default; a function makes the keys; false leaves
   * them out, and then a write is made again only when it was refused with 429.
   */
  readonly idempotencyKeys?: boolean | (() => string) | undefined;
  /** The `Accept-Language` of all requests; otherwise that of the browser, or none. */
  readonly language?: (() => string) | undefined;
  /** Called before each wait for another attempt, so that people see the reason of the wait. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /**
   * Called when the session has ended (401) or is too old for the call (403 `fresh_sign_in_required`). Resolves to true
   * when its person has signed in again: the call is made once more, and the time before does not count.
   */
  readonly signInAgain?: ((error: RecordsError) => Promise<boolean>) | undefined;
}

/** The wait before another attempt. */
export interface Wait {
  readonly milliseconds: number;
  /** Why the one before has failed. */
  readonly error: RecordsError;
}

export interface Connection {
  readonly baseUrl: string;
  /** The header with the credential, unless the browser adds it. */
  readonly credential: Readonly<Record<string, string>>;
  readonly credentials: 'omit' | 'same-origin';
  readonly fetch: Fetch;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly language: (() => string) | undefined;
  readonly onWait: (wait: Wait) => void;
  readonly signInAgain: (error: RecordsError) => Promise<boolean>;
  /** A key for a write, or undefined when there is to be none. */
  makeKey(): string | undefined;
}

export type Operation = keyof Endpoints;

/** One request, ready to be sent as often as need be. */
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
}

export interface Parts {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  /** Query string of the filters. */
  readonly filters?: string | undefined;
  readonly body?: unknown;
  /** The media type of a body that is a file. */
  readonly mediaType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Errors: `TypeError` for an address or a key that can be none. */
export function openConnection(options: ClientOptions): Connection {
  const { baseUrl, maxRetries = 5, timeout = 90_000, idempotencyKeys = true } = options;
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) {
    throw new TypeError('baseUrl must be like https://records.example.com/v1');
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...credentialOf(options),
    // The global one is looked up late, and called without a receiver, which browsers insist on.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    maxRetries,
    timeout,
    language: options.language,
    onWait: options.onWait ?? (() => undefined),
    signInAgain: options.signInAgain ?? (async () => false),
    makeKey() {
      if (typeof idempotencyKeys === 'function') return idempotencyKeys();
      return idempotencyKeys ? randomKey() : undefined;
    },
  };
}

function credentialOf({ apiKey, workspace, viewAs }: ClientOptions) {
  if (apiKey !== undefined) {
    const credential = { Authorization: `Bearer ${requireVisible('apiKey', apiKey)}` };
    return { credential, credentials: 'omit' } as const;
  }
  const credential: Readonly<Record<string, string>> = {
    ...(workspace === undefined ? {} : { 'X-Workspace': requireVisible('workspace', workspace) }),
    ...(viewAs === undefined ? {} : { 'X-View-As': String(viewAs) }),
  };
  return { credential, credentials: 'same-origin' } as const;
}

/** Visible ASCII, as headers take it. Errors: `TypeError`, which does not show the text. */
export function requireVisible(name: string, text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(`${name} must be visible ASCII characters`);
}

/** `randomUUID` is missing in pages that did not come over HTTPS. */
function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function outgoing(
  { baseUrl, credential, language }: Connection,
  name: Operation,
  { params = {}, query = {}, filters = '', body, mediaType, headers = {} }: Parts,
): Outgoing {
  const [method = '', path = ''] = ENDPOINTS[name].split(' ');
  const given = new Map<string, unknown>(Object.entries(params));
  const place = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => segment(part, given.get(part)));
  const search = [queryText(query), filters].filter((text) => text !== '').join('&');
  return {
    url: `${baseUrl}${place}${search === '' ? '' : `?${search}`}`,
    method,
    headers: {
      ...credential,
      ...(language === undefined ? {} : { 'Accept-Language': language() }),
      ...(body === undefined ? {} : { 'Content-Type': mediaType ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: mediaType === undefined ? JSON.stringify(body) : fileBody(body) }),
  };
}

function fileBody(content: unknown): string | Blob {
  return content instanceof Blob ? content : String(content);
}

/**
 * A part of the path. Dots must never get there: `..` would be taken away with the part before it, and
 * the request would be one to another route.
 */
function segment(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text);
  throw new TypeError(`${name} must not be empty, "." or ".."`);
}

/** Undefined values are left out. */
export function queryText(query: object): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

export interface AttemptOptions {
  /** Milliseconds. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/** One attempt; answers the JSON of a success. Errors: `RecordsError`; the reason of the signal. */
export async function attempt(
  { fetch: send, credentials }: Connection,
  { url, ...request }: Outgoing,
  { limit, signal }: AttemptOptions,
): Promise<unknown> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limit);
  const forward = () => stop.abort();
  signal?.addEventListener('abort', forward, { once: true });
  try {
    const response = await send(url, { ...request, ...PLAIN, credentials, signal: stop.signal });
    return readAnswer(response, await response.text());
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (isRecordsError(cause)) throw cause;
    throw stop.signal.aborted ? timedOut(cause) : connectionFailed(cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}

/** A redirect is not followed: it could take the key elsewhere, or make a write a read. */
export const PLAIN = Object.freeze({ redirect: 'manual' } as const);

function readAnswer(response: Response, text: string): unknown {
  if (!response.ok) throw errorOfAnswer(response, text);
  const answer = parsed(text);
  if (typeof answer === 'object' && answer !== null) return answer;
  throw recordsError({
    code: 'unexpected_answer',
    message: 'The answer is not JSON of the service.',
    status: response.status,
  });
}

function timedOut(cause: unknown) {
  return recordsError({ code: 'timed_out', message: 'There was no answer in time.', cause });
}

export function connectionFailed(cause: unknown) {
  const message = 'The service cannot be reached, or the connection broke.';
  return recordsError({ code: 'connection_failed', message, cause });
}

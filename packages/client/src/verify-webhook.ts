// Verifies the requests of webhooks, as Standard Webhooks 1.0 signs them, with the cryptography of the web: in Node,
// browsers and workers. An entry of its own that loads nothing else.

import type { ChangeEvent } from './schema.ts';

/** Sent first, and by a test: answer it like any other. */
export interface PingEvent {
  readonly type: 'ping';
  readonly id: string;
  readonly webhook_id: string;
  readonly occurred_at: string;
}

/** `truncated`: the record was too large; read it from the service. */
export type WebhookEvent = (ChangeEvent & { readonly truncated?: true }) | PingEvent;

type MessageOf<Event extends WebhookEvent> = Event extends WebhookEvent
  ? {
      /** The id of the event, the same each time it is sent: drop ids that you know. */
      readonly id: string;
      /** The time of this request, not of the event. */
      readonly timestamp: string;
      readonly type: Event['type'];
      readonly data: Event;
    }
  : never;

export type WebhookMessage = MessageOf<WebhookEvent>;

/**
 * `header_missing`, `timestamp_invalid` (more than five minutes before or after now), `signature_invalid`: answer 401.
 * `body_invalid`: the signature is right, but the body is not of the service.
 */
export type WebhookErrorCode =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'signature_invalid'
  | 'body_invalid';

export interface WebhookError extends Error {
  readonly name: 'WebhookError';
  readonly code: WebhookErrorCode;
}

/** Headers of `fetch`, of `node:http`, or of a framework. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Shared by all copies of the package in a program, unlike a class. */
const BRAND = Symbol.for('@workspace-records/client.webhook-error');
const SECRET_PREFIX = 'whsec_';
/** Seconds that the clocks may differ, and a request may have taken. */
const TOLERANCE = 300;

export function isWebhookError(error: unknown, code?: WebhookErrorCode): error is WebhookError {
  if (!(error instanceof Error) || !(BRAND in error)) return false;
  return code === undefined || (error as Partial<WebhookError>).code === code;
}

/**
 * The message of a request whose signature is right. `body` is the body as it came, before any parsing; several secrets
 * are for a rotation. Errors: `WebhookError`; `TypeError` for a secret that is not one.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  requireRecent(timestamp);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = await Promise.all(secrets.map(importSecret));
  // `verify` compares in constant time; all pairs are compared, whichever is right.
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature })));
  const verdicts = await Promise.all(
    pairs.map(({ key, signature }) => crypto.subtle.verify('HMAC', key, signature, signed)),
  );
  if (!verdicts.includes(true)) {
    throw webhookError('signature_invalid', 'No signature of the request is that of the secret.');
  }
  return messageOf(id, bytes);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : ownHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw webhookError('header_missing', `The request has no header ${name}.`);
}

function ownHeader(headers: object, wanted: string): unknown {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted);
  return Array.isArray(found?.[1]) ? found[1].join(' ') : found?.[1];
}

function requireRecent(timestamp: string): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Math.abs(Date.now() / 1000 - seconds) <= TOLERANCE) return;
  const message = 'The request is older or newer than five minutes, or one of the clocks is wrong.';
  throw webhookError('timestamp_invalid', message);
}

/** The signatures of version 1; later releases may add other versions. */
function signaturesOf(header: string): readonly Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((one) => {
    const [version, text = ''] = one.split(',');
    return version === 'v1' ? (bytesOf(text) ?? []) : [];
  });
}

function importSecret(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const key = secret.startsWith(SECRET_PREFIX)
    ? bytesOf(secret.slice(SECRET_PREFIX.length))
    : undefined;
  if (key === undefined || key.length === 0) {
    throw new TypeError('A secret of a webhook is whsec_ and base64.');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
}

/** Undefined when the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

function messageOf(id: string, bytes: Uint8Array): WebhookMessage {
  const { type, timestamp, data } = Object(parsed(new TextDecoder().decode(bytes)));
  const isMessage = typeof type === 'string' && typeof timestamp === 'string';
  if (isMessage && typeof data === 'object' && data !== null) {
    return { id, timestamp, type, data } as WebhookMessage;
  }
  throw webhookError('body_invalid', 'The body is not one of the service.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function webhookError(code: WebhookErrorCode, message: string): WebhookError {
  return Object.assign(new Error(message), {
    [BRAND]: true,
    name: 'WebhookError' as const,
    code,
  });
}

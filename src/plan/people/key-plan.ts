// The rights of a new or changed key: never more than those of its author (docs/decisions.md, D227). Pure; only the
// caller decides which user it may act for.

import { errorFromProblems, type Problem } from '../../errors.ts';
import { about, type Message, say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { DEFAULT_SCOPES } from '../../model/rights/access.ts';
import { parseDateTime } from '../../model/values/times.ts';

/** The most rights a key can have; null is no limit. */
export interface KeyBounds {
  readonly scopes: ReadonlySet<string> | null;
  readonly rate: RateBound | null;
  readonly expires_at: string | null;
}

interface RateBound {
  /** The stored number; null: the default of the service, also when that changes. */
  readonly stored: number | null;
  readonly requests_per_minute: number;
}

/** The requested key; omitted parts get the most that may be given. */
export interface NewKeyRequest {
  readonly scopes?: readonly string[] | undefined;
  readonly requests_per_minute?: number | null | undefined;
  readonly expires_at?: string | null | undefined;
}

export interface KeyChangeRequest extends Omit<NewKeyRequest, 'scopes'> {
  readonly name?: string | undefined;
}

interface KeyValues {
  readonly requests_per_minute: number | null;
  readonly expires_at: string | null;
}

export const UNBOUNDED: KeyBounds = Object.freeze({ scopes: null, rate: null, expires_at: null });

/**
 * The bounds of keys that a key makes, `held` being that key, or that a signed-in person makes: an administrator sets
 * any rate of requests, others the default of the service.
 */
export function keyBoundsOf(
  { access }: Pick<Caller, 'access'>,
  held: (KeyValues & { readonly scopes: readonly string[] }) | undefined,
  requestsPerMinute: number,
): KeyBounds {
  if (held === undefined) {
    const rate = { stored: null, requests_per_minute: requestsPerMinute };
    return access.administrator ? UNBOUNDED : { ...UNBOUNDED, rate };
  }
  const stored = held.requests_per_minute;
  return {
    scopes: new Set(held.scopes),
    rate: { stored, requests_per_minute: stored ?? requestsPerMinute },
    expires_at: held.expires_at,
  };
}

/**
 * Scopes, rate and end of a new key; `now` by the clock of the database. Errors: `permission_denied` for a key beyond
 * the bounds, `invalid_write` for a time that is malformed or past.
 */
export function planNewKey(
  bounds: KeyBounds,
  request: NewKeyRequest,
  now: string,
): KeyValues & { readonly scopes: readonly string[] } {
  const scopes = request.scopes ?? DEFAULT_SCOPES;
  const missing = scopes.findIndex((scope) => bounds.scopes?.has(scope) === false);
  if (missing >= 0) {
    throw beyond('scopes', say('key_scope_not_given', { scope: String(scopes[missing]) }));
  }
  const requests_per_minute = planRate(bounds, request.requests_per_minute);
  const sent = request.expires_at;
  const expires_at =
    sent === undefined ? bounds.expires_at : sent === null ? null : requireMoment(sent, now);
  if (bounds.expires_at !== null && (expires_at === null || isAfter(expires_at, bounds))) {
    throw beyond('expires_at', say('key_life_not_given'));
  }
  return { scopes, requests_per_minute, expires_at };
}

/**
 * Whether a new key passes gates; left out, keys of agents do not. A key that does not gives none that does. Errors:
 * `permission_denied`.
 */
export function planKeyGates(
  gates: boolean | undefined,
  { kind, mayPass }: { readonly kind: 'user' | 'agent'; readonly mayPass: boolean },
): boolean {
  if (gates === true && !mayPass) {
    throw beyond('gates', say('key_gates_not_given'));
  }
  return gates ?? (mayPass && kind === 'user');
}

/** The changed key, and the names of the changed parts. Errors: those of `planNewKey`. */
export function planKeyChange(
  bounds: KeyBounds,
  key: KeyValues & { readonly name: string },
  { name = key.name, ...request }: KeyChangeRequest,
  now: string,
) {
  const after = {
    name,
    requests_per_minute:
      request.requests_per_minute === undefined ||
      request.requests_per_minute === key.requests_per_minute
        ? key.requests_per_minute
        : planRate(bounds, request.requests_per_minute),
    expires_at: planEnd(key.expires_at, request.expires_at, now),
  };
  const words = ['name', 'requests_per_minute', 'expires_at'] as const;
  return { after, changed_fields: words.filter((word) => after[word] !== key[word]) };
}

function planRate({ rate }: KeyBounds, sent: number | null | undefined): number | null {
  if (rate === null) return sent ?? null;
  if (sent === undefined) return rate.stored;
  // The number of the service may grow after a number of one's own was given.
  const isWithin = sent === null ? rate.stored === null : sent <= rate.requests_per_minute;
  if (isWithin) return sent;
  const most = `${rate.requests_per_minute} requests per minute`;
  throw beyond('requests_per_minute', say('rate_not_given', { most }));
}

/** A key can end earlier than it would, never later. */
function planEnd(present: string | null, sent: string | null | undefined, now: string) {
  if (sent === undefined) return present;
  const end = sent === null ? null : requireMoment(sent, now);
  if (end === present) return present;
  if (end !== null && (present === null || Date.parse(end) < Date.parse(present))) return end;
  throw invalid('expires_at', say('key_end_not_later'));
}

function isAfter(moment: string, { expires_at }: KeyBounds): boolean {
  return expires_at !== null && Date.parse(moment) > Date.parse(expires_at);
}

function requireMoment(sent: string, now: string): string {
  const parsed = parseDateTime(sent);
  if ('problem' in parsed) throw invalid('expires_at', about('The value', parsed.problem));
  const moment = parsed.value as string;
  if (Date.parse(moment) > Date.parse(now)) return moment;
  throw invalid('expires_at', say('must_be_future'));
}

function beyond(param: string, message: Message): Error {
  return refusal({ param, message, code: 'permission_denied' });
}

function invalid(param: string, message: Message): Error {
  return refusal({ param, message, code: 'invalid_write' });
}

function refusal(problem: Problem): Error {
  return errorFromProblems([problem]);
}

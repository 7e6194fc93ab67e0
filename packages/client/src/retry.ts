// Decides when a failed attempt is repeated and how long after. It sends no request.

import { isRecordsError, type RecordsError } from './errors.ts';

/**
 * `refused`: the call had no effect. `unknown`: it may have had one, there is no answer. `running`: an earlier
 * attempt is still at work. `final`: another attempt would get the same answer.
 */
export type Failure = 'refused' | 'unknown' | 'running' | 'final';

/** Milliseconds: the longest first wait, doubled with each retry up to the last. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;

/** 502 and 504 come from proxies; 503 from either, and a commit may have been behind it. */
const WITHOUT_OUTCOME: ReadonlySet<number> = new Set([502, 503, 504]);

export function failureOf(error: RecordsError): Failure {
  if (error.status === 429) return 'refused';
  if (isRunning(error)) return 'running';
  return error.status === 0 || WITHOUT_OUTCOME.has(error.status) ? 'unknown' : 'final';
}

/** Whether a stream or feed ends with this error, because another attempt would get the same answer. */
export function isLasting(error: RecordsError): boolean {
  return failureOf(error) === 'final' && error.status < 500;
}

/** Whether a write may have been done although this came instead of its answer. */
export function leavesOpen(error: RecordsError): boolean {
  const { status, code } = error;
  return status === 0 || status >= 500 || code === 'unexpected_answer' || isRunning(error);
}

/**
 * Whether this answer under a key shows that no earlier attempt was done: else its stored answer would have come.
 * Rights are checked before the stored answer, so their refusals show nothing.
 */
export function isDefiniteRefusal({ status, code }: RecordsError): boolean {
  return DEFINITE_REFUSALS.has(status) && code !== 'unexpected_answer';
}

const DEFINITE_REFUSALS: ReadonlySet<number> = new Set([400, 409, 412, 413, 415, 422]);

/**
 * Whether a session has to be started again for the call, which had no effect then. A password that is wrong has its
 * field named.
 */
export function needsSignIn({ status, code, param }: RecordsError): boolean {
  return (status === 401 && param === undefined) || code === 'fresh_sign_in_required';
}

function isRunning(error: RecordsError): boolean {
  return isRecordsError(error, 'idempotency_key_in_use');
}

/**
 * Milliseconds before the next attempt: any time up to the limit, so that clients that failed together do not come
 * back together. The wait is never shorter than `Retry-After`.
 */
export function waitBefore(retry: number, retryAfter = 0): number {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** retry);
  return retryAfter * 1000 + Math.random() * longest;
}

/** Rejects with the reason of the signal when it is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

// A call: a request that is made again while that is safe and of use, under one Idempotency-Key and
// within one limit of time.

import {
  attempt,
  type Connection,
  type Operation,
  type Outgoing,
  outgoing,
  requireVisible,
} from './connection.ts';
import { isRecordsError, type RecordsError } from './errors.ts';
import {
  failureOf,
  isDefiniteRefusal,
  leavesOpen,
  needsSignIn,
  sleep,
  waitBefore,
} from './retry.ts';
import { ENDPOINTS, type Endpoints } from './schema.ts';

export interface CallOptions {
  /** Ends the call, whatever it waits for; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, instead of the client's. */
  readonly timeout?: number | undefined;
  /** The idempotency key of a write, instead of a generated one. The same key and request are never applied twice. */
  readonly idempotencyKey?: string | undefined;
}

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** The arguments of a route. */
export type Ask<Name extends Operation> = Part<'params', Endpoints[Name]['params']> &
  Part<'query', Endpoints[Name]['query']> &
  Part<'body', Endpoints[Name]['body']> & {
    readonly filters?: string;
    /** The media type of a body that is a file. */
    readonly mediaType?: string;
    /** The version the record must still have. */
    readonly version?: string | undefined;
    /** Milliseconds for which the service may keep the answer back. */
    readonly held?: number;
    /** True: it does something else a second time, so it is not repeated when its outcome is unknown. */
    readonly once?: boolean;
  };

export type Send = <Name extends Operation>(
  name: Name,
  ask: Ask<Name>,
  options?: CallOptions,
) => Promise<Endpoints[Name]['result']>;

/** Milliseconds for one attempt: a connection may be dead without anybody saying so. */
const ATTEMPT = 30_000;

export function openSender(connection: Connection): Send {
  return async <Name extends Operation>(
    name: Name,
    ask: Ask<Name>,
    options: CallOptions = {},
  ): Promise<Endpoints[Name]['result']> => {
    const idempotent = ENDPOINTS[name].endsWith(' idempotent');
    const key = idempotent ? (options.idempotencyKey ?? connection.makeKey()) : undefined;
    const headers = {
      ...(key === undefined ? {} : { 'Idempotency-Key': requireVisible('idempotencyKey', key) }),
      ...(ask.version === undefined ? {} : { 'If-Match': tagOf(ask.version) }),
    };
    const request = outgoing(connection, name, { ...ask, headers });
    const isKeyed = key !== undefined;
    // The routes that take no key read, mark as read, delete or unlink: a second time does no harm.
    const isSafe = isKeyed || !(idempotent || ask.once === true);
    return repeat(connection, request, { ...options, held: ask.held ?? 0, isKeyed, isSafe });
  };
}

/** The tag of a version, or of an ETag that a proxy may have made weak. */
function tagOf(version: string): string {
  return version === '*' ? version : `"${version.replace(/^(?:W\/)?"(.*)"$/, '$1')}"`;
}

interface Repetition extends CallOptions {
  /** True when an attempt whose outcome is unknown may be made again. */
  readonly isSafe: boolean;
  readonly isKeyed: boolean;
  /** Milliseconds that each attempt may take longer than others. */
  readonly held: number;
}

async function repeat<Result>(
  connection: Connection,
  request: Outgoing,
  { isSafe, isKeyed, held, signal, timeout = connection.timeout }: Repetition,
): Promise<Result> {
  let end = performance.now() + timeout + held;
  let [isOpen, mayAsk] = [false, true];
  for (let retry = 0; ; retry += 1) {
    try {
      const limit = Math.min(ATTEMPT + held, end - performance.now());
      return (await attempt(connection, request, { limit, signal })) as Result;
    } catch (error) {
      if (!isRecordsError(error)) throw error;
      isOpen = leavesOpen(error) || (isOpen && !(isKeyed && isDefiniteRefusal(error)));
      if (mayAsk && needsSignIn(error)) {
        mayAsk = false;
        if (await connection.signInAgain(error)) {
          end = performance.now() + timeout + held;
          continue;
        }
      }
      const wait = waitBefore(retry, error.retryAfter);
      const isLast = retry >= connection.maxRetries || performance.now() + wait >= end;
      if (isLast || !mayRepeat(error, isSafe)) {
        throw Object.assign(error, { outcomeUnknown: isOpen });
      }
      connection.onWait({ milliseconds: wait, error });
      await sleep(wait, signal);
    }
  }
}

function mayRepeat(error: RecordsError, isSafe: boolean): boolean {
  const failure = failureOf(error);
  return failure === 'refused' || (isSafe && failure !== 'final');
}

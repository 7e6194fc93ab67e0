// A call of a route and its answer, without sockets: the input and output of the request pipeline. A transport
// carries it, over HTTP or inside the process.

import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '../../errors.ts';
import type { CancelSignal } from '../../model/cancel-signal.ts';
import type { RateState } from '../../model/rights/api-key-form.ts';
import type { Coding } from '../answer/content-coding.ts';
import type { Authenticated, QueryStats, SseConnection } from '../route/route.ts';
import type { Site } from './site.ts';

export interface Call {
  readonly requestId: string;
  /** `performance.now()` at the arrival. */
  readonly startedAt: number;
  /** The method of the request; `HEAD` is answered like `GET`. */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly transport: Transport;
  /** Method and path pattern, for the log; never the path itself. */
  route: string;
  /** The secret in the path, of a route that has one there; then no other credential is read. */
  feedSecret?: string | undefined;
  /** Known once the caller is authenticated. */
  authenticated: Authenticated | undefined;
  /** Known once the call is counted, or refused without being counted. */
  rate: RateState | undefined;
  /** The statements that were sent to PostgreSQL for it. */
  readonly stats: QueryStats;
  /** Milliseconds of waits and transfers without an admission ticket. */
  outsideMs: number;
}

/** The functions of its transport that a call needs. */
export interface Transport {
  /** The caller, when it is known without a secret; the `Authorization` header is then not read. */
  readonly caller?: (() => Authenticated | Promise<Authenticated>) | undefined;
  /** Called with the caller, after authentication. */
  authenticatedAs(authenticated: Authenticated): void;
  /** True when a header was sent more than once. */
  isRepeated(header: string): boolean;
  /** False on the host of another workspace than the one with this slug. */
  isHostOf(slug: string): boolean;
  /** Where its client is, and where it takes the service to be. */
  site(): Site;
  /** True when the client waits for `100 Continue` before it sends the body. */
  readonly isBodyOnDemand: boolean;
  /** Errors: `service_unavailable` while earlier answers to the same client wait to be read. */
  requireRead(): void;
  /**
   * All bytes of the body; undefined when the client is gone. Errors: what `refuse` makes,
   * `service_unavailable`.
   */
  readBody(rules: BodyLimit): Promise<Buffer | undefined>;
  /**
   * Gives the body to `receive` as it arrives, without an admission ticket; undefined when the client has left before
   * the end. Errors: what `refuse` makes, `service_unavailable`, those of `receive`.
   */
  receiveBody<Result>(
    rules: BodyLimit,
    receive: (pieces: AsyncIterable<Buffer>) => Promise<Result>,
  ): Promise<Result | undefined>;
  /**
   * Wait until an ignored body of at most so many bytes has arrived; false when the client has
   * disconnected. Errors: `payload_too_large`, `service_unavailable`.
   */
  skipBody(limit: number): true | Promise<boolean>;
  /**
   * Wait without an admission ticket; false when the client has left meanwhile. Errors: those of `wait`,
   * `service_unavailable` when there is no ticket afterwards.
   */
  outsideAdmission(wait: () => Promise<void>): Promise<boolean>;
  /** Aborts when the client leaves before its answer. */
  signal(): CancelSignal;
}

export interface BodyLimit {
  /** Bytes. */
  readonly limit: number;
  /** Makes the error for a longer body. */
  readonly refuse: () => ApiError;
}

/** Where the router found the route. */
export interface Routed {
  /** The path of the request, without the query string. */
  readonly path: string;
  /** Decoded, not yet checked. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The text after `?`. */
  readonly query: string;
}

export interface Answer {
  readonly status: number;
  /** Names and values in alternation; the transport adds its own, such as `Content-Length`. */
  readonly headers: readonly string[];
  /** Undefined: no body (304). */
  readonly body: unknown;
  /** The body as JSON. */
  readonly text: string | undefined;
  /** The coding that the transport has to encode the text in; `Content-Encoding` is among the headers. */
  readonly coding?: Coding | undefined;
  /** True when it may be replaced by 503 for a client that has not read earlier answers. */
  readonly isRefusable: boolean;
  /** Why it is an error, for the log. */
  readonly failure?: ApiError;
}

/** An answer that stays open. Either `start` or `discard` is called, once. */
export interface StreamAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  /** True of events, among which a comment may stand; false of a file. */
  readonly isOfEvents: boolean;
  start(connection: SseConnection): void;
  /** Release the stream when its client has disconnected. */
  discard(): void;
}

export type CallAnswer = Answer | StreamAnswer;

/** A call that has just come. */
export function openCall(
  given: Pick<Call, 'requestId' | 'method' | 'headers' | 'transport'>,
): Call {
  return {
    requestId: given.requestId,
    startedAt: performance.now(),
    method: given.method,
    headers: given.headers,
    transport: given.transport,
    route: given.method,
    authenticated: undefined,
    rate: undefined,
    stats: { statements: 0, roundTrips: 0 },
    outsideMs: 0,
  };
}

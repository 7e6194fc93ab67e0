// A route as data: contract and handler in one object. Validation, OpenAPI, the common tests and the
// server all come from this object; a route has no other description.

import type Type from 'typebox';
import type { ErrorCode, Problem } from '../../errors.ts';
import type { CancelSignal } from '../../model/cancel-signal.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller, Scope } from '../../model/rights/access.ts';
import type { CredentialKind } from '../../model/rights/principal.ts';
import type { Site } from '../request/site.ts';

/** One `filter[…]=value` parameter: `param` as sent (decoded), `path` the names in brackets. */
export interface FilterParameter {
  readonly param: string;
  readonly path: readonly string[];
  readonly value: string;
}

/** An `Idempotency-Key` with the SHA-256 of method, path and raw body. */
export interface Claim {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** A request that passed all checks: authenticated, counted, and of the route's shape. */
export interface RouteRequest<Params, Query, Body> extends Authenticated {
  readonly params: Params;
  readonly query: Query;
  readonly filters: readonly FilterParameter[];
  readonly body: Body;
  /** Raw `If-Match` header; several lines joined with a comma. */
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Raw `Range` and `If-Range` headers. */
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  /** The `Idempotency-Key` that was sent, on routes that honour it. */
  readonly claim: Claim | undefined;
  readonly requestId: string;
  /** Incremented by the code that sends statements for the request. */
  readonly stats: QueryStats;
  /** Raw `Last-Event-ID` header; empty counts as absent. */
  readonly lastEventId: string | undefined;
  /**
   * Repeat the checks without counting, for the present rights of the caller. Errors: those of
   * the checks.
   */
  admitAgain(): Authenticated | Promise<Authenticated>;
  /** Aborts when the client leaves before its answer: statements that run for it are cancelled. */
  readonly signal: () => CancelSignal;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: () => number;
  /** Where the client is, and where it takes the service to be. */
  readonly site: () => Site;
  /** False on the host of another workspace than the one with this slug. */
  readonly isHostOf: (slug: string) => boolean;
  /** The raw `Cookie` header. */
  readonly cookies: string | undefined;
  /** The raw `Accept` header. */
  readonly accept: string | undefined;
  /** The raw `Accept-Language` header. */
  readonly acceptLanguage: string | undefined;
}

/** A request of an open route, with or without credentials. */
export type OpenRequest<Params, Query, Body> = Omit<
  RouteRequest<Params, Query, Body>,
  keyof Authenticated | 'admitAgain'
>;

/** Statements sent for a request, and their round trips. */
export interface QueryStats {
  statements: number;
  roundTrips: number;
}

/** The caller, their principal, and the model of their workspace. */
export interface Authenticated {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

/** Errors: `invalid_api_key`, `api_key_expired`; of a session `invalid_credentials`, of a feed `record_not_found`. */
export type Authenticate = (
  secret: string,
  kind: CredentialKind,
) => Authenticated | Promise<Authenticated>;

/** The caller of an administrator who views as a person. Errors: `permission_denied`, `viewing_ended`. */
export type View = (viewer: Authenticated, userId: number) => Promise<Authenticated>;

/** The result of a handler; `status` only to differ from the route's. 304 has no body. */
export interface Reply {
  readonly status?: number;
  readonly body: unknown;
  /** The body as it is sent, when it was printed before: JSON, unless `headers` have another `Content-Type`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A `Set-Cookie` header each. */
  readonly cookies?: readonly string[];
  /** The version of the record in the body; the pipeline makes the `ETag` from it. */
  readonly version?: string | undefined;
}

/**
 * An answer that stays open: `stream` is given the connection once the headers are sent. Without a
 * `Content-Type` it is one of Server-Sent Events.
 */
export interface StreamReply {
  /** Only to differ from the route's. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  stream(connection: SseConnection): void;
  /** Called in place of `stream` when nothing is to be sent. */
  discard?(): void;
}

/**
 * An answer that is made later. Until then its request has no admission ticket and counts as an open stream.
 */
export interface LaterReply {
  /** `closing` is aborted when the process stops. Resolves soon when it is, and when the client has left. */
  wait(closing: CancelSignal): Promise<void>;
  /** Errors: as of a handler. */
  answer(): Promise<Reply>;
}

/** A connection on which Server-Sent Events are written as they come. */
export interface SseConnection {
  isOpen(): boolean;
  /** False while the buffer of the client is full. */
  hasRoom(): boolean;
  /** Writes even when the buffer is full; ignored once the connection is closed. */
  write(text: string | Uint8Array): void;
  /** Resolves when the client has read what was buffered. It is closed when that takes too long. */
  drained(): Promise<void>;
  end(): void;
  /** Close it so that the client notices that something is missing. */
  fail(): void;
  /** `handler` is called once, when either side has ended it. */
  onClose(handler: () => void): void;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** docs/versions.md, "What is deprecated". */
export interface Deprecation {
  /** Days such as `2027-03-01`: since it is deprecated, and the first day on which it may be gone. */
  readonly since: string;
  readonly sunset: string;
  /** A sentence: what takes its place. */
  readonly instead: string;
}

export interface FileContract {
  readonly types: readonly string[];
  /** Bytes. */
  readonly limit: number;
  /**
   * True for queries of which the file may have any media type, and is read by the handler as it arrives: then
   * `request.body` is an `ArrivingFile`.
   */
  readonly arrives?: (query: Readonly<Record<string, unknown>>) => boolean;
}

/** The body of a route that takes a file. */
export interface SentFile {
  /** One of the media types of the route. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A file that is read as it arrives, in constant memory. */
export interface ArrivingFile {
  /** The media type in lower case, without parameters. */
  readonly type: string;
  /** The bytes that the client has announced; undefined: it has not. */
  readonly announced: number | undefined;
  /**
   * Gives its bytes to `store`, at most so many. Undefined when the client has left before the end; then `store` has
   * failed. Errors: `payload_too_large`, `service_unavailable`, those of `store`.
   */
  receive<Result>(
    limit: number,
    store: (pieces: AsyncIterable<Buffer>) => Promise<Result>,
  ): Promise<Result | undefined>;
}

export interface RouteContract<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
> {
  readonly method: Method;
  /** Path below `/v1`, parameters in braces. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Null: any valid key. A list: one of them. */
  readonly scope: Scope | readonly Scope[] | null;
  /** True: a person must be signed in; keys hear `permission_denied`. */
  readonly sessionOnly?: boolean;
  /** True: a session must have signed in less than 30 minutes ago, else `fresh_sign_in_required`; keys are exempt. */
  readonly fresh?: boolean;
  /** True: also for a session that lacks a required second factor; on other routes it gets `second_factor_missing`. */
  readonly duringSetUp?: boolean;
  /** True: answered without authentication. */
  readonly open?: boolean;
  /** True: its caller is that of a calendar feed, whose secret is the parameter `secret` of the path. */
  readonly feed?: boolean;
  /** True: there is no such route while OAUTH is off. */
  readonly oauth?: boolean;
  /** True, of an open route: for the operator's key alone, and unknown where there is none. */
  readonly operator?: boolean;
  readonly params: Params;
  /**
   * Scalar query parameters; all else in the query string is refused. Integers arrive as numbers;
   * a property with a `default` need not be sent. `cursor=`, `q=` and `fields=` count as absent.
   */
  readonly query: Query;
  /** True when `filter[field][op]=value` is accepted as well. */
  readonly filters?: boolean;
  /** True when parameters of other names are ignored: somebody else makes the query string. */
  readonly ignoresOtherQuery?: boolean;
  /** Absent: the route takes no body and ignores one that is sent. */
  readonly body?: Body;
  /** True when an empty body means `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodyLimit?: 'batch';
  /** The body is a file of one of these media types: `request.body` is a `SentFile`. */
  readonly takesFile?: FileContract;
  /** True when `If-Match` is honoured. */
  readonly preconditions?: boolean;
  /** True when `Idempotency-Key` is honoured. */
  readonly idempotent?: boolean;
  /** 303: a browser is sent elsewhere. */
  readonly status: 200 | 201 | 202 | 303;
  /** The schema of the result; for an answer that stays open, of one event. */
  readonly result: Type.TSchema;
  /** The body of a 202: a job does the work. */
  readonly accepted?: Type.TSchema;
  /** True when the answer is a stream of Server-Sent Events and `Last-Event-ID` is honoured. */
  readonly events?: boolean;
  /** The answer is a file of one of these media types, as a stream. */
  readonly givesFile?: readonly string[];
  /** True when a `Range` of the file is honoured. */
  readonly ranges?: boolean;
  /** True when the answer may be 302 to the address of the file. */
  readonly redirects?: boolean;
  /** True when 2xx answers carry an `ETag`: one that is stored, or a digest of the body. */
  readonly etag?: boolean;
  /** The operation will go: its answers say since when and until when, and the OpenAPI document has it as deprecated. */
  readonly deprecated?: Deprecation;
  /**
   * True: a malformed path value is the route's 404 although the route answers 400 elsewhere
   * (D9).
   */
  readonly malformedPathIsNotFound?: boolean;
  /** Codes beyond those of every route (401s, 403 of host, access and scope, 429, 5xx). */
  readonly errors: readonly ErrorCode[];
}

export interface Route<
  Context,
  Params extends Type.TSchema = Type.TSchema,
  Query extends Type.TSchema = Type.TSchema,
  Body extends Type.TSchema = Type.TSchema,
> extends RouteContract<Params, Query, Body> {
  /** Additional properties of a problem of the body, such as the index of its operation. */
  labelProblem?(problem: Problem, body: unknown): Problem;
  handle(
    request: RouteRequest<Type.Static<Params>, Type.Static<Query>, Type.Static<Body>>,
    context: Context,
  ): Promise<Reply | StreamReply | LaterReply>;
}

/** The scopes of a route, any of which is enough; undefined when none is needed. */
export function scopesOf({
  scope,
}: {
  readonly scope: Scope | readonly Scope[] | null;
}): readonly Scope[] | undefined {
  if (scope === null) return undefined;
  return typeof scope === 'string' ? [scope] : scope;
}

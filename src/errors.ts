// The one catalogue of failures: code → HTTP status, error type and default message, and the only error class. It
// does not depend on HTTP servers or databases; code that raises an error picks a code here.

import { LIMITS } from './limits.ts';
import { type Message, say } from './messages/message.ts';

/** Error types of the envelope (specification §7). */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error';

interface CatalogueEntry {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
}

function entry(status: number, type: ErrorType, message: string): CatalogueEntry {
  return Object.freeze({ status, type, message });
}

/** Every error code the service can answer (specification §7, docs/decisions.md "Errors"). */
export const ERROR_CATALOGUE = Object.freeze({
  invalid_json: entry(400, 'invalid_request_error', 'The request body is not valid JSON.'),
  validation_failed: entry(400, 'invalid_request_error', 'The request is not valid.'),
  invalid_filter: entry(400, 'invalid_request_error', 'The filter is not valid.'),
  invalid_cursor: entry(
    400,
    'invalid_request_error',
    'The cursor does not belong to this request. Start again without a cursor.',
  ),
  missing_api_key: entry(
    401,
    'authentication_error',
    'Send an API key as "Authorization: Bearer <API_KEY>".',
  ),
  invalid_api_key: entry(401, 'authentication_error', 'The API key is not valid.'),
  api_key_expired: entry(401, 'authentication_error', 'The API key has expired.'),
  invalid_credentials: entry(
    401,
    'authentication_error',
    'The workspace, the address, the password or the link is not valid.',
  ),
  second_factor_required: entry(
    401,
    'authentication_error',
    'The first step of the sign-in is right. Send the second factor with the challenge.',
  ),
  developer_access_revoked: entry(
    403,
    'permission_error',
    'The user of this API key no longer has developer access.',
  ),
  tenant_host_mismatch: entry(
    403,
    'permission_error',
    'The API key does not belong to the workspace of this host.',
  ),
  insufficient_scope: entry(403, 'permission_error', 'The API key lacks a scope for this request.'),
  cross_site_request: entry(
    403,
    'permission_error',
    'A request with a session must come from a page of the service itself.',
  ),
  fresh_sign_in_required: entry(
    403,
    'permission_error',
    'The last sign-in is more than 30 minutes ago. Sign in again.',
  ),
  second_factor_missing: entry(
    403,
    'permission_error',
    'A role of the person requires a second factor. Set one up first.',
  ),
  viewing_ended: entry(403, 'permission_error', 'This session no longer views as this person.'),
  permission_denied: entry(403, 'permission_error', 'The user may not do this.'),
  search_not_supported: entry(
    403,
    'permission_error',
    'This object type has no display field to search in.',
  ),
  write_not_supported: entry(
    403,
    'permission_error',
    'This object type does not support this write through the API.',
  ),
  route_not_found: entry(404, 'not_found_error', 'There is no such route.'),
  object_not_available: entry(404, 'not_found_error', 'There is no such object type.'),
  record_not_found: entry(404, 'not_found_error', 'There is no such record.'),
  user_not_found: entry(404, 'not_found_error', 'There is no such user.'),
  workflow_not_found: entry(404, 'not_found_error', 'There is no such workflow.'),
  history_not_supported: entry(404, 'not_found_error', 'This object type has no history.'),
  comments_not_supported: entry(404, 'not_found_error', 'This object type has no comments.'),
  method_not_allowed: entry(
    405,
    'invalid_request_error',
    'The route does not support this method.',
  ),
  request_timeout: entry(408, 'invalid_request_error', 'The request did not arrive in time.'),
  conflict: entry(409, 'conflict_error', 'The request conflicts with existing data.'),
  idempotency_key_in_use: entry(
    409,
    'idempotency_error',
    'A request with this Idempotency-Key is still in progress.',
  ),
  cursor_expired: entry(
    410,
    'invalid_request_error',
    'The cursor is no longer valid. List everything again.',
  ),
  stale_record: entry(412, 'conflict_error', 'The record has changed since it was read.'),
  payload_too_large: entry(413, 'invalid_request_error', 'The request body is too large.'),
  unsupported_media_type: entry(
    415,
    'invalid_request_error',
    'Send the body as "Content-Type: application/json" in UTF-8.',
  ),
  range_not_satisfiable: entry(
    416,
    'invalid_request_error',
    'The file has no bytes in this range.',
  ),
  invalid_write: entry(422, 'invalid_request_error', 'The write was rejected.'),
  idempotency_key_reused: entry(
    422,
    'idempotency_error',
    'This Idempotency-Key was used with a different request.',
  ),
  rate_limited: entry(429, 'rate_limit_error', 'The rate limit is exceeded.'),
  too_many_streams: entry(
    429,
    'rate_limit_error',
    'There are too many open streams of this key or workspace. Close some, then try again.',
  ),
  headers_too_large: entry(431, 'invalid_request_error', 'The request headers are too large.'),
  internal_error: entry(
    500,
    'api_error',
    'The service could not answer because of an internal error. The error was logged.',
  ),
  service_unavailable: entry(503, 'api_error', 'The service is busy. Try again shortly.'),
});

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** The message of a code, whose id is the code. */
export function messageOf(code: ErrorCode): Message {
  return { id: code, text: ERROR_CATALOGUE[code].message };
}

/**
 * One problem of a request; `param` is a path such as `fields.amount` or `filter[due_date][gte]`.
 */
export interface Problem {
  readonly param?: string;
  readonly code: ErrorCode;
  readonly message: Message;
  readonly [extra: string]: unknown;
}

/** Collects the problems that a parser finds. */
export type Problems = Problem[];

interface ApiErrorOptions {
  /** Else that of the code. */
  readonly message?: Message | undefined;
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Extra response headers, e.g. `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An expected failure; everything else that is thrown is answered as `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** Undefined: the message is that of the code. */
  readonly translatable: Message | undefined;
  readonly param: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message?.text ?? ERROR_CATALOGUE[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.translatable = options.message;
    this.param = options.param;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }

  get type(): ErrorType {
    return ERROR_CATALOGUE[this.code].type;
  }
}

/** True for an answer below 500: the request cannot be carried out, and the service works. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500;
}

/** There is no such record for the caller. */
export function recordNotFound(): ApiError {
  return new ApiError('record_not_found', { param: 'record_id' });
}

/** "Not now, but soon": the client can send the request again. `reason`: the message when the cause has none of its own. */
export function unavailable(cause: unknown, reason?: Message): ApiError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new ApiError('service_unavailable', {
    message: OUT_OF_RESOURCES[code] ?? reason,
    ...{ cause, headers: { 'Retry-After': '1' } },
  });
}

/** By SQLSTATE of PostgreSQL, or the code of the system: the reason for the client, besides that the service is busy. */
const OUT_OF_RESOURCES: Readonly<Record<string, Message>> = {
  '53100': say('database_disk_full'),
  '53300': say('database_connections_used'),
  ENOSPC: say('file_disk_full'),
};

const DEFINITION_CHANGED = Symbol('definition changed');

/** The request was planned by a definition that is no longer in force: planned again, it may succeed (D392). */
export function definitionChanged(cause: unknown): ApiError {
  const message = say('definition_replaced');
  const error = new ApiError('service_unavailable', {
    ...{ message, cause },
    headers: { 'Retry-After': '1' },
  });
  return Object.assign(error, { [DEFINITION_CHANGED]: true });
}

export function isDefinitionChanged(error: unknown): boolean {
  return error instanceof ApiError && DEFINITION_CHANGED in error;
}

/** SQLSTATE of a statement that names a table, column or type as an earlier definition had it. */
const ABSENT_NAMES: ReadonlySet<unknown> = new Set(['42P01', '42703', '42883', '42804', '0A000']);

/** Whether the statement may have been compiled for a definition that was replaced meanwhile. */
export function namesAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT_NAMES.has(error.code);
}

/**
 * The error of a part of a request, with the place of the part before each of its params, such as `queries[1]`; an
 * error without a part keeps its form.
 */
export function placedError(error: unknown, place: string): unknown {
  if (!isRefusal(error)) return error;
  const { code, translatable: message, param, details, headers, cause } = error;
  const placed = (name: string | undefined) => (name === undefined ? place : `${place}.${name}`);
  const { errors, ...others } = (details ?? {}) as { readonly errors?: readonly Problem[] };
  const all = errors?.map((problem) => ({ ...problem, param: placed(problem.param) }));
  return new ApiError(code, {
    ...{ message, cause, headers, param: placed(param) },
    ...(details === undefined ? {} : { details: { ...others, ...(all && { errors: all }) } }),
  });
}

/** Problems in one answer; a hostile batch could have a million. */
const MOST_PROBLEMS = 100;

/**
 * The error of a request with one or more problems: the first decides, `details.errors` has all, up to 100, and
 * `details.more_errors` says how many more there are. `details` has the further properties of the first as well.
 */
export function errorFromProblems(problems: readonly Problem[], cause?: unknown): ApiError {
  const [first] = problems;
  if (first === undefined) throw new Error('errorFromProblems needs at least one problem');
  const errors = problems.slice(0, MOST_PROBLEMS).map(shortProblem);
  const { param, code, message, operation_index: _, action: __, ...further } = errors[0] as Problem;
  const more = problems.length - errors.length;
  return new ApiError(code, {
    message,
    cause,
    ...(param === undefined ? {} : { param }),
    details: { ...further, errors, ...(more === 0 ? {} : { more_errors: more }) },
  });
}

/** Longest `param` and message of an answer; both may repeat names that the client chose. */
const PARAM_LENGTH = 300;
const MESSAGE_LENGTH = 2000;

function shortProblem(problem: Problem): Problem {
  const { param = '', message } = problem;
  if (param.length <= PARAM_LENGTH && message.text.length <= MESSAGE_LENGTH) return problem;
  const short = { ...problem, message: cutMessage(message) };
  return param === '' ? short : { ...short, param: cutText(param, PARAM_LENGTH) };
}

function cutMessage({ id, text, params = {} }: Message): Message {
  const cut = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? cutText(value, MESSAGE_LENGTH) : value,
  ]);
  return { id, text: cutText(text, MESSAGE_LENGTH), params: Object.fromEntries(cut) };
}

/** The part of a client's name that an answer repeats. */
export function shownName(name: string): string {
  return cutText(name, LIMITS.nameShown);
}

/** Names of unknown properties or fields, of which a client may send thousands. */
export function shownNames(names: readonly string[], count: number = names.length): string {
  const shown = names.slice(0, LIMITS.namesShown).map((name) => JSON.stringify(shownName(name)));
  const more = count - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The start of a text, marked as such; never half a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHigh = (text.charCodeAt(length - 2) & 0xfc00) === 0xd800;
  return `${text.slice(0, length - (isHigh ? 2 : 1))}…`;
}

const OPERATOR_ERROR = Symbol('operator error');

/** A failure whose one-line message is meant for the operator at the terminal (exit code 1). */
export function operatorError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { [OPERATOR_ERROR]: true });
}

export function isOperatorError(error: unknown): error is Error {
  return error instanceof Error && OPERATOR_ERROR in error;
}

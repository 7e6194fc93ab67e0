// The errors of a call: an error with the code of the service, or one of three that explain why there is no answer of
// the service at all.

import type { Endpoints, ErrorCode, ErrorType, Problem } from './schema.ts';

/** No answer, none in time, or one that is not of the service (of a proxy, say). */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unexpected_answer';

export type RecordsErrorCode = ErrorCode | ClientErrorCode;

/** A result of an operation of a batch. */
export type BatchResult = Endpoints['batchRecords']['result']['data']['results'][number];

export interface ProblemDetail extends Problem {
  /** The index of the operation in a batch, from 0. */
  readonly operation_index?: number;
  readonly action?: string;
}

export interface ErrorDetails {
  /** Everything that was found wrong, up to 100. */
  readonly errors?: readonly ProblemDetail[];
  readonly [name: string]: unknown;
}

export interface RecordsError<Code extends RecordsErrorCode = RecordsErrorCode> extends Error {
  readonly name: 'RecordsError';
  readonly code: Code;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly type: ErrorType | 'client_error';
  /** The place of the problem, such as `fields.amount`. */
  readonly param: string | undefined;
  readonly details: ErrorDetails | undefined;
  /** The id of the request in the log of the service, for its operator. */
  readonly requestId: string | undefined;
  /** Seconds to wait, by the service. */
  readonly retryAfter: number | undefined;
  /**
   * True when an attempt of this write may have done its work although no answer came. The error may then be a
   * consequence of that attempt.
   */
  readonly outcomeUnknown: boolean;
  /** The results of `batchAll` before the part that failed. */
  readonly completed: readonly BatchResult[] | undefined;
}

/** Shared by all copies of the package in a program, unlike a class. */
const BRAND = Symbol.for('@workspace-records/client.error');

/** True when a call has failed with this code, or with any. */
export function isRecordsError<Code extends RecordsErrorCode = RecordsErrorCode>(
  error: unknown,
  code?: Code,
): error is RecordsError<Code> {
  if (!(error instanceof Error) || !(BRAND in error)) return false;
  return code === undefined || (error as Error & Partial<RecordsError>).code === code;
}

type Told = Pick<RecordsError, 'code'> & Partial<Omit<RecordsError, 'code' | 'name' | 'stack'>>;

export function recordsError({ message, cause, ...told }: Told): RecordsError {
  const error = new Error(message, cause === undefined ? {} : { cause });
  return Object.assign(error, {
    [BRAND]: true,
    name: 'RecordsError' as const,
    status: 0,
    type: 'client_error' as const,
    param: undefined,
    details: undefined,
    requestId: undefined,
    retryAfter: undefined,
    outcomeUnknown: false,
    completed: undefined,
    ...told,
  });
}

/** The error in an answer that is not a success, from the service or from a proxy. */
export function errorOfAnswer(response: Response, text: string): RecordsError {
  const { status, headers } = response;
  const retryAfter = secondsOf(headers.get('retry-after'));
  const requestId = headers.get('x-request-id') ?? undefined;
  const error = envelopeOf(text);
  if (error === undefined) {
    const message = `The answer (${status}) is not one of the service.`;
    return recordsError({ code: 'unexpected_answer', message, status, retryAfter, requestId });
  }
  const { code, type, message, param, details } = error;
  return recordsError({ code, type, message, status, param, details, retryAfter, requestId });
}

function envelopeOf(text: string): RecordsError | undefined {
  const answer = parsed(text) as { readonly error?: Partial<RecordsError> } | null | undefined;
  const error = answer?.error;
  return typeof error?.code === 'string' ? (error as RecordsError) : undefined;
}

/** Undefined for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After`: seconds, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

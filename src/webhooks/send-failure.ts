// Why a webhook did not arrive, in words for its owner. Messages contain no addresses: an owner must not find out
// which hosts the network of the service has.

export type FailureReason =
  | 'address_refused'
  | 'name_not_found'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'bad_answer'
  | 'proxy'
  | 'cancelled';

export interface SendFailure {
  readonly reason: FailureReason;
  readonly message: string;
}

const FAILURE = Symbol('send failure');

/** An error that knows its reason. */
export function sendError(reason: FailureReason, message: string): Error {
  return Object.assign(new Error(message), { [FAILURE]: reason });
}

export function failureOf(error: unknown): SendFailure {
  if (!(error instanceof Error)) return { reason: 'unreachable', message: CLOSED };
  if (FAILURE in error) {
    return { reason: error[FAILURE] as FailureReason, message: error.message };
  }
  const code = 'code' in error ? String(error.code) : '';
  if (TLS.test(code)) {
    return { reason: 'tls', message: `There is no secure connection to the receiver (${code}).` };
  }
  if (code.startsWith('HPE_')) {
    return { reason: 'bad_answer', message: `The answer is not valid HTTP (${code}).` };
  }
  return { reason: 'unreachable', message: UNREACHABLE[code] ?? CLOSED };
}

/** Codes of OpenSSL and of node:tls. */
const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_)/;
const CLOSED = 'The connection to the receiver was closed before its answer was complete.';
const NO_ROUTE = 'There is no network route to the receiver.';
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver does not accept connections.',
  ETIMEDOUT: 'The receiver did not accept the connection in time.',
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
};

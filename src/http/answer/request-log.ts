// One log line a request: principal, route, status, duration. Never a path, a value
// or a secret; causes of failures appear here and nowhere else.

import type { Logger } from 'pino';
import { ApiError } from '../../errors.ts';
import { keyOf, sendingSession } from '../../model/rights/principal.ts';
import { shortSessionId } from '../../model/rights/session-token.ts';
import type { Call } from '../request/call.ts';
import type { Metrics } from './metrics.ts';
import { endSpan } from './tracing.ts';

export function requestLogger(
  logger: Logger,
  metrics: Pick<Metrics, 'observe'>,
): (call: Call, status: number, failure?: unknown) => void {
  return (call, status, failure) => {
    const { route, startedAt, outsideMs } = call;
    metrics.observe(route, status, (performance.now() - startedAt - outsideMs) / 1000);
    endSpan(call, status);
    const level = levelOf(status);
    if (!logger.isLevelEnabled(level)) return;
    const line = lineOf(call, status, failure);
    logger[level](level === 'info' ? line : { ...line, err: causeOf(status, failure) });
  };
}

/** Answers to a transfer coding or a version of HTTP that the service does not have. */
const NOT_IMPLEMENTED: ReadonlySet<number> = new Set([501, 505]);

/** Overload produces many 503s, which are not failures of the service itself. */
function levelOf(status: number): 'error' | 'warn' | 'info' {
  if (status === 503) return 'warn';
  return status >= 500 && !NOT_IMPLEMENTED.has(status) ? 'error' : 'info';
}

function lineOf(call: Call, status: number, failure: unknown) {
  const { requestId, authenticated, route, startedAt, stats } = call;
  const principal = authenticated?.caller.principal;
  const session = principal && sendingSession(principal);
  return {
    request_id: requestId,
    workspace: authenticated?.model.workspace.slug,
    key: principal && keyOf(principal)?.prefix,
    session: session && shortSessionId(session.id),
    user: authenticated?.caller.user.id,
    route,
    status,
    code: failure instanceof ApiError ? failure.code : undefined,
    ...refusalOf(failure),
    statements: stats.statements,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
  };
}

/** Why an identity provider's answer signed nobody in: codes, and no value of a person (flow/people/oidc-claims.ts). */
function refusalOf(failure: unknown) {
  if (!(failure instanceof ApiError) || failure.code !== 'invalid_credentials') return {};
  const { details, cause } = failure;
  if (typeof details?.reason !== 'string') return {};
  return { reason: details.reason, cause: cause instanceof Error ? cause.message : undefined };
}

/** Only the code of a database error is logged: its other properties can contain values. */
export function causeOf(status: number, failure: unknown): unknown {
  const error = failure instanceof ApiError ? (failure.cause ?? failure) : failure;
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const { code } = error as NodeJS.ErrnoException;
  // It comes from few places.
  return status === 503 ? { name, message, code } : { name, message, code, stack };
}

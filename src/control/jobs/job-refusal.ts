// The failures of a job that makes a file: its author reads those that another attempt would meet again.

import { ApiError, isOperatorError } from '../../errors.ts';
import { isDatabaseError } from '../../postgres/db.ts';
import { endingOf, type Report } from './job-lease.ts';

/** Run an attempt. Errors: an operator error is stored as the reason, unless its cause is a failure that passes. */
export async function withReason(
  signal: AbortSignal,
  report: Report,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (endingOf(signal) !== undefined || !isOperatorError(error)) throw error;
    // Failures that the database may not repeat are retried.
    if (isPassing(error.cause)) throw error.cause;
    await report({ reason: error.message });
    throw error;
  }
}

function isPassing(cause: unknown): boolean {
  return isDatabaseError(cause) || (cause instanceof ApiError && cause.status >= 500);
}

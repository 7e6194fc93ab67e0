// Reads that PostgreSQL ends because they take too long: the answer names the fields without an index.

import { ApiError, unavailable } from '../../../errors.ts';
import { say } from '../../../messages/message.ts';
import { type Asked, unindexedFields } from '../../../plan/read/unindexed.ts';
import { isOverTime } from '../../../postgres/db.ts';

/** Errors: those of `read`; 503 with the remedy, where there is one. */
export async function withRemedy<Result>(
  asked: Asked,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw isOverTime(error) ? tooSlow(unindexedFields(asked), error) : error;
  }
}

function tooSlow(keys: readonly string[], error: unknown): unknown {
  if (keys.length === 0) return error;
  const { headers } = unavailable(error);
  const fields = keys.map((key) => `"${key}"`).join(', ');
  const message = say('query_too_slow', { fields });
  return new ApiError('service_unavailable', { message, cause: error, headers });
}

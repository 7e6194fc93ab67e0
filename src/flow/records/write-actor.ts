// The author of a write, as its audit rows name them.

import type { Caller } from '../../model/rights/access.ts';
import { keyOf, sessionOf } from '../../model/rights/principal.ts';
import type { Actor } from '../../sql/events/audit-sql.ts';
import type { WriteContext } from './write-group.ts';

/** The author of a write, for the audit rows of one request. */
export function actorOf(
  { caller, requestId, asked }: WriteContext,
  source: Actor['source'],
  batch_id: string | null,
): Actor {
  const key = keyOf(caller.principal);
  return {
    api_key_id: key?.id ?? null,
    api_key_prefix: key?.prefix ?? null,
    session_id: sessionOf(caller.principal)?.id ?? null,
    ...asked,
    user_id: caller.user.id,
    source: source === 'api' ? (key?.via ?? sourceOfRequest(caller)) : source,
    request_id: requestId,
    batch_id,
  };
}

/** The source of a request: a command sends requests as a person without key and session. */
function sourceOfRequest({ principal }: Caller): 'api' | 'cli' {
  return principal.kind === 'bulk' ? 'cli' : 'api';
}

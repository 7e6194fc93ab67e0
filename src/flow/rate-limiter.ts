// Which requests are counted, by the kind of their principal: those of keys, in exact windows of a minute
// (§8, D6). Commands of the operator are not limited.

import type { RateWindows } from '../control/rate-windows.ts';
import type { RateState } from '../model/api-key-form.ts';
import type { Principal } from '../model/principal.ts';

/** A limiter that answers undefined for a principal without a limit. */
export function openRateLimiter(windows: RateWindows) {
  return {
    async count(principal: Principal): Promise<RateState | undefined> {
      if (principal.kind !== 'key') return undefined;
      return windows.count(principal.id, principal.requests_per_minute);
    },
    async peek(principal: Principal): Promise<RateState | undefined> {
      if (principal.kind !== 'key') return undefined;
      return windows.peek(principal.id, principal.requests_per_minute);
    },
    isSpent: (principal: Principal) => principal.kind === 'key' && windows.isSpent(principal.id),
  };
}

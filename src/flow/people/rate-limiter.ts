// Counts requests by the kind of their principal: those of keys and sessions, in exact windows of a minute (§8, D6).
// Commands of the operator are not limited.

import type { RateWindows } from '../../control/people/rate-windows.ts';
import type { RateState } from '../../model/rights/api-key-form.ts';
import { identifiedOf, type Principal } from '../../model/rights/principal.ts';

/** A limiter that answers undefined for a principal without a limit. */
export function openRateLimiter(windows: RateWindows) {
  return {
    async count(principal: Principal): Promise<RateState | undefined> {
      const counted = identifiedOf(principal);
      return counted && windows.count(counted.id, counted.requests_per_minute);
    },
    async peek(principal: Principal): Promise<RateState | undefined> {
      const counted = identifiedOf(principal);
      return counted && windows.peek(counted.id, counted.requests_per_minute);
    },
    isSpent(principal: Principal): boolean {
      const counted = identifiedOf(principal);
      return counted !== undefined && windows.isSpent(counted.id);
    },
  };
}

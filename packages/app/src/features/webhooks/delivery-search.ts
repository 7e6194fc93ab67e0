// Which deliveries are listed, as the address has it: `state`, `type` and `since` in the words of the interface. Pure.

import type { SearchParams } from '../../lib/search-params.ts';
import type { DeliveryFilter } from './api.ts';
import { DELIVERED_TYPES, DELIVERY_STATES } from './webhook-words.ts';

/** Parts without a meaning here are left out. */
export function deliveryFilterOf({ state, type, since }: SearchParams): DeliveryFilter {
  const isTime = since !== undefined && !Number.isNaN(Date.parse(since));
  return {
    ...(state !== undefined && Object.hasOwn(DELIVERY_STATES, state) ? { state } : {}),
    ...(type !== undefined && DELIVERED_TYPES.includes(type) ? { type } : {}),
    ...(isTime ? { since: new Date(since).toISOString() } : {}),
  } as DeliveryFilter;
}

export function deliverySearchOf(filter: DeliveryFilter): SearchParams {
  const { state, type, since } = filter;
  const named = { state, type, since };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}

// What tabs of a browser tell one another about the one stream of live events that they share.

import type { LiveEvent } from '@workspace-records/client';

/**
 * How much may have been missed. `first`: there was no stream before; `again`: it goes on where it was cut, but rights may
 * have changed meanwhile; `gap`: events are lost.
 */
export type Connected = 'first' | 'again' | 'gap';

export type Message =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'connected'; readonly how: Connected }
  /** Up to where everything was told: whoever leads next goes on there. */
  | { readonly kind: 'position'; readonly id: string }
  /** A tab was opened, and does not know the position. */
  | { readonly kind: 'arrived' }
  /** Something was changed in a tab that no event tells of, by the second part of its query keys. */
  | { readonly kind: 'touched'; readonly what: string };

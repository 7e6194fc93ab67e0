// The messages that tabs of a browser exchange about the one stream of live events that they share.

import type { LiveEvent } from '@workspace-records/client';

export type Message =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  /** Events are lost: the position was refused. */
  | { readonly kind: 'gap' }
  /** The stream was opened, for the first time or again: the service is reachable. */
  | { readonly kind: 'opened' }
  /** Up to where everything was reported: the next leading tab continues there. */
  | { readonly kind: 'position'; readonly id: string }
  /** A tab was opened, and does not know the position. */
  | { readonly kind: 'arrived' }
  /** A change in a tab that has no event, by the second part of its query keys. */
  | { readonly kind: 'touched'; readonly what: string };

// Live events for all pages of a session; it shows nothing.

import { useLive } from '../live/use-live.ts';

export function LiveHost() {
  useLive();
  return null;
}

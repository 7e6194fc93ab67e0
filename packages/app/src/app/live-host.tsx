// Live events for all pages of a session; it shows nothing. The stream is asked for before the pages ask for anything, so
// that nothing is missed between the two.

import { useLive } from '../live/use-live.ts';

export function LiveHost() {
  useLive();
  return null;
}

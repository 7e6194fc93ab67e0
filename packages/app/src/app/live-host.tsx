// Live events for all pages of a session; it renders nothing.

import { useLive } from '../live/use-live.ts';

export function LiveHost() {
  useLive();
  return null;
}

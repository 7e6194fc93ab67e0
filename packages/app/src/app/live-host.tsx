// Live events for all pages of a session; it shows nothing.

import { useLive } from '../live/use-live.ts';

export default function LiveHost() {
  useLive();
  return null;
}

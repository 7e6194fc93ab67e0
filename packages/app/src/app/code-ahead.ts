// The code of lists and records, and the names of statuses of all objects, loaded when the first page has been there for a
// while: most clicks lead to a list or a record.

import { useEffect } from 'react';
import { LaterUnsavedList } from '../editing/unsaved/unsaved-bar.tsx';
import { openObjectsQuery } from '../lib/open-work.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Session } from '../lib/session.ts';

/** Milliseconds after the first page; the network is most likely idle then. */
const PAUSE = 2000;

/** A failure does not matter here: the page loads its code again. */
export function useCodeAhead(session: Session): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [
        () => import('../routes/records.tsx'),
        () => import('../routes/record.tsx'),
        LaterUnsavedList.load,
      ]) {
        load().catch(() => undefined);
      }
      void queryClient.prefetchQuery(openObjectsQuery(session));
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [session]);
}

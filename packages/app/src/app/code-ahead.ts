// The code of lists and records, and the names of statuses of all objects, loaded when a person begins to use the first page:
// most clicks lead to a list or a record.

import { useEffect } from 'react';
import { LaterUnsavedList } from '../editing/unsaved/unsaved-bar.tsx';
import { loadAhead } from '../lib/first-use.ts';
import { openObjectsQuery } from '../lib/open-work.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Session } from '../lib/session.ts';

/** Milliseconds after the first use; the network is most likely idle then. */
const PAUSE = 1000;

export function useCodeAhead(session: Session): void {
  useEffect(() => {
    const loads = [
      () => import('../routes/records.tsx'),
      () => import('../routes/record.tsx'),
      LaterUnsavedList.load,
      () => queryClient.prefetchQuery(openObjectsQuery(session)),
    ];
    const stops = loads.map((load) => loadAhead(load, PAUSE));
    return () => {
      for (const stop of stops) stop();
    };
  }, [session]);
}

// The code of lists and records, loaded when the first page has been there for a while: most clicks lead to one of them.

import { useEffect } from 'react';

/** Milliseconds after the first page; the network is most likely idle then. */
const PAUSE = 2000;

/** A failure does not matter here: the page loads its code again. */
export function useCodeAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [
        () => import('../routes/records.tsx'),
        () => import('../routes/record.tsx'),
      ]) {
        load().catch(() => undefined);
      }
    }, PAUSE);
    return () => clearTimeout(timer);
  }, []);
}

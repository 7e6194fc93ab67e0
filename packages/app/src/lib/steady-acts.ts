// Functions that memoized components get: the same at each rendering, so that nothing is rendered again for them.

import { useRef, useState } from 'react';

type Acts = Readonly<Record<string, (...args: never[]) => void>>;

/** Acts with steady names and identity, which call the acts of the last rendering. */
export function useSteadyActs<Own extends Acts>(acts: Own): Own {
  const latest = useRef(acts);
  latest.current = acts;
  const [steady] = useState(() => {
    const entries = Object.keys(acts).map((name) => {
      return [name, (...args: never[]) => latest.current[name]?.(...args)] as const;
    });
    return Object.fromEntries(entries) as unknown as Own;
  });
  return steady;
}

// Functions that memoized components get: the same at each rendering, so that nothing is rendered again for them.

import { useRef, useState } from 'react';

type Acts = Readonly<Record<string, (...args: never[]) => void>>;

/** They do what those of the last rendering do. The names stay the same. */
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

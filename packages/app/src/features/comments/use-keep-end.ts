// Keeps the last comment in view when another one comes, for readers who are at the end.

import { type RefObject, useEffect, useRef } from 'react';

/** Pixels from the end that still count as being there. */
const NEAR = 160;

export function useKeepEnd(last: string | undefined): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const known = useRef<string>(undefined);
  useEffect(() => {
    const isFirst = known.current === undefined;
    known.current = last;
    const scroller = end.current?.closest<HTMLElement>('[role=tabpanel]');
    if (isFirst || scroller === null || scroller === undefined) return;
    const { scrollHeight, scrollTop, clientHeight } = scroller;
    if (scrollHeight - scrollTop - clientHeight < NEAR + clientHeight / 2)
      scroller.scrollTo({ top: scrollHeight });
  }, [last]);
  return end;
}

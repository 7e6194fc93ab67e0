// Shows the end of the stream first, and keeps it in view when another item comes, for readers who are there.

import { type RefObject, useEffect, useRef } from 'react';

/** Pixels from the end that still count as being there. */
const NEAR = 160;

export function useKeepEnd(last: unknown, isPending: boolean): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const known = useRef<unknown>(undefined);
  useEffect(() => {
    if (isPending) return;
    const isFirst = known.current === undefined;
    known.current = last;
    // Where the stream scrolls with the record, the record comes first.
    const scroller = end.current?.closest<HTMLElement>('[data-stream]');
    if (scroller === null || scroller === undefined) return;
    const { scrollHeight, scrollTop, clientHeight } = scroller;
    if (isFirst || scrollHeight - scrollTop - clientHeight < NEAR + clientHeight / 2)
      scroller.scrollTo({ top: scrollHeight });
  }, [last, isPending]);
  return end;
}

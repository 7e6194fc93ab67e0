// Coming back to a list: where it was scrolled to, and the focus on the record that was opened. Kept by the entry of
// the history, so that the same list, opened again, begins at its top.

import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

interface ScrollPosition {
  top: number;
  left: number;
  record: string | undefined;
}

const kept = new Map<string, ScrollPosition>();
const MOST = 50;

/** `list`: which of several lists of a page it is. */
export function useReturn(
  scroller: RefObject<HTMLElement | null>,
  list: string,
  isPending: boolean,
) {
  const visit = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const entry = `${visit} ${list}`;
  const found = useRef(kept.get(entry)).current;
  const opened = useRef<string | undefined>(undefined);
  useEffect(() => {
    const element = scroller.current;
    return () => {
      const { scrollTop: top = 0, scrollLeft: left = 0 } = element ?? {};
      kept.set(entry, { top, left, record: opened.current });
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    };
  }, [entry, scroller]);
  const { left = 0, record } = found ?? {};
  useEffect(() => {
    if (left > 0 && !isPending) scroller.current?.scrollTo({ left });
  }, [left, isPending, scroller]);
  useEffect(() => {
    if (record === undefined || isPending) return;
    // After the page has put the focus on its heading.
    const frame = requestAnimationFrame(() => {
      scroller.current
        ?.querySelector<HTMLElement>(`[data-record="${record}"]`)
        ?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [record, isPending, scroller]);
  return {
    initialOffset: found?.top ?? 0,
    keep(id: string) {
      opened.current = id;
    },
  };
}

// Coming back to a list: where it was scrolled to, and the focus on the record that was opened. Kept by the entry of
// the history, so that the same list, opened again, begins at its top.

import { type ParsedLocation, useRouter } from '@tanstack/react-router';
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
  const router = useRouter();
  const storedPosition = useRef(kept.get(entryOf(router.state.location, list))).current;
  const opened = useRef<string | undefined>(undefined);
  // Without rendering the list again, which stays the same with a record beside it.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
        const element = scroller.current;
        if (element === null || fromLocation === undefined) return;
        const { scrollTop: top, scrollLeft: left } = element;
        kept.set(entryOf(fromLocation, list), { top, left, record: opened.current });
        const [oldest] = kept.keys();
        if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
      }),
    [router, list, scroller],
  );
  const { left = 0, record } = storedPosition ?? {};
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
    initialOffset: storedPosition?.top ?? 0,
    keep(id: string) {
      opened.current = id;
    },
  };
}

function entryOf({ state }: Pick<ParsedLocation, 'state'>, list: string): string {
  return `${state.__TSR_key ?? ''} ${list}`;
}

// The touches of a calendar: a long press picks a record up, and the finger carries it to another day. Near the edge of
// the days they scroll. Any other touch is one of the page.

import type { RecordData } from '@workspace-records/client';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Holding } from './use-held-entry.ts';

/** Milliseconds; browsers open the menu of a link after 500. */
const LONG = 400;
/** CSS pixels that a finger moves while it rests. */
const STILL = 10;
/** CSS pixels from an edge within which the days scroll, and how far in a frame. */
const EDGE = 56;
const STEP = 6;

/** Of the element with the days. */
export function useEntryTouch(
  records: ReadonlyMap<string, RecordData>,
  holding: Holding,
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(holding);
  useLayoutEffect(() => {
    latest.current = holding;
  });
  useEffect(() => {
    if (root.current === null) return;
    return followTouches(root.current, {
      pickUp(id) {
        const record = records.get(id);
        if (record !== undefined) flushSync(() => latest.current.pickUp(record));
        return latest.current.held !== undefined;
      },
      over: (day) => withHeld(latest.current, (held) => latest.current.over(held, day)),
      drop: () => withHeld(latest.current, latest.current.drop),
      putBack: () => withHeld(latest.current, latest.current.putBack),
    });
  }, [records]);
  return root;
}

function withHeld({ held }: Holding, act: (of: NonNullable<Holding['held']>) => void): void {
  if (held !== undefined) act(held);
}

interface TouchActs {
  /** Whether it may be moved. */
  pickUp(id: string): boolean;
  over(day: string): void;
  drop(): void;
  putBack(): void;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Carried {
  at: Point;
  /** Below the finger. */
  day: string | undefined;
  readonly scroller: HTMLElement;
}

/** Listens until the answer is called. */
function followTouches(root: HTMLElement, acts: TouchActs): () => void {
  let pressed: (Point & { readonly timer: number }) | undefined;
  let carried: Carried | undefined;
  const listening = new AbortController();
  // A move that is not passive can keep the page from scrolling.
  const options = { passive: false, signal: listening.signal };
  const on = (type: 'touchstart' | 'touchmove' | 'touchend', act: (event: TouchEvent) => void) =>
    root.addEventListener(type, act, options);
  const release = () => {
    clearTimeout(pressed?.timer);
    pressed = undefined;
    carried = undefined;
  };
  const cancel = () => {
    if (carried !== undefined) acts.putBack();
    release();
  };
  on('touchstart', (event) => {
    cancel();
    const entry = (event.target as Element).closest<HTMLElement>('[data-entry]');
    if (entry === null || event.touches.length > 1) return;
    const at = pointOf(event);
    const timer = window.setTimeout(() => {
      const scroller = pickUpInPlace(entry, acts);
      if (scroller === undefined) return release();
      carried = { at, day: undefined, scroller };
      scrollAtEdges(() => carried);
    }, LONG);
    pressed = { ...at, timer };
  });
  on('touchmove', (event) => {
    const at = pointOf(event);
    if (carried === undefined) {
      if (pressed !== undefined && distance(at, pressed) > STILL) release();
      return;
    }
    event.preventDefault();
    carried.at = at;
    carried.day = dayAt(at);
    if (carried.day !== undefined) acts.over(carried.day);
  });
  on('touchend', (event) => {
    if (carried === undefined) return release();
    // The link of the record is not followed.
    event.preventDefault();
    if (carried.day === undefined) return cancel();
    acts.drop();
    release();
  });
  root.addEventListener('touchcancel', cancel, options);
  refuseOthers(root, listening.signal, () => pressed !== undefined);
  return () => {
    release();
    listening.abort();
  };
}

/** A long press opens no menu, and begins no drag of the browser. */
function refuseOthers(root: HTMLElement, signal: AbortSignal, isPressed: () => boolean): void {
  const refuse = (event: Event) => {
    if (!isPressed()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const type of ['contextmenu', 'dragstart'])
    root.addEventListener(type, refuse, { capture: true, signal });
}

/** Empty days appear on a telephone, so the days scroll for the record to stay below the finger. */
function pickUpInPlace(entry: HTMLElement, acts: TouchActs): HTMLElement | undefined {
  const before = entry.getBoundingClientRect().top;
  if (!acts.pickUp(entry.dataset.entry ?? '')) return undefined;
  const scroller = scrollerOf(entry);
  scroller.scrollTop += entry.getBoundingClientRect().top - before;
  return scroller;
}

function scrollerOf(element: HTMLElement): HTMLElement {
  const parent = element.parentElement;
  if (parent === null) return document.documentElement;
  return getComputedStyle(parent).overflowY === 'auto' ? parent : scrollerOf(parent);
}

function scrollAtEdges(now: () => Carried | undefined): void {
  const carried = now();
  if (carried === undefined) return;
  const { at, scroller } = carried;
  const { top, bottom } = scroller.getBoundingClientRect();
  if (at.y < top + EDGE) scroller.scrollTop -= STEP;
  if (at.y > bottom - EDGE) scroller.scrollTop += STEP;
  requestAnimationFrame(() => scrollAtEdges(now));
}

function pointOf({ touches }: TouchEvent): Point {
  const [first] = touches;
  return { x: first?.clientX ?? 0, y: first?.clientY ?? 0 };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function dayAt({ x, y }: Point): string | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day]')?.dataset.day;
}

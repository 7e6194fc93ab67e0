// The touches of a layout whose items are moved: a long press picks an item up, and the finger carries it to a target.
// Near the edge of what scrolls it scrolls. Any other touch is one of the page.

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/** Milliseconds; browsers open the menu of a link after 500. */
const LONG = 400;
/** CSS pixels that a finger moves while it rests. */
const STILL = 10;
/** CSS pixels from an edge within which it scrolls, and how far in a frame. */
const EDGE = 56;
const STEP = 6;
/** CSS pixels, more than the space between the edge of what scrolls and its targets. */
const MARGIN = 24;

export interface TouchActs {
  /** Select the items, and the elements that they are carried to. */
  readonly items: string;
  readonly targets: string;
  /** The direction in which targets are off screen. */
  readonly axis: Axis;
  /** Picks an item up; returns false when it may not be moved. */
  pickUp(item: HTMLElement): boolean;
  /** The finger is on another target now, or on none. */
  over(target: HTMLElement | undefined): void;
  drop(target: HTMLElement): void;
  putBack(): void;
}

export type Axis = 'x' | 'y';

/** Listens to the touches in the element. */
export function useHeldTouch(root: RefObject<HTMLElement | null>, acts: TouchActs): void {
  const latest = useRef(acts);
  useLayoutEffect(() => {
    latest.current = acts;
  });
  useEffect(
    () => (root.current === null ? undefined : followTouches(root.current, () => latest.current)),
    [root],
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Carried {
  readonly from: Point;
  at: Point;
  /** Below the finger. */
  target: HTMLElement | undefined;
  /** False: the finger rests where it picked the item up, which may be near an edge. */
  isMoved: boolean;
  readonly scroller: HTMLElement;
}

/** Listens until the answer is called. */
function followTouches(root: HTMLElement, acts: () => TouchActs): () => void {
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
    if (carried !== undefined) acts().putBack();
    release();
  };
  on('touchstart', (event) => {
    cancel();
    const item = (event.target as Element).closest<HTMLElement>(acts().items);
    if (item === null || event.touches.length > 1) return;
    const from = pointOf(event);
    const timer = window.setTimeout(() => {
      const scroller = pickUpInPlace(item, acts());
      if (scroller === undefined) return release();
      carried = { from, at: from, target: undefined, isMoved: false, scroller };
      scrollAtEdges(() => carried, acts);
    }, LONG);
    pressed = { ...from, timer };
  });
  on('touchmove', (event) => {
    const at = pointOf(event);
    if (carried === undefined) {
      if (pressed !== undefined && distance(at, pressed) > STILL) release();
      return;
    }
    event.preventDefault();
    carried.at = at;
    carried.isMoved ||= distance(at, carried.from) > STILL;
    findTarget(carried, acts());
  });
  on('touchend', (event) => {
    if (carried === undefined) return release();
    // The link of the item is not followed.
    event.preventDefault();
    if (carried.target === undefined) return cancel();
    acts().drop(carried.target);
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

/** Empty targets appear on a telephone, so the layout scrolls for the item to stay below the finger. */
function pickUpInPlace(item: HTMLElement, acts: TouchActs): HTMLElement | undefined {
  const before = item.getBoundingClientRect().top;
  if (!flushSync(() => acts.pickUp(item))) return undefined;
  const scroller = scrollerOf(item, acts.axis);
  if (acts.axis === 'y') scroller.scrollTop += item.getBoundingClientRect().top - before;
  return scroller;
}

/** The element that scrolls. For the browser, one that scrolls down only is `auto` in both directions. */
function scrollerOf({ parentElement: parent }: HTMLElement, axis: Axis): HTMLElement {
  if (parent === null) return document.documentElement;
  const { overflowX, overflowY } = getComputedStyle(parent);
  const isScroller =
    axis === 'y'
      ? overflowY === 'auto'
      : overflowX === 'auto' && parent.scrollWidth > parent.clientWidth;
  return isScroller ? parent : scrollerOf(parent, axis);
}

function scrollAtEdges(now: () => Carried | undefined, acts: () => TouchActs): void {
  const carried = now();
  if (carried === undefined) return;
  const { at, scroller, isMoved } = carried;
  const { top, bottom, left, right } = scroller.getBoundingClientRect();
  const [place, start, end] = acts().axis === 'x' ? [at.x, left, right] : [at.y, top, bottom];
  const step = (place > end - EDGE ? STEP : 0) - (place < start + EDGE ? STEP : 0);
  if (isMoved && step !== 0) {
    scroller.scrollBy(acts().axis === 'x' ? { left: step } : { top: step });
    findTarget(carried, acts());
  }
  requestAnimationFrame(() => scrollAtEdges(now, acts));
}

/** Targets pass below a finger that rests, too. */
function findTarget(carried: Carried, { targets, over }: TouchActs): void {
  const { left, right, top, bottom } = carried.scroller.getBoundingClientRect();
  const { x, y } = carried.at;
  const below = document.elementFromPoint(inside(x, left, right), inside(y, top, bottom));
  const target = below?.closest<HTMLElement>(targets) ?? undefined;
  if (target === carried.target) return;
  carried.target = target;
  // The finger may be lifted before the next drawing.
  flushSync(() => over(target));
}

/** A finger at the very edge is on the target there. */
function inside(place: number, start: number, end: number): number {
  if (place < start || place > end) return place;
  return Math.max(start + MARGIN, Math.min(place, end - MARGIN));
}

function pointOf({ touches }: TouchEvent): Point {
  const [first] = touches;
  return { x: first?.clientX ?? 0, y: first?.clientY ?? 0 };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

// The actions of the page that is open: components offer them as long as they are there; the palette lists them, and
// single keys run them.

import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../lib/store.ts';
import type { Glyph } from './icon.tsx';

export interface PageAction {
  readonly id: string;
  readonly label: string;
  readonly icon: Glyph;
  /** A single key that runs it. */
  readonly shortcut?: string | undefined;
  run(): void;
}

const offered = createStore<readonly PageAction[]>([]);

/** Undefined: it is not offered. */
export function usePageAction(action: PageAction | undefined): void {
  const latest = useRef(action);
  latest.current = action;
  const { id, label, icon, shortcut } = action ?? {};
  useEffect(() => {
    if (id === undefined || label === undefined || icon === undefined) return;
    const one = { id, label, icon, shortcut, run: () => latest.current?.run() };
    offered.set([...offered.get(), one]);
    return () => offered.set(offered.get().filter((other) => other !== one));
  }, [id, label, icon, shortcut]);
}

/** Each once. */
export function usePageActions(): readonly PageAction[] {
  return useStore(offered);
}

/** The action of a key: of two, that which came last, which is above the other one. */
export function pageActionOf(key: string): PageAction | undefined {
  return offered.get().findLast(({ shortcut }) => shortcut === key);
}

// The first key, click, touch or move of the pointer since the page was loaded. Code that is likely needed next comes then: a
// page that is only looked at, or opened in the background, loads nothing more.

import { createStore, useStore } from './store.ts';

const EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

const isUsed = createStore(false);

const firstUse = new Promise<void>((resolve) => {
  const note = () => {
    for (const event of EVENTS) removeEventListener(event, note);
    isUsed.set(true);
    resolve();
  };
  for (const event of EVENTS) addEventListener(event, note, { passive: true });
});

export function useFirstUse(): boolean {
  return useStore(isUsed);
}

/** Loads code a while after the first use; a failure does not matter, because it is loaded again on use. */
export function loadAhead(load: () => Promise<unknown>, pause: number): () => void {
  let isOver = false;
  void firstUse
    .then(() => new Promise((resolve) => setTimeout(resolve, pause)))
    .then(() => (isOver ? undefined : load()))
    .catch(() => undefined);
  return () => {
    isOver = true;
  };
}

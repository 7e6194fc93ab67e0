// Whether the dialog with the objects of the navigation is open. Its own code is loaded on first use.

import { focusBefore } from '../lib/focus-before.ts';
import { createStore, useStore } from '../lib/store.ts';

/** Closes the dialog and gives the focus back; undefined: it is closed. */
const close = createStore<(() => void) | undefined>(undefined);

export function chooseObjects(): void {
  const giveBack = focusBefore();
  close.set(() => {
    close.set(undefined);
    giveBack();
  });
}

export function useObjectsChoice(): (() => void) | undefined {
  return useStore(close);
}

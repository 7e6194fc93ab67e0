// A dialog that several parts open. Its own code is loaded on first use.

import { focusBefore } from './focus-before.ts';
import { createStore, useStore } from './store.ts';

export function createDialogState() {
  /** Closes the dialog and gives the focus back; undefined: it is closed. */
  const close = createStore<(() => void) | undefined>(undefined);
  return {
    open(): void {
      const giveBack = focusBefore();
      close.set(() => {
        close.set(undefined);
        giveBack();
      });
    },
    useClose: (): (() => void) | undefined => useStore(close),
  };
}

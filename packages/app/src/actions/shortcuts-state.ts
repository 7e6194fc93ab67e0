// Whether the list of keys is open. Its own code is loaded on first use.

import { createStore, useStore } from '../lib/store.ts';

const isOpen = createStore(false);

export function openShortcuts(): void {
  isOpen.set(true);
}

export function closeShortcuts(): void {
  isOpen.set(false);
}

export function useShortcutsOpen(): boolean {
  return useStore(isOpen);
}

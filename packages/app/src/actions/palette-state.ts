// Whether the palette is open. Its own code is loaded on first use.

import { createStore, useStore } from '../lib/store.ts';

const isOpen = createStore(false);

export function openPalette(): void {
  isOpen.set(true);
}

export function closePalette(): void {
  isOpen.set(false);
}

export function usePaletteOpen(): boolean {
  return useStore(isOpen);
}

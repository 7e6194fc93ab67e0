// Whether the palette is open, and the text it begins with. Its own code is loaded on first use.

import { createStore, useStore } from '../lib/store.ts';

const isOpen = createStore(false);
let text = '';

export function openPalette(first = ''): void {
  text = first;
  isOpen.set(true);
}

export function closePalette(): void {
  isOpen.set(false);
}

export function firstPaletteText(): string {
  return text;
}

export function usePaletteOpen(): boolean {
  return useStore(isOpen);
}

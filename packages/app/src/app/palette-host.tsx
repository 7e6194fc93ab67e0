// The keys of the palette, and the palette after its first use.

import { useHotkeys } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { closePalette, openPalette, usePaletteOpen } from '../actions/palette-state.ts';
import { later } from '../lib/later.tsx';

const Palette = later(() => import('./palette.tsx'));
/** Milliseconds after the first page, when the browser has time: typing must not wait for code. */
const LATER = 1000;

export function PaletteHost() {
  const isOpen = usePaletteOpen();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (isOpen) setWanted(true);
  }, [isOpen]);
  useHotkeys([['mod+K', () => openPalette()]], []);
  useEffect(() => {
    // Without a network it is loaded on use.
    const timer = setTimeout(() => void Palette.load().catch(() => undefined), LATER);
    return () => {
      clearTimeout(timer);
      closePalette();
    };
  }, []);
  if (!isWanted && !isOpen) return null;
  return <Palette isOpen={isOpen} onClose={closePalette} />;
}

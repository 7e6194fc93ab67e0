// The keys of the palette, and the palette after its first use.

import { useHotkeys } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { closePalette, openPalette, usePaletteOpen } from '../actions/palette-state.ts';
import { loadAhead } from '../lib/first-use.ts';
import { later } from '../lib/later.tsx';

const Palette = later(() => import('./palette.tsx'));
/** Milliseconds after the first use: typing must not wait for code. */
const PAUSE = 300;

export function PaletteHost() {
  const isOpen = usePaletteOpen();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (isOpen) setWanted(true);
  }, [isOpen]);
  useHotkeys([['mod+K', () => openPalette()]], []);
  useEffect(() => {
    const stop = loadAhead(Palette.load, PAUSE);
    return () => {
      stop();
      closePalette();
    };
  }, []);
  if (!isWanted && !isOpen) return null;
  return <Palette isOpen={isOpen} onClose={closePalette} />;
}

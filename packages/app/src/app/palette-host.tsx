// The keys of the palette, and the palette once it was wanted.

import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { closePalette, openPalette, usePaletteOpen } from '../actions/palette-state.ts';

const Palette = lazy(() => import('./palette.tsx'));

export function PaletteHost() {
  const isOpen = usePaletteOpen();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (isOpen) setWanted(true);
  }, [isOpen]);
  useHotkeys([['mod+K', openPalette]], []);
  useEffect(() => closePalette, []);
  if (!isWanted && !isOpen) return null;
  return (
    <Suspense>
      <Palette isOpen={isOpen} onClose={closePalette} />
    </Suspense>
  );
}

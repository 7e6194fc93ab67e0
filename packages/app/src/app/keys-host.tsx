// Single keys: those of the page that is open; `c`, `/` and `?` everywhere. A person can switch them off in the
// profile.

import { useEffect } from 'react';
import { openPalette } from '../actions/palette-state.ts';
import { closeShortcuts, openShortcuts, useShortcutsOpen } from '../actions/shortcuts-state.ts';
import { later } from '../lib/later.tsx';
import { translate } from '../lib/messages/index.ts';
import { hasSingleKeys } from '../lib/single-keys.ts';
import { pageActionOf } from '../ui/page-actions.ts';
import { pageKeyOf } from './single-key.ts';

const Shortcuts = later(() => import('./shortcuts-dialog.tsx'));

export function KeysHost() {
  const isOpen = useShortcutsOpen();
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      closeShortcuts();
    };
  }, []);
  return isOpen ? <Shortcuts onClose={closeShortcuts} /> : null;
}

function onKey(event: KeyboardEvent): void {
  const key = hasSingleKeys() ? pageKeyOf(event) : undefined;
  if (key === undefined || document.querySelector('[role=dialog][aria-modal=true]') !== null)
    return;
  const act = pageActionOf(key)?.run ?? everywhere(key);
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/** The act of a single key that has no meaning on the page. */
function everywhere(key: string): (() => void) | undefined {
  if (key === '?') return openShortcuts;
  if (key === '/') return () => openPalette();
  return key === 'c' ? () => openPalette(`${translate()('palette.create')} `) : undefined;
}

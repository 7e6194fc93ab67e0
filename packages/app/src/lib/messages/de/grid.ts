// Die Liste als Raster: Zellen, gewählte Zeilen, Kopieren und Einfügen, Spalten; und was überall zurückgenommen wird.

import type { grid as english } from '../en/grid.ts';
import type { Translated } from '../translated.ts';

export const grid: Translated<typeof english> = {
  'undo.nothing': 'Es gibt nichts zurückzunehmen.',
  'undo.done': 'Zurückgenommen: {text}',
  'undo.failed': 'Nicht zurückgenommen: {text} {reason}',
  'grid.changed': '{field} von {name} wurde geändert.',
  'grid.chooseRow': '{name} wählen',
  'grid.chooseAll': 'Alle geladenen Zeilen wählen',
};

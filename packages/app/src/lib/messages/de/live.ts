// Was sich ändert, während man darauf schaut.

import type { live as english } from '../en/live.ts';
import type { Translated } from '../translated.ts';

export const live: Translated<typeof english> = {
  'live.changes': { one: '{count} Änderung', other: '{count} Änderungen' },
  'live.old': 'Die Liste hat sich vielleicht geändert',
  'live.show': 'Anzeigen',
  'live.gone': 'Dieser Datensatz ist nicht verfügbar',
  'live.goneText': 'Er wurde gelöscht, oder Sie haben keinen Zugriff mehr darauf.',
  'live.toList': 'Zurück zu {name}',
};

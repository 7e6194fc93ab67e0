// Was sich ändert, während man darauf schaut.

import type { live as english } from '../en/live.ts';
import type { Translated } from '../translated.ts';

export const live: Translated<typeof english> = {
  'live.changes': { one: '{count} Änderung', other: '{count} Änderungen' },
  'live.old': 'Die Liste hat sich vielleicht geändert',
  'live.show': 'Anzeigen',
  'live.gone': 'Diesen Datensatz gibt es nicht mehr',
  'live.goneText': 'Er wurde gelöscht, oder Sie dürfen ihn nicht mehr sehen.',
  'live.toList': 'Zurück zu {name}',
};

// Alle Datensätze, die zu einer Liste passen: auswählen und ändern.

import type { matching as english } from '../en/matching.ts';
import type { Translated } from '../translated.ts';

export const matching: Translated<typeof english> = {
  'matching.choose': {
    one: 'Den einen passenden auswählen',
    other: 'Alle {count} passenden auswählen',
  },
  'matching.chooseUncounted': 'Alle passenden auswählen',
  'matching.chosen': {
    one: 'Der eine passende Datensatz ist ausgewählt',
    other: 'Alle {count} passenden Datensätze sind ausgewählt',
  },
  'matching.chosenUncounted': 'Alle passenden Datensätze sind ausgewählt',
  'matching.short':
    'Suchen Sie nach mindestens drei Zeichen, um alle passenden Datensätze auszuwählen.',
  'matching.counting': 'Datensätze werden gezählt …',
  'matching.nothing': 'Sie können keinen dieser Datensätze ändern.',
  'matching.forGood': 'Das lässt sich nicht rückgängig machen.',
  'matching.type': {
    one: 'Geben Sie zum Löschen {count} ein',
    other: 'Geben Sie zum Löschen {count} ein',
  },
  'matching.editTitle': 'Ein Feld aller passenden Datensätze ändern',
  'matching.next': 'Weiter',
  'matching.updateTitle': {
    one: '{field} eines Datensatzes ändern?',
    other: '{field} von {count} Datensätzen ändern?',
  },
  'matching.updateNow': { one: 'Datensatz ändern', other: '{count} Datensätze ändern' },
  'matching.running': '{done} von {total}',
  'matching.stop': 'Anhalten',
  'matching.background': 'Im Hintergrund fortsetzen',
  'matching.refused': { one: 'Einer wurde abgelehnt.', other: '{count} wurden abgelehnt.' },
  'matching.stopped': 'Die Änderung wurde angehalten.',
  'matching.failed': 'Die Änderung ist fehlgeschlagen: {reason}',
};

// Die früheren Werte eines Datensatzes und ihre Wiederherstellung.

import type { history as english } from '../en/history.ts';
import type { Translated } from '../translated.ts';

export const history: Translated<typeof english> = {
  'history.title': 'Verlauf',
  'history.none': 'Noch keine früheren Werte. Ab jetzt werden sie hier aufbewahrt.',
  'history.list': 'Frühere Werte',
  'history.earlier': 'Frühere Änderungen anzeigen',
  'history.old': 'Vorher:',
  'history.new': 'Nachher:',
  'history.restore': 'Diesen Wert wiederherstellen',
  'history.restoreOf': 'Den früheren Wert von {field} wiederherstellen',
  'history.restored': '{field} wurde wiederhergestellt.',
  'history.keep': 'Verlauf',
  'history.keepText': 'Bewahrt die Werte auf, die Änderungen an Datensätzen ersetzen.',
  'history.keepNone': 'Nicht aufbewahrt',
  'history.keepForever': 'Unbegrenzt',
  'history.keepDays': { one: 'Einen Tag', other: '{count} Tage' },
};

// Die Seite eines Datensatzes, ein Datensatz neben seiner Liste, und was die Startseite zeigt.

import type { recordPage as english } from '../en/record-page.ts';
import type { Translated } from '../translated.ts';

export const recordPage: Translated<typeof english> = {
  'record.facts': 'Wichtigstes',
  'record.details': 'Angaben',
  'record.rename': '{field} bearbeiten',
  'record.updated': 'Geändert {ago}',
  'record.previous': 'Vorheriger Datensatz',
  'record.next': 'Nächster Datensatz',
  'record.place': '{position} von {count}',
  'record.showEmpty': {
    one: '{count} leeres Feld anzeigen',
    other: '{count} leere Felder anzeigen',
  },
  'record.hideEmpty': {
    one: '{count} leeres Feld ausblenden',
    other: '{count} leere Felder ausblenden',
  },
  'linked.all': 'Alle {count} anzeigen',
  'home.due': 'Fällig',
  'home.overdue': 'Überfällig',
  'home.recentViews': 'Zuletzt geöffnete Ansichten',
  'home.filtered': 'Gefilterte Liste',
  'home.noWork': 'Keine offene Arbeit',
  'home.noWorkText': 'Hier erscheinen Datensätze, die Ihnen gehören und nicht abgeschlossen sind.',
  'notFound.home': 'Zur Startseite',
  'peek.title': 'Vorschau: {name}',
  'peek.close': 'Schließen',
  'peek.open': 'Öffnen',
  'peek.show': 'Vorschau von {name}',
  'peek.hint': 'Vorschau (Leertaste)',
};

// Die Seite eines Datensatzes, und ein Datensatz neben seiner Liste.

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
  'peek.title': 'Vorschau: {name}',
  'peek.close': 'Schließen',
  'peek.open': 'Öffnen',
  'peek.show': 'Vorschau von {name}',
  'peek.hint': 'Vorschau (Leertaste)',
};

// Die Werkzeuge einer Liste, ihre Reiter, die Höhe ihrer Zeilen und ihre Fußzeile.

import type { lists as english } from '../en/lists.ts';
import type { Translated } from '../translated.ts';

export const lists: Translated<typeof english> = {
  'views.tabs': 'Ansichten',
  'views.plain': 'Alle',
  'views.add': 'Ansicht anlegen',
  'views.favorites': 'Favoriten',
  'views.star': 'Zu Favoriten hinzufügen',
  'views.unstar': 'Aus Favoriten entfernen',
  'filter.count': { one: '{count} Filter', other: '{count} Filter' },
  'rows.title': 'Zeilenhöhe',
  'rows.compact': 'Kompakt',
  'rows.normal': 'Normal',
  'rows.tall': 'Hoch',
  'totals.count': { one: '{count} Datensatz', other: '{count} Datensätze' },
  'totals.more': '{count}+ Datensätze',
  'totals.title': 'Auswertungen',
  'totals.add': 'Berechnen',
  'totals.none': 'Keine',
  'totals.sum': 'Summe',
  'totals.avg': 'Durchschnitt',
  'totals.min': 'Kleinster Wert',
  'totals.max': 'Größter Wert',
  'totals.first': 'Frühester Wert',
  'totals.last': 'Spätester Wert',
  'totals.filled': 'Ausgefüllt',
  'totals.empty': 'Leer',
  'totals.failed':
    'Das hat zu lange gedauert. Filtern Sie die Liste und versuchen Sie es noch einmal.',
  'totals.full': 'Höchstens {count} Auswertungen',
} as const;

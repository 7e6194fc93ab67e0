// Die Seite mit allem, was eine Suche findet, und was die Startseite versammelt.

import type { search as english } from '../en/search.ts';
import type { Translated } from '../translated.ts';

export const search: Translated<typeof english> = {
  'search.title': 'Suche',
  'search.field': 'Alles durchsuchen',
  'search.short': 'Geben Sie mindestens zwei Zeichen ein.',
  'search.nothing': 'Nichts gefunden für „{q}“',
  'search.nothingText': 'Versuchen Sie weniger Wörter oder eine andere Schreibweise.',
  'search.found': { one: '{count} Datensatz gefunden', other: '{count} Datensätze gefunden' },
  'search.first': 'Die besten {count} Treffer',
  'search.everything': 'Alle',
  'search.which': 'Objekte',
  'search.inList': 'In der Liste {name} suchen',
  'search.palette': 'Alle Ergebnisse für „{q}“ anzeigen',
  'search.owner': 'Besitzer: {name}',
  'home.quick': 'Favoriten und Dashboards',
  'home.mine': 'Ihre offenen Datensätze',
  'home.mineOf': 'Ihre offenen Datensätze: {name}',
  'home.all': 'Alle anzeigen',
  'home.mentions': 'Ungelesene Mitteilungen',
  'home.allMentions': 'Alle Mitteilungen anzeigen',
  'home.empty': 'Dieser Workspace hat noch keine Datensätze',
  'home.emptyText': 'Wege zu beginnen:',
  'home.askText':
    'Keine Ihrer Rollen gibt Ihnen Zugriff auf Datensätze. Bitten Sie die Administration um eine. Diese Seite aktualisiert sich von selbst.',
};

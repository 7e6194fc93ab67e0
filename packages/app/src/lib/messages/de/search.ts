// Die Seite mit allem, was eine Suche findet, und was die Startseite versammelt.

import type { search as english } from '../en/search.ts';
import type { Translated } from '../translated.ts';

export const search: Translated<typeof english> = {
  'search.title': 'Suche',
  'search.field': 'Alles durchsuchen',
  'search.short': 'Mindestens zwei Zeichen eingeben.',
  'search.nothing': 'Nichts gefunden für „{q}“',
  'search.nothingText': 'Weniger Wörter oder eine andere Schreibung versuchen.',
  'search.found': { one: '{count} Datensatz gefunden', other: '{count} Datensätze gefunden' },
  'search.first': 'Die besten {count}',
  'search.everything': 'Alles',
  'search.which': 'Welche Objekte',
  'search.inList': 'In der Liste {name} suchen',
  'search.palette': 'Alles, was für „{q}“ gefunden wird',
  'search.owner': 'Zuständig: {name}',
  'home.mine': 'Offen und von Ihnen',
  'home.all': 'Alle davon',
  'home.mentions': 'Erwähnungen',
  'home.allMentions': 'Alle Mitteilungen',
  'home.empty': 'Dieser Arbeitsbereich hat noch keine Datensätze',
  'home.emptyText': 'Drei Wege zu beginnen:',
  'home.begin': 'Datensatz anlegen',
  'home.beginText': '{name} öffnen und den ersten anlegen.',
  'home.key': 'Ein Programm verbinden',
  'home.keyText': 'Einen API-Schlüssel anlegen und Datensätze damit senden.',
  'home.describe': 'Die Schnittstelle ansehen',
  'home.describeText': 'Was sich fragen und schreiben lässt, mit Beispielen.',
  'home.askText':
    'Niemand hat Ihnen eine Rolle gegeben, mit der Sie etwas lesen dürfen. Fragen Sie die Administration, und lassen Sie diese Seite offen: Sie zeigt, was dazukommt.',
};

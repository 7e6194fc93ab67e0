// Das Zusammenführen von Datensätzen und Gruppen von Dubletten.

import type { merge as english } from '../en/merge.ts';
import type { Translated } from '../translated.ts';

export const merge: Translated<typeof english> = {
  'merge.title': '{count} Datensätze zusammenführen',
  'merge.with': '„{name}“ zusammenführen mit',
  'merge.search': 'Den anderen Datensatz suchen',
  'merge.stays': 'Datensatz, der bleibt',
  'merge.created': 'Angelegt {moment}',
  'merge.choose': 'Wählen Sie den Datensatz, der bleibt, und die Werte, die er erhält.',
  'merge.same': 'Die Datensätze unterscheiden sich nicht in Feldern, die Sie ändern können.',
  'merge.empty': 'Leer',
  'merge.goesOver':
    'Kommentare, Verknüpfungen, Dateien und Follower der anderen werden übernommen.',
  'merge.references': 'Verweise, die übernommen werden: {parts}.',
  'merge.kept': {
    one: 'Die anderen werden gelöscht. {count} Tag lang können sie wiederhergestellt und das Zusammenführen rückgängig gemacht werden.',
    other:
      'Die anderen werden gelöscht. {count} Tage lang können sie wiederhergestellt und das Zusammenführen rückgängig gemacht werden.',
  },
  'merge.final': 'Die anderen werden gelöscht. Das lässt sich nicht rückgängig machen.',
  'merge.checking': 'Das Zusammenführen wird geprüft …',
  'merge.refused': 'So können diese Datensätze nicht zusammengeführt werden:',
  'merge.submit': 'Zusammenführen',
  'merge.noGroups': 'Keine Dubletten gefunden',
  'merge.groups': { one: 'Eine Gruppe gefunden', other: '{count} Gruppen gefunden' },
  'merge.equal': 'Gleich: {fields}',
  'merge.more': 'Mehr anzeigen',
  'merge.group': '{names} zusammenführen',
  'merge.done': {
    one: 'Ein Datensatz wurde mit „{name}“ zusammengeführt.',
    other: '{count} Datensätze wurden mit „{name}“ zusammengeführt.',
  },
};

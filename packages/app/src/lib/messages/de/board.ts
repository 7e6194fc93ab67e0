// Die Tafel, und Wechsel von Datensätzen von einem Status in einen anderen.

import type { board as english } from '../en/board.ts';
import type { Translated } from '../translated.ts';

export const board: Translated<typeof english> = {
  'move.here': 'Er ist hier.',
  'move.foreign': 'Kein Status seines Ablaufs.',
  'move.unlisted': 'Von „{from}“ führt kein Weg hierher.',
  'move.approval': 'Braucht die Zustimmung von jemand anderem.',
  'move.approvalBy': 'Braucht die Zustimmung von {names}.',
  'move.noWayBack': {
    one: 'Es gibt keinen Weg zurück.',
    other: 'Für {count} davon gibt es keinen Weg zurück.',
  },
  'move.team': 'Team {name}',
  'move.yours': 'Braucht Zustimmung, die Sie damit geben.',
  'move.meanwhile':
    'Jemand hat ihn inzwischen nach „{status}“ verschoben. Er wurde nicht noch einmal verschoben.',
  'board.new': 'Neu: {name} in {column}',
  'board.none': 'Ohne Wert',
  'board.cut': 'Es gibt mehr Werte. Nur die ersten {count} haben Spalten.',
  'board.noField': 'Nichts hier kann Spalten ergeben',
  'board.by': 'Spalten',
  'board.sum': 'Summe',
  'board.noSum': 'Keine',
  'board.type': 'Art',
  'board.anyType': 'Alle Arten',
  'board.column': 'Spalte',
  'board.previous': 'Vorige Spalte',
  'board.next': 'Nächste Spalte',
  'board.counted': '{name} ({count})',
  'board.records': { one: 'ein Datensatz', other: '{count} Datensätze' },
  'board.sumOf': 'Summe von {name}',
  'board.leftOut': '„{name}“ ist nicht auf dieser Tafel: Die Filter oder die Suche lassen es aus.',
  'board.open': 'Diese leere Spalte öffnen',
  'board.owner': 'Besitzer: {name}',
  'board.move': '{name} verschieben',
  'board.moveTo': 'Verschieben nach',
  'board.hint': 'Pfeiltasten führen zu anderen Karten, die Leertaste nimmt diese auf.',
  'board.keys': 'Pfeiltasten wählen, Eingabe verschiebt, Escape nimmt zurück.',
  'board.pickedUp':
    '{name} ist aus {column} aufgenommen. Pfeiltasten wählen eine Spalte, Eingabe verschiebt, Escape nimmt zurück.',
  'board.over': '{column}, Spalte {place} von {count}.',
  'board.overClosed': '{column} ist geschlossen. {reason}',
  'board.back': '{name} bleibt in {column}.',
  'board.dropped': '{name} ist jetzt in {column}.',
  'board.cannot': 'Sie dürfen {name} nicht verschieben.',
  'board.moved': '„{name}“ ist jetzt in „{column}“.',
};

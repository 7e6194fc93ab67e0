// Das Board, und Wechsel von Datensätzen von einem Status in einen anderen.

import type { board as english } from '../en/board.ts';
import type { Translated } from '../translated.ts';

export const board: Translated<typeof english> = {
  'move.here': 'Er hat diesen Status schon.',
  'move.foreign': 'Dieser Status gehört nicht zu seinem Workflow.',
  'move.unlisted': 'Der Workflow erlaubt keinen Wechsel von „{from}“ hierher.',
  'move.approval': 'Braucht die Zustimmung von jemand anderem.',
  'move.approvalHidden': 'Braucht Zustimmung. Ihre Rolle zeigt nicht, wer entscheidet.',
  'move.approvalBy': 'Braucht die Zustimmung von {names}.',
  'move.noWayBack': {
    one: 'Er kann nicht zurück verschoben werden.',
    other: '{count} davon können nicht zurück verschoben werden.',
  },
  'move.confirm': '„{name}“ nach {status} verschieben?',
  'move.final':
    'Der Workflow erlaubt keinen Wechsel von {status}. Das lässt sich nicht rückgängig machen.',
  'move.team': 'Team {name}',
  'move.yours': 'Braucht Zustimmung. Mit dem Verschieben stimmen Sie zu.',
  'move.meanwhile':
    'Jemand hat ihn inzwischen nach „{status}“ verschoben. Ihr Wechsel wurde nicht ausgeführt.',
  'board.new': '{name} in {column} anlegen',
  'board.none': 'Kein Wert',
  'board.cut': 'Nur die ersten {count} Werte haben Spalten. Es gibt weitere.',
  'board.noField': 'Dieses Objekt hat kein Feld für Spalten',
  'board.tools': 'Board',
  'board.cardFields': 'Felder auf Karten',
  'board.mostCardFields': 'Höchstens {count} Felder.',
  'board.columnsBy': 'Spalten: {name}',
  'board.by': 'Spalten',
  'board.sum': 'Summe',
  'board.noSum': 'Keine',
  'board.type': 'Typ',
  'board.anyType': 'Alle Typen',
  'board.column': 'Spalte',
  'board.previous': 'Vorige Spalte',
  'board.next': 'Nächste Spalte',
  'board.counted': '{name} ({count})',
  'board.records': { one: 'ein Datensatz', other: '{count} Datensätze' },
  'board.sumOf': 'Summe von {name}',
  'board.leftOut': 'Die Filter oder die Suche blenden „{name}“ auf diesem Board aus.',
  'board.open': 'Diese leere Spalte öffnen',
  'board.owner': 'Besitzer: {name}',
  'board.move': '{name} verschieben',
  'board.moveTo': 'Verschieben nach',
  'board.hint':
    'Mit den Pfeiltasten gelangen Sie zu anderen Karten. Mit der Leertaste nehmen Sie diese Karte auf, mit P sehen Sie ihren Datensatz.',
  'board.keys': 'Pfeiltasten wählen, Enter verschiebt, Escape bricht ab.',
  'board.pickedUp':
    '{name} aus {column} aufgenommen. Wählen Sie eine Spalte mit den Pfeiltasten. Enter verschiebt, Escape bricht ab.',
  'board.over': '{column}, Spalte {place} von {count}.',
  'board.overClosed': '{column} ist nicht verfügbar. {reason}',
  'board.back': '{name} bleibt in {column}.',
  'board.dropped': '{name} ist jetzt in {column}.',
  'board.cannot': 'Sie können {name} nicht verschieben.',
  'board.moved': '„{name}“ ist jetzt in „{column}“.',
};

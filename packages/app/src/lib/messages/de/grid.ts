// Die Liste als Raster: Zellen, gewählte Zeilen, Kopieren und Einfügen, Spalten; und was überall zurückgenommen wird.

import type { grid as english } from '../en/grid.ts';
import type { Translated } from '../translated.ts';

export const grid: Translated<typeof english> = {
  'undo.nothing': 'Es gibt nichts rückgängig zu machen.',
  'undo.done': 'Rückgängig gemacht: {text}',
  'undo.failed': 'Nicht rückgängig gemacht: {text} {reason}',
  'grid.changed': '{field} von {name} wurde geändert.',
  'grid.chooseRow': '{name} auswählen',
  'grid.chooseAll': 'Alle geladenen Zeilen auswählen',
  'undo.refused': {
    one: 'Ein Datensatz wurde seither geändert und bleibt, wie er ist.',
    other: '{count} Datensätze wurden seither geändert und bleiben, wie sie sind.',
  },
  'grid.chosen': { one: 'Eine Zeile ausgewählt', other: '{count} Zeilen ausgewählt' },
  'grid.chosenLoaded': 'Das sind die geladenen Zeilen. Es gibt weitere passende.',
  'grid.chosenElsewhere': {
    one: 'Eine davon ist nicht unter den geladenen Zeilen.',
    other: '{count} davon sind nicht unter den geladenen Zeilen.',
  },
  'grid.chosenActions': 'Aktionen für die ausgewählten Zeilen',
  'grid.chooseNone': 'Auswahl aufheben',
  'grid.changeField': 'Ein Feld ändern …',
  'grid.status': 'Status',
  'grid.delete': 'Löschen …',
  'grid.moveSome': { one: '{name} (eine)', other: '{name} ({count})' },
  'grid.moved': {
    one: 'Ein Datensatz ist jetzt {name}.',
    other: '{count} Datensätze sind jetzt {name}.',
  },
  'grid.moveTitle': {
    one: 'Einen Datensatz nach {name} bewegen?',
    other: '{count} Datensätze nach {name} bewegen?',
  },
  'grid.moveForGood':
    'Der Ablauf hat keinen Weg zurück von {name}. Das lässt sich nicht rückgängig machen.',
  'grid.moveSomeForGood': {
    one: 'Für einen davon hat der Ablauf keinen Weg zurück von {name}. Das lässt sich nicht rückgängig machen.',
    other:
      'Für {count} davon hat der Ablauf keinen Weg zurück von {name}. Das lässt sich nicht rückgängig machen.',
  },
  'grid.moveNow': { one: 'Bewegen', other: '{count} Datensätze bewegen' },
  'grid.changeTitle': {
    one: 'Ein Feld eines Datensatzes ändern',
    other: 'Ein Feld von {count} Datensätzen ändern',
  },
  'grid.someOnly': {
    one: 'Eine der ausgewählten Zeilen dürfen Sie nicht ändern; sie bleibt, wie sie ist.',
    other: '{count} der ausgewählten Zeilen dürfen Sie nicht ändern; sie bleiben, wie sie sind.',
  },
  'grid.field': 'Feld',
  'grid.value': 'Wert',
  'grid.clearField': 'Feld leeren',
  'grid.noValue': 'Geben Sie einen Wert ein, oder leeren Sie das Feld.',
  'grid.progress': 'Wie weit es ist',
  'grid.fieldChanged': {
    one: '{field} eines Datensatzes wurde geändert.',
    other: '{field} von {count} Datensätzen wurde geändert.',
  },
  'grid.notDone': {
    one: 'Eines ging nicht, {done} schon.',
    other: '{count} gingen nicht, {done} schon.',
  },
  'grid.refused': { one: '{name}: {reason}', other: '{count} wurden abgelehnt. {name}: {reason}' },
  'grid.deleteTitle': { one: 'Einen Datensatz löschen?', other: '{count} Datensätze löschen?' },
  'grid.deleteText':
    'Sie sind für immer weg, mit ihren Kommentaren und Verknüpfungen. Es lässt sich nicht zurücknehmen.',
  'grid.others': { one: 'und ein weiterer', other: 'und {count} weitere' },
  'grid.deleteNow': { one: 'Löschen', other: '{count} Datensätze löschen' },
  'grid.deleted': {
    one: 'Ein Datensatz wurde gelöscht.',
    other: '{count} Datensätze wurden gelöscht.',
  },
  'grid.pasteTitle': { one: 'Eine Zeile einfügen', other: '{count} Zeilen einfügen' },
  'grid.pasteText': {
    one: 'Zu ändernde Zeilen: {changed}. Neue Datensätze: {count}.',
    other: 'Zu ändernde Zeilen: {changed}. Neue Datensätze: {count}.',
  },
  'grid.pasteNow': { one: 'Eine Zeile einfügen', other: '{count} Zeilen einfügen' },
  'grid.leftOut': {
    one: '{names} lässt sich hier nicht ändern. Die Spalte wird ausgelassen.',
    other: '{names} lassen sich hier nicht ändern. Diese Spalten werden ausgelassen.',
  },
  'grid.allLeftOut': {
    one: '{names} lässt sich hier nicht ändern, und sonst ist nichts anders.',
    other: '{names} lassen sich hier nicht ändern, und sonst ist nichts anders.',
  },
  'grid.emptyTitle': {
    one: 'Zellen einer Zeile leeren',
    other: 'Zellen von {count} Zeilen leeren',
  },
  'grid.pastedNothing': 'Nichts zu ändern: Die Zellen haben diese Werte schon.',
  'grid.pasteRefused': {
    one: 'Nichts wurde geschrieben. Im Text ist zuerst eines zu ändern:',
    other: 'Nichts wurde geschrieben. Im Text ist zuerst {count} mal etwas zu ändern:',
  },
  'grid.pasted': { one: 'Eine Zeile wurde geändert.', other: '{count} Zeilen wurden geändert.' },
  'grid.row': 'Zeile {row}:',
  'grid.tooLong': {
    one: 'Nur eine Zeile kann auf einmal eingefügt werden.',
    other: 'Nur {count} Zeilen können auf einmal eingefügt werden.',
  },
  'grid.tooWide': 'Der Text hat mehr Spalten, als von hier an da sind.',
  'grid.notEditable': 'kann hier nicht geändert werden.',
  'grid.mayNotCreate': 'Diese Zeile gibt es nicht, und Sie dürfen keine Datensätze anlegen.',
  'grid.mayNotChange': 'Diesen Datensatz dürfen Sie nicht ändern.',
  'grid.required': 'Das braucht einen Wert.',
  'grid.notYesNo': 'ist weder Ja noch Nein.',
  'grid.notDate': 'ist kein Datum. 2027-01-31 ist eines.',
  'grid.notMoment': 'ist kein Datum mit Uhrzeit. 2027-01-31 14:30 ist eines.',
  'grid.notOption': 'ist keine der Möglichkeiten.',
  'grid.noPerson': 'ist hier niemand.',
  'grid.noRecord': 'ist kein Datensatz dieses Namens.',
  'grid.ambiguous': 'heißen mehrere.',
  'columns.title': 'Spalten',
  'columns.standard': 'Übliche Spalten',
  'columns.most': 'Höchstens {count} Spalten. Blenden Sie eine aus, um eine andere zu zeigen.',
  'columns.handle': '{name} verschieben: ziehen oder Pfeiltasten',
  'columns.before': '{name} weiter nach links',
  'columns.behind': '{name} weiter nach rechts',
  'columns.place': '{name} ist jetzt Spalte {place}.',
  'columns.of': 'Spalte {name}',
  'columns.ascending': 'Aufsteigend sortieren',
  'columns.descending': 'Absteigend sortieren',
  'columns.left': 'Nach links',
  'columns.right': 'Nach rechts',
  'columns.wider': 'Breiter',
  'columns.narrower': 'Schmaler',
  'columns.standardWidth': 'Übliche Breite',
  'columns.hide': 'Ausblenden',
};

// Die Liste als Raster: Zellen, gewählte Zeilen, Kopieren und Einfügen, Spalten; und das Rückgängigmachen.

import type { grid as english } from '../en/grid.ts';
import type { Translated } from '../translated.ts';

export const grid: Translated<typeof english> = {
  'undo.nothing': 'Es gibt nichts rückgängig zu machen.',
  'undo.done': 'Rückgängig gemacht: {text}',
  'undo.failed': 'Nicht rückgängig gemacht: {text} {reason}',
  'redo.nothing': 'Es gibt nichts zu wiederholen.',
  'redo.done': 'Wiederholt: {text}',
  'redo.failed': 'Nicht wiederholt: {text} {reason}',
  'grid.changed': '{field} von {name} wurde geändert.',
  'grid.chooseRow': '{name} auswählen',
  'grid.chooseAll': 'Alle geladenen Zeilen auswählen',
  'undo.refused': {
    one: 'Ein Datensatz wurde seitdem geändert und nicht zurückgesetzt.',
    other: '{count} Datensätze wurden seitdem geändert und nicht zurückgesetzt.',
  },
  'grid.readOnly': 'Diesen Wert können Sie nicht ändern.',
  'grid.chosen': { one: 'Eine Zeile ausgewählt', other: '{count} Zeilen ausgewählt' },
  'grid.chosenElsewhere': {
    one: 'Eine davon ist nicht unter den geladenen Zeilen.',
    other: '{count} davon sind nicht unter den geladenen Zeilen.',
  },
  'grid.chosenActions': 'Aktionen für die ausgewählten Zeilen',
  'grid.chooseNone': 'Auswahl aufheben',
  'grid.changeField': 'Feld ändern …',
  'grid.status': 'Status',
  'grid.delete': 'Löschen …',
  'grid.moveSome': { one: '{name} (eine)', other: '{name} ({count})' },
  'grid.moved': {
    one: 'Ein Datensatz wurde nach {name} verschoben.',
    other: '{count} Datensätze wurden nach {name} verschoben.',
  },
  'grid.moveTitle': {
    one: 'Einen Datensatz nach {name} verschieben?',
    other: '{count} Datensätze nach {name} verschieben?',
  },
  'grid.moveForGood':
    'Der Workflow erlaubt keinen Wechsel von {name} zurück. Das lässt sich nicht rückgängig machen.',
  'grid.moveSomeForGood': {
    one: 'Für einen davon erlaubt der Workflow keinen Wechsel von {name} zurück. Das lässt sich nicht rückgängig machen.',
    other:
      'Für {count} davon erlaubt der Workflow keinen Wechsel von {name} zurück. Das lässt sich nicht rückgängig machen.',
  },
  'grid.moveNow': { one: 'Datensatz verschieben', other: '{count} Datensätze verschieben' },
  'grid.changeTitle': {
    one: 'Ein Feld eines Datensatzes ändern',
    other: 'Ein Feld von {count} Datensätzen ändern',
  },
  'grid.someOnly': {
    one: 'Eine der ausgewählten Zeilen können Sie nicht ändern. Sie wird übersprungen.',
    other: '{count} der ausgewählten Zeilen können Sie nicht ändern. Sie werden übersprungen.',
  },
  'grid.field': 'Feld',
  'grid.value': 'Wert',
  'grid.clearField': 'Feld leeren',
  'grid.noValue': 'Geben Sie einen Wert ein, oder leeren Sie das Feld.',
  'grid.progress': 'Fortschritt',
  'grid.fieldChanged': {
    one: '{field} eines Datensatzes wurde geändert.',
    other: '{field} von {count} Datensätzen wurde geändert.',
  },
  'grid.notDone': {
    one: 'Eine Änderung ist fehlgeschlagen. Ausgeführte Änderungen: {done}.',
    other: '{count} Änderungen sind fehlgeschlagen. Ausgeführte Änderungen: {done}.',
  },
  'grid.refused': { one: '{name}: {reason}', other: '{count} wurden abgelehnt. {name}: {reason}' },
  'grid.deleteTitle': { one: 'Einen Datensatz löschen?', other: '{count} Datensätze löschen?' },
  'grid.deleteText':
    'Auch ihre Kommentare und Verknüpfungen werden gelöscht. Das lässt sich nicht rückgängig machen.',
  'grid.others': { one: 'und ein weiterer', other: 'und {count} weitere' },
  'grid.deleteNow': { one: 'Datensatz löschen', other: '{count} Datensätze löschen' },
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
    one: '{names} lässt sich hier nicht ändern. Die Spalte wird übersprungen.',
    other: '{names} lassen sich hier nicht ändern. Diese Spalten werden übersprungen.',
  },
  'grid.allLeftOut': {
    one: '{names} lässt sich hier nicht ändern. Alle anderen Zellen sind gleich.',
    other: '{names} lassen sich hier nicht ändern. Alle anderen Zellen sind gleich.',
  },
  'grid.leave':
    'Tab geht zur nächsten Zelle. Um die Tabelle zu verlassen, drücken Sie Esc und dann Tab.',
  'grid.insideTitle': {
    one: 'Zellen einer Zeile ändern',
    other: 'Zellen von {count} Zeilen ändern',
  },
  'grid.pastedNew': {
    one: 'Ein Datensatz wurde angelegt.',
    other: '{count} Datensätze wurden angelegt.',
  },
  'grid.pasteWhere': 'Wo eingefügt wird',
  'grid.pasteAsNew': 'Als neue Datensätze anlegen',
  'grid.pasteOver': 'Über die Zeilen ab „{name}“ einfügen',
  'grid.unknownColumns': {
    one: 'Für die Spalte {names} gibt es hier kein Feld. Sie wird übersprungen.',
    other: 'Für die Spalten {names} gibt es hier keine Felder. Sie werden übersprungen.',
  },
  'grid.columnNeeded': 'ist erforderlich, und der Text hat keine Werte dafür.',
  'grid.pastedNothing': 'Nichts zu ändern: Die Zellen haben diese Werte schon.',
  'grid.pasteRefused': {
    one: 'Nichts wurde eingefügt. Beheben Sie zuerst ein Problem:',
    other: 'Nichts wurde eingefügt. Beheben Sie zuerst {count} Probleme:',
  },
  'grid.pasted': { one: 'Eine Zeile wurde geändert.', other: '{count} Zeilen wurden geändert.' },
  'grid.row': 'Zeile {row}:',
  'grid.tooLong': {
    one: 'Sie können nur eine Zeile auf einmal einfügen.',
    other: 'Sie können höchstens {count} Zeilen auf einmal einfügen.',
  },
  'grid.tooWide':
    'Der Text hat mehr Spalten, als hier Platz haben. Fügen Sie ihn weiter links ein.',
  'grid.notEditable': 'kann hier nicht geändert werden.',
  'grid.mayNotCreate': 'Diese Zeile gibt es nicht, und Sie können keine Datensätze anlegen.',
  'grid.mayNotChange': 'Sie können diesen Datensatz nicht ändern.',
  'grid.required': 'Geben Sie einen Wert ein.',
  'grid.notYesNo': 'ist nicht Ja oder Nein.',
  'grid.notDate': 'ist kein Datum. Schreiben Sie es wie 2027-01-31.',
  'grid.notMoment': 'ist kein Datum mit Uhrzeit. Schreiben Sie es wie 2027-01-31 14:30.',
  'grid.notOption': 'ist keine der Möglichkeiten.',
  'grid.twoOptions': 'ist ein Wort für zwei Möglichkeiten. Wählen Sie eine aus der Liste.',
  'grid.noPerson': 'ist keine Person in diesem Workspace.',
  'grid.noRecord': 'ist nicht der Name eines Datensatzes.',
  'grid.ambiguous': 'hat mehrere Treffer. Verwenden Sie die ID.',
  'columns.title': 'Spalten',
  'columns.standard': 'Spalten zurücksetzen',
  'columns.most': 'Höchstens {count} Spalten. Blenden Sie eine aus, um eine andere anzuzeigen.',
  'columns.handle': '{name} verschieben: ziehen oder Pfeiltasten benutzen',
  'columns.before': '{name} nach links verschieben',
  'columns.behind': '{name} nach rechts verschieben',
  'columns.place': '{name} ist jetzt Spalte {place}.',
  'columns.of': 'Spalte {name}',
  'columns.ascending': 'Aufsteigend sortieren',
  'columns.descending': 'Absteigend sortieren',
  'columns.left': 'Nach links verschieben',
  'columns.right': 'Nach rechts verschieben',
  'columns.wider': 'Verbreitern',
  'columns.narrower': 'Verschmälern',
  'columns.standardWidth': 'Breite zurücksetzen',
  'columns.hide': 'Ausblenden',
};

// Listen von Datensätzen, ein Datensatz, und das Bearbeiten von Feldern.

import type { records as english } from '../en/records.ts';
import type { Translated } from '../translated.ts';

export const records: Translated<typeof english> = {
  'records.search': 'In dieser Liste suchen',
  'records.searched': 'Durchsucht werden {names}.',
  'records.notSearched': 'Nicht durchsucht, weil sie keinen Index haben: {names}.',
  'records.refresh': 'Aktualisieren',
  'records.table': '{name}, Liste',
  'records.name': 'Name',
  'records.unnamed': 'Ohne Namen',
  'records.sort': 'Sortieren. Mit Umschalttaste nach mehreren Spalten.',
  'records.none': 'Noch keine Datensätze',
  'records.noneText': 'Datensätze erscheinen hier, sobald jemand sie anlegt.',
  'records.noneHow':
    'Legen Sie den ersten Datensatz an, oder fügen Sie Zeilen aus einer Tabelle ein.',
  'records.noMatch': 'Keine passenden Datensätze',
  'records.showAll': 'Alle anzeigen',
  'records.dropped': 'Ignoriert, weil es sie in dieser Liste nicht gibt: {names}',
  'record.path': 'Pfad',
  'record.change': 'Bearbeiten',
  'record.save': 'Speichern',
  'record.cancel': 'Abbrechen',
  'record.status': 'Status: {name}',
  'record.moveTo': 'Verschieben nach',
  'record.noMoves': 'Der Workflow erlaubt von hier keinen Wechsel.',
  'record.times': 'Angelegt {created}, geändert {updated}',
  'conflict.title': 'Jemand hat dieses Feld geändert',
  'conflict.text':
    '„{field}“ wurde geändert, während Sie es bearbeitet haben. Welchen Wert möchten Sie behalten?',
  'conflict.by': 'Geändert von {name}, {when}.',
  'conflict.when': 'Geändert {when}.',
  'conflict.theirs': 'Anderer Wert',
  'conflict.mine': 'Ihr Wert',
  'conflict.keepTheirs': 'Anderen Wert behalten',
  'conflict.keepMine': 'Ihren Wert speichern',
  'person.unknown': 'Jemand',
  'person.unknownOf': 'Jemand ({id})',
  'field.yes': 'Ja',
  'field.no': 'Nein',
  'field.empty': 'Leer',
  'edit.clear': 'Leeren',
  'edit.notNumber': 'Geben Sie eine Zahl ein.',
  'edit.notWhole': 'Geben Sie eine ganze Zahl ein.',
  'edit.notJson': 'Geben Sie gültiges JSON ein.',
};

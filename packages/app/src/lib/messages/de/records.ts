// Listen von Datensätzen, ein Datensatz, und das Bearbeiten von Feldern.

import type { records as english } from '../en/records.ts';
import type { Translated } from '../translated.ts';

export const records: Translated<typeof english> = {
  'records.search': 'In dieser Liste suchen',
  'records.refresh': 'Aktualisieren',
  'records.table': '{name}, Liste',
  'records.name': 'Name',
  'records.unnamed': 'Ohne Namen',
  'records.sort': 'Sortieren; mit Umschalt neben anderen',
  'records.none': 'Hier ist noch nichts',
  'records.noneText': 'Datensätze erscheinen hier, sobald jemand sie anlegt.',
  'records.noMatch': 'Kein Datensatz passt',
  'records.showAll': 'Alle zeigen',
  'records.dropped': 'Hier unbekannt und weggelassen: {names}',
  'record.path': 'Wo das ist',
  'record.change': 'Ändern',
  'record.save': 'Speichern',
  'record.cancel': 'Abbrechen',
  'record.status': 'Status: {name}',
  'record.moveTo': 'Weiter zu',
  'record.noMoves': 'Von hier geht es nicht weiter.',
  'record.times': 'Angelegt {created}, geändert {updated}',
  'conflict.title': 'Jemand war schneller',
  'conflict.text': '„{field}“ wurde geändert, seit Sie begonnen haben. Welcher Wert soll gelten?',
  'conflict.theirs': 'Der andere',
  'conflict.mine': 'Ihrer',
  'conflict.keepTheirs': 'Den anderen behalten',
  'conflict.keepMine': 'Meinen speichern',
  'field.yes': 'Ja',
  'field.no': 'Nein',
  'field.empty': 'Leer',
  'edit.clear': 'Leeren',
  'edit.notNumber': 'Das ist keine Zahl.',
  'edit.notWhole': 'Das ist keine ganze Zahl.',
  'edit.notJson': 'Das ist kein JSON.',
};

// Datensätze endgültig entfernen, und alles über einen Datensatz als Datei.

import type { erasure as english } from '../en/erasure.ts';
import type { Translated } from '../translated.ts';

export const erasure: Translated<typeof english> = {
  'erasure.open': 'Spurlos löschen …',
  'erasure.openOne': 'Spurlos löschen: {name}',
  'erasure.title': '„{name}“ spurlos löschen?',
  'erasure.text':
    'Der Datensatz und alles, was der Dienst über ihn hat, werden entfernt. Das lässt sich nicht rückgängig machen. Auch die Dateien der letzten Importe und Exporte des Workspace werden entfernt, weil sie seine Werte enthalten können.',
  'erasure.counting': 'Wird gezählt …',
  'erasure.nothing': 'Es wurden keine Spuren gefunden.',
  'erasure.files': 'Dateien',
  'erasure.submit': 'Spurlos löschen',
  'erasure.left':
    'Sicherungen und archivierte Logs der Datenbank bleiben, wie sie sind. Das Protokoll behält die ID.',
  'erasure.place.records': { one: '{count} Datensatz', other: '{count} Datensätze' },
  'erasure.place.trash': {
    one: '{count} gelöschter Datensatz',
    other: '{count} gelöschte Datensätze',
  },
  'erasure.place.history': { one: '{count} früherer Wert', other: '{count} frühere Werte' },
  'erasure.place.comments': { one: '{count} Kommentar', other: '{count} Kommentare' },
  'erasure.place.attachments': {
    one: '{count} Datei des Datensatzes',
    other: '{count} Dateien des Datensatzes',
  },
  'erasure.place.links': { one: '{count} Verknüpfung', other: '{count} Verknüpfungen' },
  'erasure.place.requests': {
    one: '{count} Anfrage um Zustimmung',
    other: '{count} Anfragen um Zustimmung',
  },
  'erasure.place.answers': {
    one: '{count} gespeicherte Antwort',
    other: '{count} gespeicherte Antworten',
  },
  'erasure.place.deliveries': {
    one: '{count} Antwort eines Webhook-Empfängers',
    other: '{count} Antworten von Webhook-Empfängern',
  },
  'erasure.place.search': { one: '{count} Sucheintrag', other: '{count} Sucheinträge' },
  'erasure.place.refusals': {
    one: '{count} Ablehnung einer Massenänderung',
    other: '{count} Ablehnungen von Massenänderungen',
  },
  'erasure.place.files': {
    one: '{count} Datei eines Imports oder Exports',
    other: '{count} Dateien von Importen und Exporten',
  },
  'erasure.place.rejected': {
    one: '{count} abgelehnte Zeile eines Imports',
    other: '{count} abgelehnte Zeilen von Importen',
  },
  'erasure.place.jobs': {
    one: '{count} Anfrage eines beendeten Auftrags',
    other: '{count} Anfragen beendeter Aufträge',
  },
  'erasure.place.words': { one: '{count} Suchwort', other: '{count} Suchwörter' },
  'bundle.download': 'Alles darüber herunterladen',
  'bundle.incomplete': 'Die Datei enthält von langen Listen nur die ersten Einträge.',
};

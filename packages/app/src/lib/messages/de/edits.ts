// Nicht gespeicherte Eingaben: die Leiste, ihre Liste, und die Hinweise an Feldern und in Formularen.

import type { edits as english } from '../en/edits.ts';
import type { Translated } from '../translated.ts';

export const edits: Translated<typeof english> = {
  'edits.label': 'Nicht gespeicherte Änderungen',
  'edits.count': {
    one: '{count} Änderung nicht gespeichert',
    other: '{count} Änderungen nicht gespeichert',
  },
  'edits.retry': 'Noch einmal versuchen',
  'edits.show': 'Anzeigen',
  'edits.hide': 'Ausblenden',
  'edits.discard': 'Verwerfen',
  'edits.discardAll': 'Alle verwerfen',
  'edits.discarded': {
    one: 'Eine Änderung wurde verworfen.',
    other: '{count} Änderungen wurden verworfen.',
  },
  'edits.continue': 'Weiter bearbeiten',
  'edits.notSaved': 'Nicht gespeichert: {text}',
  'edits.unsent': 'Der Dienst hat noch nicht geantwortet.',
  'edits.left': 'Sie haben das eingegeben und nicht gespeichert.',
  'edits.recordGone': 'Der Datensatz wurde gelöscht, oder Sie haben keinen Zugriff mehr darauf.',
  'edits.objectGone': 'Sie haben keinen Zugriff mehr auf diese Datensätze.',
  'edits.fieldGone': 'Das Feld wurde entfernt, oder Sie haben keinen Zugriff mehr darauf.',
  'edits.noRight': 'Sie können das nicht mehr ändern.',
  'edits.lostFields':
    'Das Formular hat diese Felder nicht mehr. Ihre Eingaben sind nicht gespeichert.',
};

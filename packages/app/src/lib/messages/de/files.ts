// Dateien an Datensätzen.

import type { files as english } from '../en/files.ts';
import type { Translated } from '../translated.ts';

export const files: Translated<typeof english> = {
  'file.choose': 'Datei hinzufügen',
  'file.drop': 'oder hier ablegen',
  'file.sending': '{name} wird gesendet',
  'file.remove': '{name} entfernen',
  'file.download': '{name} herunterladen',
  'file.failed':
    'Die Datei konnte nicht hoch- oder heruntergeladen werden. Versuchen Sie es noch einmal.',
  'file.noText': 'Dateien werden hochgeladen, nicht getippt oder eingefügt.',
  'file.changed':
    'Jemand anderes hat die Dateien inzwischen geändert. Versuchen Sie es noch einmal.',
  'type.file': 'Datei',
  'type.fileExample': 'Ein Vertrag, ein Bild',
  'fields.multipleFiles': 'Mehrere Dateien',
  'fields.multipleFilesText': 'Bis zu 20, sonst eine.',
  'fields.fileTypes': 'Erlaubte Typen',
  'fields.fileTypesText':
    'Medientypen mit Kommas dazwischen, etwa application/pdf, image/*. Leer: alle.',
  'fields.fileSize': 'Größte Datei in MB',
};

// Messages of the service about erased records, in German.

import type { Sentences } from '../sentences.ts';

export const erasureSentences: Sentences = [
  [
    'The request was carried out. Its record has been erased since.',
    'Die Anfrage wurde ausgeführt. Ihr Datensatz wurde seitdem spurlos gelöscht.',
  ],
  ['The value is not the id of a record.', 'Der Wert ist keine ID eines Datensatzes.'],
  ['The object no longer exists.', 'Dieses Objekt gibt es nicht mehr.'],
  ['File of an import: {}', 'Datei eines Imports: {}'],
  ['File of an export: {}', 'Datei eines Exports: {}'],
  ['More files: {}', 'Weitere Dateien: {}'],
];

// Messages of the service about files of records, in German.

import type { Sentences } from '../sentences.ts';

export const fileSentences: Sentences = [
  ['The file has no bytes in this range.', 'Diesen Teil hat die Datei nicht.'],
  ['There is no such file.', 'Diese Datei gibt es nicht.'],
  ['The value must be a list of files.', 'Der Wert muss eine Liste von Dateien sein.'],
  [
    'The value must be a list of ids of files.',
    'Der Wert muss eine Liste mit IDs von Dateien sein.',
  ],
  ['The value must not have more than {} files.', 'Mehr als {} Dateien sind nicht möglich.'],
  ['The value cannot be compared.', 'Der Wert kann nicht verglichen werden.'],
  ['The field takes no files of the type {}.', 'Dieses Feld nimmt keine Dateien des Typs {} an.'],
  [
    'The field takes files of at most {} bytes.',
    'Dieses Feld nimmt nur Dateien mit höchstens {} Bytes an.',
  ],
  [
    'Send object_type and field together.',
    'object_type und field müssen zusammen angegeben werden.',
  ],
  ['There is no such field with files.', 'Dieses Feld für Dateien gibt es nicht.'],
  ['The user may not write any field with files.', 'Sie dürfen kein Feld mit Dateien ändern.'],
  [
    'The name must not be longer than {} bytes in UTF-8.',
    'Der Name darf höchstens {} Bytes in UTF-8 lang sein.',
  ],
  [
    'Send the file as it is, without Content-Encoding, with its media type.',
    'Senden Sie die Datei unverändert, ohne Content-Encoding, mit ihrem Medientyp.',
  ],
  [
    'The files of the workspace together must not have more than {} bytes.',
    'Alle Dateien des Workspace zusammen dürfen höchstens {} Bytes haben.',
  ],
  [
    'The upload has taken too long. Send it again.',
    'Das Hochladen hat zu lange gedauert. Senden Sie die Datei noch einmal.',
  ],
  [
    'Files cannot be restored: the history has only their names.',
    'Dateien können nicht wiederhergestellt werden: Der Verlauf hat nur ihre Namen.',
  ],
  [
    'Another job of this kind is queued or running. Wait for it to finish.',
    'Ein anderer Auftrag dieser Art wartet oder läuft. Warten Sie, bis er fertig ist.',
  ],
  [
    'Files left out, because the bytes are not in the store of files: {}.',
    'Ausgelassene Dateien, weil ihre Bytes nicht im Speicher für Dateien sind: {}.',
  ],
  [
    'Left out, because they are not in the definition: {}.',
    'Ausgelassen, weil sie nicht in der Definition stehen: {}.',
  ],
  ['The disk for files is full.', 'Der Speicher für Dateien ist voll.'],
];

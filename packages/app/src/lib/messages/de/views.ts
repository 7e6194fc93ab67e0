// Gespeicherte Ansichten von Listen.

import type { views as english } from '../en/views.ts';
import type { Translated } from '../translated.ts';

export const views: Translated<typeof english> = {
  'views.label': 'Ansicht: {name}',
  'views.all': 'Alle {name}',
  'views.private': 'Nur ich',
  'views.team': 'Menschen meiner Teams',
  'views.workspace': 'Alle',
  'views.first': 'zuerst',
  'views.saveAs': 'Als Ansicht speichern…',
  'views.save': 'Speichern',
  'views.reset': 'Zurücksetzen',
  'views.changed': 'Geändert',
  'views.rename': 'Umbenennen oder teilen…',
  'views.delete': 'Ansicht löschen',
  'views.openFirst': 'Diese Ansicht zuerst öffnen',
  'views.notFirst': 'Diese Ansicht nicht zuerst öffnen',
  'views.order': 'Ordnen…',
  'views.saveTitle': 'Als Ansicht speichern',
  'views.renameTitle': 'Umbenennen oder teilen',
  'views.deleteTitle': '„{name}“ löschen?',
  'views.deleteText': 'Die Datensätze bleiben. Das lässt sich nicht zurücknehmen.',
  'views.deleteSharedText':
    'Auch andere benutzen diese Ansicht. Die Datensätze bleiben. Das lässt sich nicht zurücknehmen.',
  'views.orderTitle': 'Reihenfolge der Ansichten',
  'views.moveUp': '{name} nach oben',
  'views.moveDown': '{name} nach unten',
  'views.name': 'Name',
  'views.needsName': 'Geben Sie der Ansicht einen Namen.',
  'views.sharedWith': 'Wer sie sieht',
  'views.shareText':
    'Eine Ansicht behält die Frage. Wer sie öffnet, sieht die Datensätze, die er lesen darf.',
  'views.stale':
    'Jemand hat diese Ansicht geändert. Sie wurde neu gelesen; sehen Sie sie an und versuchen Sie es noch einmal.',
  'views.gone': 'Diese Ansicht gibt es nicht mehr, oder sie ist nicht mit Ihnen geteilt.',
  'views.problems': 'Einen Teil dieser Ansicht gibt es nicht mehr; er ist weggelassen:',
  'views.hidden':
    'Diese Ansicht benutzt Felder, die Sie nicht sehen. Die Liste lässt diesen Teil weg:',
  'views.copy': 'Kopie ohne diesen Teil anlegen',
};

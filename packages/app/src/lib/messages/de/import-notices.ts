// Hinweise zu einer Datei, und was ihr Import vor den Zeilen anlegt.

import type { importNotices as english } from '../en/import-notices.ts';
import type { Translated } from '../translated.ts';

export const importNotices: Translated<typeof english> = {
  'import.decidedBy': 'Wie in der Spalte „{heading}“, wo nur eine Lesart möglich ist.',
  'import.chooseReading': 'Wählen …',
  'import.undecided': 'Wählen Sie zuerst, wie diese Spalten gelesen werden: {names}',
  'import.oneSheet': {
    one: 'Die Datei hat {count} Blatt. Nur „{sheet}“ wird gelesen.',
    other: 'Die Datei hat {count} Blätter oder Listen. Nur „{sheet}“ wird gelesen.',
  },
  'import.partsLeftOut': 'Die Datei hat weitere Inhalte, die nicht importiert werden: {parts}.',
  'import.partComments': 'Kommentare',
  'import.partChecklists': 'Checklisten',
  'import.partAttachments': 'Anhänge',
  'import.partFields': 'eigene Felder',
  'import.readLike': '„{column}“ wird wie „{heading}“ gelesen, wo nur eine Lesart möglich ist.',
  'import.undecidedNext':
    'Auf der nächsten Seite wählen Sie, wie diese Spalten gelesen werden: {names}',
  'import.dayInZone': 'Die Werte haben Uhrzeiten. Das Feld erhält ihren Tag in dieser Zeitzone.',
  'import.notMembers': {
    one: '{count} Name gehört zu keinem Mitglied: {names}',
    other: '{count} Namen gehören zu keinem Mitglied, etwa {names}',
  },
  'import.memberFor': 'Mitglied für „{name}“',
  'import.emptied': {
    one: '{count} Wert von {field} ist unbekannt oder passt nicht und wird nicht importiert: {names}',
    other:
      '{count} Werte von {field} sind unbekannt oder passen nicht und werden nicht importiert: {names}',
  },
  'import.unfitRows': 'Zeilen mit unpassenden Werten werden nicht importiert.',
  'import.importUnfit': 'Ohne diese Werte importieren',
  'import.unfitImported': 'Zeilen werden ohne ihre unpassenden Werte importiert.',
  'import.leaveOutUnfit': 'Diese Zeilen weglassen',
  'import.emptyRequired': {
    one: '{count} Zeile hat keinen Wert für das Pflichtfeld {field}. Wählen Sie eine andere Spalte, füllen Sie die Zelle nach dem Import aus oder machen Sie das Feld im Datenmodell optional.',
    other:
      '{count} Zeilen haben keinen Wert für das Pflichtfeld {field}. Wählen Sie eine andere Spalte, füllen Sie die Zellen nach dem Import aus oder machen Sie das Feld im Datenmodell optional.',
  },
  'import.noTypes':
    'Es gibt noch keine Typen von Vorgängen. Der Import kann einen anlegen, mit den Status der Datei.',
  'import.makeType': 'Typ anlegen',
  'import.typeName': 'Aufgabe',
  'import.workflowName': 'Aufgaben',
  'import.statusToDo': 'Zu tun',
  'import.statusDoing': 'In Arbeit',
  'import.statusDone': 'Erledigt',
  'import.typeText':
    'Jede Zeile wird ein Vorgang dieses Typs. Name und Status sind später änderbar.',
};

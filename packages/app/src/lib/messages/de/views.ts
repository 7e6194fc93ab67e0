// Gespeicherte Ansichten von Listen.

import type { views as english } from '../en/views.ts';
import type { Translated } from '../translated.ts';

export const views: Translated<typeof english> = {
  'views.label': 'Ansicht: {name}',
  'views.all': 'Alle {name}',
  'views.private': 'Nur mich',
  'views.team': 'Meine Teams',
  'views.workspace': 'Alle',
  'views.first': 'Standard',
  'views.saveAs': 'Als Ansicht speichern …',
  'views.save': 'Speichern',
  'views.reset': 'Zurücksetzen',
  'views.changed': 'Geändert',
  'views.rename': 'Umbenennen oder teilen …',
  'views.delete': 'Ansicht löschen',
  'views.openFirst': 'Zur Standardansicht machen',
  'views.notFirst': 'Nicht mehr als Standardansicht',
  'views.order': 'Ansichten ordnen …',
  'views.saveTitle': 'Als Ansicht speichern',
  'views.renameTitle': 'Umbenennen oder teilen',
  'views.deleteTitle': '„{name}“ löschen?',
  'views.deleteText':
    'Die Datensätze werden nicht gelöscht. Das lässt sich nicht rückgängig machen.',
  'views.deleteSharedText':
    'Auch andere sehen diese Ansicht. Die Datensätze werden nicht gelöscht. Das lässt sich nicht rückgängig machen.',
  'views.orderTitle': 'Ansichten ordnen',
  'views.moveUp': '{name} nach oben',
  'views.moveDown': '{name} nach unten',
  'views.name': 'Name',
  'views.needsName': 'Geben Sie einen Namen für die Ansicht ein.',
  'views.sharedWith': 'Sichtbar für',
  'views.shareText':
    'Eine Ansicht speichert Filter, Sortierung und Spalten, keine Datensätze. Jede Person sieht nur die Datensätze, die sie lesen darf.',
  'views.stale':
    'Jemand hat diese Ansicht geändert. Die Liste zeigt jetzt den neuen Stand. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  'views.gone': 'Diese Ansicht wurde gelöscht, oder sie ist nicht mit Ihnen geteilt.',
  'views.problems': 'Teile dieser Ansicht gibt es nicht mehr. Die Liste ignoriert sie:',
  'views.hidden':
    'Diese Ansicht benutzt Felder, die Sie nicht sehen können. Die Liste ignoriert sie:',
  'views.copy': 'Kopie ohne diese Teile anlegen',
  'views.feed': 'Im Kalender abonnieren …',
  'views.feedSaved': 'Im Kalender abonnieren: erst als Ansicht speichern',
  'views.feedTitle': '„{name}“ abonnieren',
  'views.feedText':
    'Sie bekommen eine Adresse für Google Kalender, Outlook, Apple Kalender und andere. Diese zeigen die Einträge von einem halben Jahr vor und nach heute: Titel, Zeit und Link, sonst nichts.',
  'views.feedWho':
    'Wer die Adresse hat, sieht diese Einträge, soweit Sie sie lesen dürfen. Widerrufen können Sie sie auf der Seite API-Schlüssel.',
  'views.feedMake': 'Adresse anlegen',
  'views.feedOpen': 'Im Kalender dieses Geräts öffnen',
  'views.feedPaste':
    'Oder fügen Sie die Adresse dort ein, wo Ihr Kalender „Abonnieren“ oder „Per URL“ sagt.',
};

// Tasten: ihre Liste, und die Einstellung, die einzelne abschaltet.

import type { shortcuts as english } from '../en/shortcuts.ts';
import type { Translated } from '../translated.ts';

export const shortcuts: Translated<typeof english> = {
  'shortcuts.title': 'Tastenkürzel',
  'shortcuts.keywords': 'Hilfe Tasten Tastatur',
  'shortcuts.page': 'Auf dieser Seite',
  'shortcuts.everywhere': 'Überall',
  'shortcuts.table': 'In einer Tabelle',
  'shortcuts.board': 'Auf einem Board',
  'shortcuts.create': 'Einen Datensatz anlegen',
  'shortcuts.edit': 'Eine Zelle am Ende ihres Textes bearbeiten',
  'shortcuts.type': 'Eine Zelle überschreiben',
  'shortcuts.letters': 'Buchstaben, Ziffern',
  'shortcuts.editRecord': 'Diesen Datensatz bearbeiten',
  'shortcuts.cells': 'Zu einer anderen Zelle gehen',
  'shortcuts.mark': 'Mehrere Zellen markieren',
  'shortcuts.next': 'Speichern und zur nächsten Zelle gehen, oder zurück',
  'shortcuts.fill': 'Die markierten Zellen von der ersten an füllen',
  'shortcuts.discard': 'Eine Änderung verwerfen',
  'shortcuts.leave': 'Die Tabelle verlassen',
  'shortcuts.clear': 'Die markierten Zellen leeren',
  'shortcuts.clipboard': 'Zellen kopieren und einfügen',
  'shortcuts.all': 'Alle geladenen Zeilen auswählen',
  'shortcuts.column': 'Das Menü einer Überschrift öffnen',
  'shortcuts.pickUp': 'Eine Karte aufnehmen',
  'shortcuts.over': 'Eine Spalte für sie wählen',
  'shortcuts.drop': 'Sie dorthin verschieben',
  'shortcuts.on': 'Kürzel mit einer einzelnen Taste lassen sich im Profil ausschalten:',
  'shortcuts.off':
    'Kürzel mit einer einzelnen Taste sind ausgeschaltet. Sie lassen sich im Profil einschalten:',
  'shortcuts.setting': 'Kürzel mit einer einzelnen Taste',
  'shortcuts.settingOn': 'Ein',
  'shortcuts.settingOff': 'Aus',
  'shortcuts.section': 'Tastatur',
  'shortcuts.sectionText':
    'Einzelne Buchstaben wie c und f führen Befehle aus. Schalten Sie sie aus, wenn Sie mit Spracheingabe arbeiten.',
  'key.ctrl': 'Strg',
  'key.shift': 'Umschalt',
  'key.alt': 'Alt',
  'key.delete': 'Entf',
  'key.space': 'Leertaste',
  'palette.copyLink': 'Link zu dieser Seite kopieren',
  'palette.copyLinkKeywords': 'teilen Adresse URL Ansicht',
  'copy.refused':
    'Der Browser hat das Kopieren nicht erlaubt. Kopieren Sie stattdessen die Adresse der Seite.',
  'link.records': 'Link kopieren',
  'link.most': {
    one: 'Ein Link kann nur einen Datensatz enthalten.',
    other: 'Ein Link kann höchstens {count} Datensätze enthalten.',
  },
};

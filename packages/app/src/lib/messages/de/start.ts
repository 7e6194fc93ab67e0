// Die Wege, in einem leeren Workspace zu beginnen.

import type { start as english } from '../en/start.ts';
import type { Translated } from '../translated.ts';

export const start: Translated<typeof english> = {
  'start.crm': 'Mit einem CRM beginnen',
  'start.crmText': 'Firmen, Kontakte und Geschäfte mit einem Workflow.',
  'start.work': 'Mit Vorgängen beginnen',
  'start.workText': 'Aufgaben und Fehler mit Workflow und Board.',
  'start.file': 'Mit einer Datei beginnen',
  'start.fileText': 'Die Spalten einer Tabelle oder eines Exports werden zu einem Objekt.',
  'start.empty': 'Leer beginnen',
  'start.emptyText': 'Eigene Objekte und Felder anlegen.',
  'start.which': 'Welche mitgelieferten Objekte brauchen Sie?',
  'start.nothing': 'Keine',
  'start.nothingText': 'Die Navigation führt nur Objekte auf, die Sie anlegen.',
  'start.onlyCrm': 'CRM',
  'start.onlyCrmText': 'Firmen, Kontakte, Geschäfte, Besprechungen, Veranstaltungen und Produkte.',
  'start.projects': 'Projekte',
  'start.projectsText': 'Vorgänge mit Typen und Workflows, die Sie festlegen.',
  'start.listedText':
    'Die übrigen stehen unter „Weitere Objekte“. In ihren Einstellungen nehmen Sie sie wieder auf.',
  'start.begin': 'Beginnen',
  'start.unused': 'Sie brauchen nicht alle Objekte der Navigation?',
  'start.makes':
    'Das ergänzt das Datenmodell. Ersetzte Werte bleiben 365 Tage erhalten, gelöschte Datensätze 30 Tage. Alles davon ist später änderbar.',
  'start.make': 'Anlegen',
  'start.name': 'Name des Objekts',
  'start.fromFile': 'Neues Objekt aus einer Datei',
  'start.choose': 'Datei auswählen: CSV, Excel (.xlsx), JSON, Kontaktkarten (.vcf) oder LDIF',
  'start.fullName': 'Name',
  'start.madeName': 'Aus Vor- und Nachnamen gebildet; benennt die Datensätze',
  'start.isName': ' (benennt die Datensätze)',
  'start.columns': {
    one: 'Die Datei hat {count} Zeile. Ihre Spalten werden diese Felder:',
    other: 'Die Datei hat {count} Zeilen. Ihre Spalten werden diese Felder:',
  },
  'start.makeAndImport': 'Anlegen und importieren',
};

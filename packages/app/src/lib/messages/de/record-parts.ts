// Ein neuer Datensatz, und was zu einem gehört: Verknüpfungen, Kommentare, was getan wurde, sein Ende.

import type { recordParts as english } from '../en/record-parts.ts';
import type { Translated } from '../translated.ts';

export const recordParts: Translated<typeof english> = {
  'palette.create': 'Neu',
  'create.new': 'Neu: {name}',
  'create.keywords': 'anlegen erstellen hinzufügen {name}',
  'create.close': 'Schließen',
  'create.required': 'Pflichtfeld',
  'create.kept': 'Das haben Sie vorhin begonnen.',
  'create.anew': 'Neu beginnen',
  'create.status': 'Beginnt als {name}',
  'create.another': 'Noch einen anlegen',
  'create.submit': 'Anlegen',
  'create.keys': 'Strg Enter',
  'create.made': '„{name}“ ist angelegt.',
  'create.taken': 'Zeigen',
  'rule.required': 'Das ist nötig.',
  'rule.short': 'Mindestens {bound} Zeichen.',
  'rule.long': 'Höchstens {bound} Zeichen.',
  'rule.small': 'Mindestens {bound}.',
  'rule.large': 'Höchstens {bound}.',
};

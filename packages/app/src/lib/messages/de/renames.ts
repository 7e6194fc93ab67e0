// Andere Schlüssel für Teile des Datenmodells: was bleibt, und was Programme bemerken.

import type { renames as english } from '../en/renames.ts';
import type { Translated } from '../translated.ts';

export const renames: Translated<typeof english> = {
  'rename.change': 'Schlüssel ändern …',
  'rename.title': 'Schlüssel von {name} ändern',
  'rename.now': 'Schlüssel ändern',
  'rename.objectKeeps':
    'Datensätze, Verknüpfungen, Berechtigungen, Ansichten und Webhooks bleiben.',
  'rename.objectNotice':
    'Programme müssen den neuen Schlüssel verwenden: Anfragen mit dem alten werden abgelehnt, Antworten und Ereignisse haben den neuen. Das Protokoll behält den alten.',
  'rename.fieldKeeps': 'Werte, Berechtigungen, Ansichten und Webhooks bleiben.',
  'rename.fieldNotice':
    'Programme müssen den neuen Schlüssel verwenden: Anfragen mit dem alten werden abgelehnt, Antworten und Ereignisse haben den neuen. Auch Dateien und gespeicherte Zuordnungen von Importen nennen ihn.',
  'rename.relationshipKeeps': 'Verknüpfungen bleiben.',
  'rename.relationshipNotice':
    'Programme müssen den neuen Schlüssel verwenden, um Verknüpfungen zu lesen und zu ändern.',
  'rename.statusKeeps':
    'Datensätze bleiben in diesem Status. Ansichten und Webhooks, die ihn nennen, folgen.',
  'rename.statusNotice':
    'Programme müssen den neuen Schlüssel verwenden: Datensätze, Antworten und Ereignisse haben ihn von da an.',
  'rename.roleKeeps': 'Personen behalten die Rolle mit ihren Berechtigungen.',
  'rename.roleNotice': 'Programme, die die Rolle vergeben, müssen den neuen Schlüssel verwenden.',
};

// Workflows: Status, die Wechsel zwischen ihnen, Zustimmungen.

import type { workflows as english } from '../en/workflows.ts';
import type { Translated } from '../translated.ts';

export const workflows: Translated<typeof english> = {
  'workflows.title': 'Workflows',
  'workflows.text': 'Die Status von Datensätzen und die Wechsel zwischen ihnen.',
  'workflows.statuses': 'Status',
  'workflows.usedBy': 'Verwendet von',
  'workflows.unused': 'nichts',
  'workflows.new': 'Neuer Workflow',
  'workflows.newText': 'Er beginnt mit drei Status. Ändern Sie sie auf seiner Seite.',
  'workflows.add': 'Workflow anlegen',
  'workflows.firstOpen': 'Offen',
  'workflows.firstProgress': 'In Arbeit',
  'workflows.firstDone': 'Erledigt',
};

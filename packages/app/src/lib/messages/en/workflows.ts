// Workflows: statuses, the moves between them, approvals.

export const workflows = {
  'workflows.title': 'Workflows',
  'workflows.text': 'The statuses of records, and the moves between them.',
  'workflows.statuses': 'Statuses',
  'workflows.usedBy': 'Used by',
  'workflows.unused': 'nothing',
  'workflows.new': 'New workflow',
  'workflows.newText': 'It starts with three statuses. Change them on its page.',
  'workflows.add': 'Add workflow',
  'workflows.firstOpen': 'Open',
  'workflows.firstProgress': 'In progress',
  'workflows.firstDone': 'Done',
} as const;

// Messages about changes while a page is open.

export const live = {
  'live.changes': { one: '{count} change', other: '{count} changes' },
  'live.old': 'The list may have changed',
  'live.show': 'Show',
  'live.gone': 'This record is not available',
  'live.goneText': 'It was deleted, or you no longer have access to it.',
  'live.toList': 'Back to {name}',
} as const;

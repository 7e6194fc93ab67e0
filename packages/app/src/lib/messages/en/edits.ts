// Unsaved edits: the bar, its list, and the notes at fields and in forms.

export const edits = {
  'edits.label': 'Unsaved changes',
  'edits.count': { one: '{count} change not saved', other: '{count} changes not saved' },
  'edits.retry': 'Retry',
  'edits.show': 'Show',
  'edits.hide': 'Hide',
  'edits.discard': 'Discard',
  'edits.discardAll': 'Discard all',
  'edits.discarded': { one: 'One change was discarded.', other: '{count} changes were discarded.' },
  'edits.continue': 'Continue editing',
  'edits.notSaved': 'Not saved: {text}',
  'edits.unsent': 'There is no answer from the service yet.',
  'edits.left': 'You typed this and did not save it.',
  'edits.recordGone': 'The record was deleted, or you no longer have access to it.',
  'edits.objectGone': 'You no longer have access to these records.',
  'edits.fieldGone': 'The field was removed, or you no longer have access to it.',
  'edits.noRight': 'You no longer have permission to change this.',
  'edits.lostFields': 'The form no longer has these fields. Your text is not saved.',
} as const;

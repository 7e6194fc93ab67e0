// All records that a list matches: selecting and changing them.

export const matching = {
  'matching.choose': {
    one: 'Select the one that matches',
    other: 'Select all {count} that match',
  },
  'matching.chooseUncounted': 'Select all that match',
  'matching.chosen': {
    one: 'The one matching record is selected',
    other: 'All {count} matching records are selected',
  },
  'matching.chosenUncounted': 'All matching records are selected',
  'matching.short': 'Search for at least three characters to select all that match.',
  'matching.counting': 'Counting records…',
  'matching.nothing': 'You cannot change any of these records.',
  'matching.forGood': 'You cannot undo this.',
  'matching.type': { one: 'Type {count} to delete it', other: 'Type {count} to delete them' },
  'matching.editTitle': 'Change a field of all matching records',
  'matching.next': 'Next',
  'matching.updateTitle': {
    one: 'Change {field} of one record?',
    other: 'Change {field} of {count} records?',
  },
  'matching.updateNow': { one: 'Change record', other: 'Change {count} records' },
  'matching.running': '{done} of {total}',
  'matching.stop': 'Stop',
  'matching.background': 'Continue in background',
  'matching.refused': { one: 'One was refused.', other: '{count} were refused.' },
  'matching.stopped': 'The change was stopped.',
  'matching.failed': 'The change failed: {reason}',
} as const;

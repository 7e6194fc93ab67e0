// The earlier values of a record, and their restore.

export const history = {
  'history.title': 'History',
  'history.none': 'No earlier values yet. Changes from now on are kept here.',
  'history.list': 'Earlier values',
  'history.earlier': 'Show earlier changes',
  'history.old': 'Before:',
  'history.new': 'After:',
  'history.restore': 'Restore this value',
  'history.restoreOf': 'Restore the earlier value of {field}',
  'history.restored': '{field} was restored.',
  'history.keep': 'History',
  'history.keepText': 'Keeps the values that changes of records replace.',
  'history.keepNone': 'Not kept',
  'history.keepForever': 'Forever',
  'history.keepDays': { one: 'One day', other: '{count} days' },
} as const;

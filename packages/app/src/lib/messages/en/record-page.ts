// The page of a record, and a record beside its list.

export const recordPage = {
  'record.facts': 'Key facts',
  'record.details': 'Details',
  'record.rename': 'Edit {field}',
  'record.updated': 'Updated {ago}',
  'record.previous': 'Previous record',
  'record.next': 'Next record',
  'record.place': '{position} of {count}',
  'record.showEmpty': { one: 'Show {count} empty field', other: 'Show {count} empty fields' },
  'record.hideEmpty': { one: 'Hide {count} empty field', other: 'Hide {count} empty fields' },
  'peek.title': 'Peek: {name}',
  'peek.close': 'Close',
  'peek.open': 'Open',
  'peek.show': 'Peek at {name}',
  'peek.hint': 'Peek (Space)',
} as const;

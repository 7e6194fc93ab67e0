// Merging records and groups of duplicates; loaded with the code that says it (lib/merge-texts.ts).

export const merge = {
  'merge.title': 'Merge {count} records',
  'merge.with': 'Merge “{name}” with',
  'merge.search': 'Search for the other record',
  'merge.stays': 'Record that stays',
  'merge.created': 'Created {moment}',
  'merge.choose': 'Choose the record that stays, and the values that it gets.',
  'merge.same': 'The records do not differ in fields that you can change.',
  'merge.empty': 'Empty',
  'merge.goesOver': 'Comments, links, files and followers of the others go over.',
  'merge.references': 'References that go over: {parts}.',
  'merge.kept': {
    one: 'The others are deleted. They can be restored, and the merge undone, for {count} day.',
    other: 'The others are deleted. They can be restored, and the merge undone, for {count} days.',
  },
  'merge.final': 'The others are deleted. You cannot undo this.',
  'merge.checking': 'Checking the merge …',
  'merge.refused': 'These records cannot be merged in this way:',
  'merge.submit': 'Merge',
  'merge.noGroups': 'No duplicates found',
  'merge.groups': { one: 'One group found', other: '{count} groups found' },
  'merge.equal': 'Equal: {fields}',
  'merge.more': 'Show more',
  'merge.group': 'Merge {names}',
  'merge.done': {
    one: 'One record was merged into “{name}”.',
    other: '{count} records were merged into “{name}”.',
  },
} as const;

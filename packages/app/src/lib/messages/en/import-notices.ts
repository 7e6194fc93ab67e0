// Notices on a file, and what its import makes before the rows.

export const importNotices = {
  'import.decidedBy': 'As in the column “{heading}”, where only one reading is possible.',
  'import.chooseReading': 'Choose …',
  'import.undecided': 'First choose how these columns are read: {names}',
  'import.oneSheet': {
    one: 'The file has {count} sheet. Only “{sheet}” is read.',
    other: 'The file has {count} sheets or lists. Only “{sheet}” is read.',
  },
  'import.partsLeftOut': 'The file also has content that is not imported: {parts}.',
  'import.partComments': 'comments',
  'import.partChecklists': 'checklists',
  'import.partAttachments': 'attachments',
  'import.partFields': 'custom fields',
  'import.readLike': '“{column}” is read like “{heading}”, where only one reading is possible.',
  'import.undecidedNext': 'You choose on the next page how these columns are read: {names}',
  'import.dayInZone': 'The values have times. The field gets their day in this time zone.',
  'import.notMembers': {
    one: '{count} name is not that of a member: {names}',
    other: '{count} names are not those of members, such as {names}',
  },
  'import.memberFor': 'Member for “{name}”',
  'import.emptied': {
    one: '{count} value of {field} was not found or does not fit, and is not imported: {names}',
    other: '{count} values of {field} were not found or do not fit, and are not imported: {names}',
  },
  'import.unfitRows': 'Rows with values that do not fit are left out.',
  'import.importUnfit': 'Import them without these values',
  'import.unfitImported': 'Rows are imported without their values that do not fit.',
  'import.leaveOutUnfit': 'Leave these rows out',
  'import.emptyRequired': {
    one: '{count} row has no value for {field}, which is required. Choose another column, fill the cell after the import, or make the field optional in the data model.',
    other:
      '{count} rows have no value for {field}, which is required. Choose another column, fill the cells after the import, or make the field optional in the data model.',
  },
  'import.noTypes':
    'There are no types of work items yet. The import can create one, with the statuses of the file.',
  'import.makeType': 'Create a type',
  'import.typeName': 'Task',
  'import.workflowName': 'Tasks',
  'import.statusToDo': 'To do',
  'import.statusDoing': 'In progress',
  'import.statusDone': 'Done',
  'import.typeText':
    'Each row becomes a work item of this type. You can change its name and statuses later.',
} as const;

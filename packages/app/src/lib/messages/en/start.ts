// The ways to begin in an empty workspace.

export const start = {
  'start.crm': 'Start with a CRM',
  'start.crmText': 'Companies, contacts, and deals with a pipeline.',
  'start.work': 'Start with work items',
  'start.workText': 'Tasks and bugs with a workflow and a board.',
  'start.file': 'Start with a file',
  'start.fileText': 'The columns of a spreadsheet or an export become an object.',
  'start.empty': 'Start empty',
  'start.emptyText': 'Build your own objects and fields.',
  'start.which': 'Which built-in objects do you need?',
  'start.nothing': 'None',
  'start.nothingText': 'The navigation lists only the objects that you make.',
  'start.onlyCrm': 'CRM',
  'start.onlyCrmText': 'Companies, contacts, deals, meetings, events and products.',
  'start.projects': 'Projects',
  'start.projectsText': 'Work items, with types and workflows that you define.',
  'start.listedText':
    'The others stay under “More objects”. You can list them again in their settings.',
  'start.begin': 'Begin',
  'start.unused': 'You do not need all objects of the navigation?',
  'start.makes':
    'This adds to the data model. Replaced values are kept for 365 days, deleted records for 30 days. You can change all of it later.',
  'start.make': 'Add',
  'start.name': 'Name of the object',
  'start.fromFile': 'New object from a file',
  'start.choose': 'Choose a file: CSV, Excel (.xlsx), JSON, contact cards (.vcf) or LDIF',
  'start.fullName': 'Name',
  'start.madeName': 'Made of the first and last names; names the records',
  'start.isName': ' (names its records)',
  'start.columns': {
    one: 'The file has {count} row. Its columns become these fields:',
    other: 'The file has {count} rows. Its columns become these fields:',
  },
  'start.makeAndImport': 'Create and import',
} as const;

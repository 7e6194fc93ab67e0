// The purpose of each command, in the order in which `--help` lists them. It loads no other module, so that the list
// of commands is cheap.

export const SUMMARIES = Object.freeze({
  start: 'Start the service.',
  workspaces: 'Create, list, export, restore, move, rename and delete workspaces.',
  definition: 'Show the definition of a workspace and its revisions.',
  apply: 'Apply a definition document (YAML or JSON) to a workspace.',
  keys: 'Create, list and revoke API keys.',
  'sign-in-link': 'Create a one-time link to sign in with.',
  sessions: 'List and end the sessions of people.',
  import: 'Import the rows of a CSV or JSON lines file as records or comments.',
  export: 'Write the records of an object to a CSV or JSON lines file.',
  query: 'Query the records of an object: a table, CSV or JSON lines.',
  history: 'Show the values that changes of a record have replaced, newest first.',
  changes: 'Print the changes of records, and follow them as they happen.',
  webhooks: 'Create, list, pause, rotate, test and replay webhooks.',
  bulk: 'Change or delete all records that match a condition.',
  trash: 'List, restore and purge deleted records.',
  erase: 'Erase records and everything that the service has of them.',
  audit:
    'Show the audit log, newest first: people, records and keys of changed fields, without values.',
  types: 'Print TypeScript types of the objects of a workspace, for the client.',
  secrets: 'Seal the stored secrets again with another key.',
  migrate: 'Migrate the database to this release.',
});

export type CommandName = keyof typeof SUMMARIES;

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
  import: 'Import the rows of a CSV, JSON, Excel, vCard or LDIF file as records or comments.',
  export: 'Write the records of an object to a CSV, JSON lines, Excel or vCard file.',
  call: 'Call an operation of the interface as a person.',
  changes: 'Print the changes of records, and follow them as they happen.',
  erase: 'Erase records and everything that the service has of them.',
  types: 'Print TypeScript types of the objects of a workspace, for the client.',
  secrets: 'Seal the stored secrets again with another key.',
  migrate: 'Migrate the database to this release.',
});

export type CommandName = keyof typeof SUMMARIES;

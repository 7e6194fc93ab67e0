// What each command is for, in the order in which `--help` lists them. It loads nothing, so that the
// list of commands does not cost what the commands need.

export const SUMMARIES = Object.freeze({
  start: 'Start the service.',
  workspaces: 'Create, list, export, restore, move, rename and delete workspaces.',
  definition: 'Show the definition of a workspace and its revisions.',
  apply: 'Bring a workspace to a definition document (YAML or JSON).',
  keys: 'Create, list and revoke API keys.',
  'sign-in-link': 'Make a one-time link for a person to sign in with.',
  sessions: 'List and end the sessions of people.',
  import: 'Import the rows of a CSV or JSON lines file as records or comments.',
  export: 'Write the records of an object to a CSV or JSON lines file.',
  query: 'Answer a question about the records of an object: a table, CSV or JSON lines.',
  bulk: 'Change all records that a condition finds: fields, status, or delete them.',
  audit: 'Show who has written what: keys of changed fields, never values. Newest first.',
  types: 'Print TypeScript types of the objects of a workspace, for the client.',
  migrate: 'Bring the database to the shape of this release.',
});

export type CommandName = keyof typeof SUMMARIES;

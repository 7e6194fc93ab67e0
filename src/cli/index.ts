#!/usr/bin/env node
// The command line: which commands there are, and how failures end the process. Exit 1: the command
// failed, one line says why; exit 2: the command was called wrongly.

import { Command, CommanderError } from 'commander';
import { isOperatorError } from '../errors.ts';
import { reasonOf } from './connect.ts';
import { readRelease } from './release.ts';

type AddCommand = (program: Command) => void;

/** In the order in which `--help` lists them. Loading all takes three times as long as loading one. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  async start() {
    const { addStartCommand } = await import('./start.ts');
    return (program) =>
      addStartCommand(program, async (connected) =>
        (await import('./demo.ts')).loadDemo(connected),
      );
  },
  workspaces: async () => (await import('./workspace-commands.ts')).addWorkspacesCommand,
  apply: async () => (await import('./apply.ts')).addApplyCommand,
  keys: async () => (await import('./keys.ts')).addKeysCommand,
  import: async () => (await import('./import.ts')).addImportCommand,
  export: async () => (await import('./export-objects.ts')).addExportCommand,
  audit: async () => (await import('./audit.ts')).addAuditCommand,
  types: async () => (await import('./types.ts')).addTypesCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
};

/** Run the command of these arguments and set the exit code. */
async function main(args: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(args[0] ?? '');
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportFailure(error);
    // A worker would live on as long as it could talk to the first process.
    if (process.connected) process.disconnect();
  }
}

/** With the named command only; with all of them when none is named: for help and suggestions. */
async function createProgram(name: string): Promise<Command> {
  const program = new Command('workspace-records')
    .description('A self-hosted records service on PostgreSQL.')
    .version(readRelease())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(text) });
  const wanted = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const one of wanted) (await COMMANDS[one]?.())?.(program);
  pointToHelp(program, program.name());
  return program;
}

/** Each command names its own help after a wrong call. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`See "${name} --help".`);
  for (const child of command.commands) pointToHelp(child, `${name} ${child.name()}`);
}

function reportFailure(error: unknown): number {
  // Commander has printed its own message; `--help` and `--version` come here too, with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isOperatorError(error)) {
    process.stderr.write(`${error.message}\n`);
  } else {
    process.stderr.write(`The command failed: ${reasonOf(error)} (DEBUG=1 shows more)\n`);
  }
  if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return 1;
}

// A reader that stops early, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

await main(process.argv.slice(2));

#!/usr/bin/env node
// The command line: which commands there are, and how failures end the process. Exit 1: the command
// failed, one line says why; exit 2: the command was called wrongly.

import { Command, CommanderError } from 'commander';
import { isOperatorError } from '../errors.ts';
import { addApplyCommand } from './apply.ts';
import { addAuditCommand } from './audit.ts';
import { reasonOf } from './connect.ts';
import { loadDemo } from './demo.ts';
import { addExportCommand } from './export-objects.ts';
import { addImportCommand } from './import.ts';
import { addKeysCommand } from './keys.ts';
import { addMigrateCommand } from './migrate.ts';
import { readRelease } from './release.ts';
import { addStartCommand } from './start.ts';
import { addTypesCommand } from './types.ts';
import { addWorkspacesCommand } from './workspace-commands.ts';

/** In the order in which `--help` lists them. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  (program) => addStartCommand(program, loadDemo),
  addWorkspacesCommand,
  addApplyCommand,
  addKeysCommand,
  addImportCommand,
  addExportCommand,
  addAuditCommand,
  addTypesCommand,
  addMigrateCommand,
];

/** Run the command of these arguments and set the exit code. */
async function main(args: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportFailure(error);
    // A worker would live on as long as it could talk to the first process.
    if (process.connected) process.disconnect();
  }
}

function createProgram(): Command {
  const program = new Command('workspace-records')
    .description('A self-hosted records service on PostgreSQL.')
    .version(readRelease())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(text) });
  for (const addCommand of COMMANDS) addCommand(program);
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

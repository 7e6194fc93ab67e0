// The command line: which commands there are, and what their failures print. Code 1: the command failed,
// one line says why; code 2: the command was called wrongly.

import { Command, CommanderError } from 'commander';
import { isOperatorError } from '../errors.ts';
import { type CommandName, SUMMARIES } from './commands/summaries.ts';
import { reasonOf } from './reason.ts';
import { remark } from './say.ts';
import { describeRelease, readRelease } from './service/release.ts';

type AddCommand = (program: Command) => void;

/** Loaded when they are called: together they take a second of the processor. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<AddCommand>>> = {
  async start() {
    const { addStartCommand } = await import('./commands/start.ts');
    return (program) =>
      addStartCommand(program, async (connected, atEnd) =>
        (await import('./service/demo.ts')).loadDemo(connected, process.stderr, atEnd),
      );
  },
  workspaces: async () => (await import('./commands/workspace-commands.ts')).addWorkspacesCommand,
  definition: async () => (await import('./commands/definition-commands.ts')).addDefinitionCommand,
  apply: async () => (await import('./commands/apply.ts')).addApplyCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeysCommand,
  'sign-in-link': async () => (await import('./commands/sign-in-link.ts')).addSignInLinkCommand,
  sessions: async () => (await import('./commands/sign-in-link.ts')).addSessionsCommand,
  import: async () => (await import('./commands/import.ts')).addImportCommand,
  export: async () => (await import('./commands/export-objects.ts')).addExportCommand,
  call: async () => (await import('./commands/call-command.ts')).addCallCommand,
  changes: async () => (await import('./commands/follow-changes.ts')).addChangesCommand,
  erase: async () => (await import('./commands/erase-command.ts')).addEraseCommand,
  types: async () => (await import('./commands/types.ts')).addTypesCommand,
  secrets: async () => (await import('./commands/secrets-command.ts')).addSecretsCommand,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
};

/** Run the command of these arguments; answers the code to exit with, which a command may have set. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(calledName(args));
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error);
  }
}

/** The word that names the command, if it is one: `apply …`, `help apply`. */
function calledName(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

/** All commands by name; only the one that is called can do anything. */
async function createProgram(called: string | undefined): Promise<Command> {
  const program = new Command('workspace-records')
    .description('A self-hosted records service on PostgreSQL.')
    .version(describeRelease(readRelease()))
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(text) });
  for (const name of Object.keys(SUMMARIES) as CommandName[]) {
    if (name === called) (await COMMANDS[name]())(program);
    else program.command(name).description(SUMMARIES[name]);
  }
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
    remark(`${error.message}\n`);
  } else {
    remark(`The command failed: ${reasonOf(error)} (DEBUG=1 shows more)\n`);
  }
  if (process.env.DEBUG && error instanceof Error) remark(`${error.stack}\n`);
  return 1;
}

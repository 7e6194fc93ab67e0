// `start` as a process of its own, with only that command.

import { Command } from 'commander';
import { addStartCommand } from '../../src/cli/start.ts';
import { isOperatorError } from '../../src/errors.ts';

const program = new Command('workspace-records');
addStartCommand(program);
program.parseAsync(process.argv.slice(2), { from: 'user' }).catch((error: unknown) => {
  process.stderr.write(isOperatorError(error) ? `${error.message}\n` : String(error));
  process.exit(1);
});

// The command line as a process: its arguments, its exit code, and a reader of its output that leaves.

import { runCommandLine } from './command-line.ts';

// A reader that stops early, such as head, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = await runCommandLine(process.argv.slice(2));
if (code !== 0) {
  process.exitCode = code;
  // A worker would live on as long as it could talk to the first process, and end with code 0 if that ended first.
  if (process.connected) process.exit(code);
}

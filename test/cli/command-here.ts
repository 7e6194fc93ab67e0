// The command line in this process: its output by stream, and its exit code. command-process.ts starts and ends real
// processes; the other tests need not load the sources again.

import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One after the other: they have the streams and the environment of the process to themselves. */
let last: Promise<unknown> = Promise.resolve();

/** The command inherits only PATH, and gets `environment`. */
export function runCommandHere(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandOutput> {
  const run = last.then(() => capture(environment, args));
  last = run.catch(() => undefined);
  return run;
}

async function capture(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CommandOutput> {
  const said = { out: '', err: '' };
  const into = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    said[stream] += text.toString();
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  const { env, exitCode } = process;
  process.env = { PATH: env.PATH, ...environment };
  process.exitCode = undefined;
  try {
    const code = await runCommandLine(args);
    return { code, ...said };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}

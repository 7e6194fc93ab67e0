// A command, as it is built, as a process of its own: its output by stream, and how it ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** The command line; commands-for-tests.ts builds it. */
export const COMMAND = join(root, 'dist', 'cli', 'index.js');
/** Module that lets Node.js load the sources: `node --import`. */
export const TSX = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');

/** Each command is a process that loads all sources, which takes seconds on a busy machine. */
export const PATIENCE = 300_000;

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandProcess {
  readonly child: ChildProcess;
  readonly outcome: Promise<Outcome>;
}

/** The command inherits only PATH, and gets `environment`. */
export function startCommand(
  environment: NodeJS.ProcessEnv,
  ...args: readonly string[]
): CommandProcess {
  return startProgram([process.execPath, COMMAND, ...args], environment, root);
}

/** A program with its arguments, started in a folder; it inherits only PATH, and gets `environment`. */
export function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
  folder: string,
): CommandProcess {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const outcome = new Promise<Outcome>((done) => {
    child.on('close', (code, signal) => done({ ...said, code, signal }));
  });
  return { child, outcome };
}

// Where exports go: a file that is there only when it is whole, or standard output; and what a terminal
// shows meanwhile.

import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { openProgress, type Progress } from '../import/progress.ts';
import { sizeText } from './table.ts';
import { openWholeFile } from './whole-file.ts';

/** In place of a file: standard output, or standard input. */
export const STANDARD = '-';

export interface Output {
  readonly sink: Writable;
  /** All of it is written; answers the words for where, none for standard output. */
  keep(): string;
  /** Remove what was written, unless it was kept. */
  discard(): void;
  /** Tell what was done, where it does not get into the file. */
  tell(text: string): void;
}

/** What is packed is of no use to a terminal. */
export function requireNoTerminal(out: string, command: Command): void {
  if (out !== STANDARD || !process.stdout.isTTY) return;
  command.error('error: a terminal cannot show the file; name one with --out', { exitCode: 2 });
}

export async function openOutput(out: string, force: boolean): Promise<Output> {
  if (out === STANDARD) {
    const tell = (text: string) => void process.stderr.write(text);
    return { sink: ownStdout(), keep: () => '', discard: () => undefined, tell };
  }
  const { sink, keep, discard } = await openWholeFile(out, force);
  const tell = (text: string) => void process.stdout.write(text);
  return { sink, keep: () => ` to ${out}, ${sizeText(keep())}`, discard, tell };
}

/** A reader that stops early has half a workspace: unlike for lists, that is a failure. */
function ownStdout(): Writable {
  process.stdout.prependListener('error', () => {
    process.stderr.write('Nobody reads the export any more; it is not complete.\n');
    process.exit(1);
  });
  return process.stdout;
}

/** Progress begins with the first rows: until then nobody knows how many there are. */
export function watchRows(label: string) {
  let progress: Progress | undefined;
  return {
    onRows(done: number, total: number): void {
      progress ??= openProgress(process.stderr, label, total);
      progress.update(done);
    },
    /** On a terminal the bar is completed; elsewhere the report is enough. */
    finish(): void {
      if (process.stderr.isTTY) progress?.finish();
    },
  };
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

export function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}

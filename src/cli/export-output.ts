// The destinations of exports: a file that exists only when it is whole, or standard output; and the progress on a
// terminal.

import { Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { operatorError } from '../errors.ts';
import { openProgress, type Progress } from '../import/progress.ts';
import { reasonOf } from './reason.ts';
import { remark, tell } from './say.ts';
import { sizeText } from './table.ts';
import { openWholeFile } from './whole-file.ts';

/** The name in place of a file for standard output or standard input. */
export const STANDARD = '-';

export interface Output {
  /**
   * Write everything, packed by `through` or as it is. A failure of the file is an operator error, so that people do
   * not take it for one of the database.
   */
  write(
    pieces: AsyncIterable<Uint8Array | string>,
    ...through: readonly Transform[]
  ): Promise<void>;
  /** All of it is written; answers the words for where, none for standard output. */
  keep(): string;
  /** Remove what was written, unless it was kept. */
  discard(): void;
  /** Report the result, where it does not get into the file. */
  tell(text: string): void;
}

/** A terminal cannot show packed bytes. */
export function requireNoTerminal(out: string, command: Command): void {
  if (out !== STANDARD || !process.stdout.isTTY) return;
  command.error('error: a terminal cannot show the file; name one with --out', { exitCode: 2 });
}

export async function openOutput(out: string, force: boolean): Promise<Output> {
  if (out === STANDARD) {
    const write = writerOf(ownStdout(), 'standard output');
    return { write, keep: () => '', discard: () => undefined, tell: remark };
  }
  const { sink, keep, discard } = await openWholeFile(out, force);
  const write = writerOf(sink, out);
  return { write, keep: () => ` to ${out}, ${sizeText(keep())}`, discard, tell };
}

function writerOf(sink: Writable, name: string): Output['write'] {
  return async (pieces, ...through) => {
    const source = { failure: undefined as unknown };
    // A failure of the sink is thrown into this generator too: only what `next` says is of the source.
    async function* watched(): AsyncGenerator<Uint8Array | string> {
      const iterator = pieces[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await iterator.next().catch((error: unknown) => {
            source.failure = error;
            throw error;
          });
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        await iterator.return?.();
      }
    }
    try {
      await pipeline([Readable.from(watched(), { objectMode: false }), ...through, sink]);
    } catch (error) {
      throw error === source.failure ? error : operatorError(cannotWrite(name, error), error);
    }
  };
}

function cannotWrite(name: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = code === 'ENOSPC' ? 'no space is left' : reasonOf(error);
  return `The export is not complete: cannot write ${name}: ${reason}.`;
}

const NOBODY_READS = 'The reader closed the pipe. The export is not complete.';

/** A reader that stops early has half a workspace: unlike for lists, that is a failure. */
function ownStdout(): Writable {
  process.stdout.prependListener('error', (error: NodeJS.ErrnoException) => {
    const isUnread = error.code === 'EPIPE';
    const text = isUnread ? NOBODY_READS : cannotWrite('standard output', error);
    remark(`${text}\n`);
    process.exit(1);
  });
  return process.stdout;
}

/** Progress begins with the first rows: until then their number is unknown. */
export function watchRows(label: string) {
  let progress: Progress | undefined;
  return {
    onRows(done: number, total: number): void {
      progress ??= openProgress(process.stderr, label, total);
      progress.update(done);
    },
    /** Completes the bar on a terminal; elsewhere the report is enough. */
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

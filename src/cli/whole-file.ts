// A file that is never half there: it is written under a temporary name, flushed to the disk, and renamed at the end.

import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { operatorError } from '../errors.ts';

export interface WholeFile {
  readonly sink: Writable;
  /** Give it its name; answers its size in bytes. */
  keep(): number;
  /** Remove what was written, unless it was kept. */
  discard(): void;
}

/** Refuses a name that is taken, unless `force`. Only its owner can read the file. */
export async function openWholeFile(path: string, force: boolean): Promise<WholeFile> {
  refuseTaken(path, force);
  const part = `${path}.${process.pid}.part`;
  const sink = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
  await once(sink, 'open').catch((error: Error) => {
    throw operatorError(`Cannot write ${path}: ${error.message}.`, error);
  });
  // The writer gets the failure; failures of discarded output are ignored.
  sink.on('error', () => undefined);
  const remove = () => rmSync(part, { force: true });
  const forgetSignals = beforeSignals(remove);
  return {
    sink,
    keep() {
      refuseTaken(path, force);
      renameSync(part, path);
      return statSync(path).size;
    },
    discard() {
      forgetSignals();
      sink.destroy();
      remove();
    },
  };
}

/** Call `work` before a signal ends the process, until the returned function is called. */
function beforeSignals(work: () => void): () => void {
  const stop = (signal: NodeJS.Signals) => {
    work();
    process.removeListener(signal, stop).kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.removeListener(signal, stop);
  };
}

function refuseTaken(path: string, force: boolean): void {
  if (force || !existsSync(path)) return;
  throw operatorError(`There is a file ${path} already; --force replaces it.`);
}

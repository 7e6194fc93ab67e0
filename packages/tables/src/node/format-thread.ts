// Reads a file of another form than text with delimiters in a thread of its own, with a limit on its memory: the process
// serves others meanwhile, and a file that needs more than that ends the thread alone.

import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PACKED_BYTES, readArchive } from '../formats/archive.ts';
import type { Format, FormatBatch, FormatChoices } from '../formats/format-rows.ts';
import { openFormat } from '../formats/open-format.ts';
import { joinedBytes, wholeOf } from '../joined-bytes.ts';
import { type TableFault, tableFault } from '../table-fault.ts';

export interface ThreadData {
  readonly format: Format;
  readonly bytes: Uint8Array;
  readonly choices: FormatChoices;
  /** The number of batches that are used; the thread waits for it. */
  readonly used: Int32Array;
}

export type ThreadMessage =
  | { readonly batch: FormatBatch }
  | { readonly fault: TableFault }
  | { readonly isDone: true };

/** Megabytes; bytes of files are not among them. */
const MEMORY = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 4 };

/** Bytes that are read in the milliseconds in which a thread starts. */
const SMALL = { text: 64 * 1024, unpacked: 512 * 1024 };

/** From the sources, as in tests, the thread has to compile them as well. */
const isSource = import.meta.url.endsWith('.ts');
const MODULE = new URL(isSource ? './format-worker.ts' : './format-worker.js', import.meta.url);
const COMPILED = `import('tsx/esm/api').then(({ tsImport }) => tsImport('${MODULE}', '${MODULE}'))`;

/** Errors: a fault. */
export async function* openInThread(
  format: Format,
  pieces: AsyncIterable<Uint8Array>,
  choices: FormatChoices,
): AsyncGenerator<FormatBatch> {
  const bytes = await joinedBytes(pieces, PACKED_BYTES);
  if (isSmall(format, bytes)) {
    yield* openFormat(format, wholeOf(bytes), choices);
    return;
  }
  const used = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(isSource ? COMPILED : MODULE, {
    workerData: { format, bytes, choices, used } satisfies ThreadData,
    transferList: [bytes.buffer as ArrayBuffer],
    resourceLimits: MEMORY,
    ...{ eval: isSource, execArgv: [] },
  });
  try {
    for await (const [message] of on(worker, 'message')) {
      const told = message as ThreadMessage;
      if ('isDone' in told) return;
      if ('fault' in told) throw tableFault(told.fault.fault, told.fault.line);
      yield told.batch;
      Atomics.add(used, 0, 1);
      Atomics.notify(used, 0);
    }
  } catch (error) {
    const isMemory = (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isMemory ? tableFault('large') : error;
  } finally {
    await worker.terminate();
  }
}

function isSmall(format: Format, bytes: Uint8Array): boolean {
  if (format !== 'workbook') return bytes.length < SMALL.text;
  const { parts } = readArchive(bytes);
  return parts.reduce((sum, { unpacked }) => sum + unpacked, 0) < SMALL.unpacked;
}

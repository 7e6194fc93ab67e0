// Has a file read by a worker of its own, which ends with it.

import type { Table, TableChoices } from '../../../../tables/src/reading.ts';
import { tableFault } from '../../../../tables/src/table-fault.ts';
import type { TableMessage, TableRequest } from './table.worker.ts';

interface Reading {
  readonly choices: TableChoices;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly onRows: (rows: number) => void;
}

/** Errors: a fault of the file (table-fault.ts); the reason of the signal. */
export function readInWorker(file: Blob, { choices, signal, onRows }: Reading): Promise<Table> {
  const worker = new Worker(new URL('./table.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Table>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.addEventListener('error', () => reject(new Error('the worker has failed')));
    worker.addEventListener('message', ({ data }: MessageEvent<TableMessage>) => {
      if ('rows' in data) onRows(data.rows);
      else if ('table' in data) resolve(data.table);
      else
        reject(
          data.fault === undefined
            ? new Error('the file was not read')
            : tableFault(data.fault.fault, data.fault.line),
        );
    });
    worker.postMessage({ file, choices } satisfies TableRequest);
  }).finally(() => worker.terminate());
}

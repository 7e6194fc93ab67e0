// Reads a file beside the page, which stays free meanwhile: one message with a file, then messages with rows so far, and
// last the table or what is wrong with the file.

import { type FileFault, faultOf } from '../../lib/csv-file.ts';
import { type ReadOptions, readTable, type Table } from '../../lib/read-table.ts';

export interface TableRequest {
  readonly file: Blob;
  readonly options: ReadOptions;
}

export type TableMessage =
  | { readonly rows: number }
  | { readonly table: Table }
  /** Undefined: the file could not be read at all. */
  | { readonly fault: FileFault | undefined };

const answer = (message: TableMessage) => postMessage(message);

/** Milliseconds between numbers: each is drawn by the page. */
const OFTEN = 150;

addEventListener('message', ({ data }: MessageEvent<TableRequest>) => {
  let told = 0;
  const tell = (rows: number) => {
    if (performance.now() - told < OFTEN) return;
    told = performance.now();
    answer({ rows });
  };
  readTable(data.file, data.options, tell).then(
    (table) => answer({ table }),
    (error: unknown) => answer({ fault: faultOf(error) }),
  );
});

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

addEventListener('message', ({ data }: MessageEvent<TableRequest>) => {
  readTable(data.file, data.options, (rows) => answer({ rows })).then(
    (table) => answer({ table }),
    (error: unknown) => answer({ fault: faultOf(error) }),
  );
});

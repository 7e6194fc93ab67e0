// Reads a file beside the page, which stays free meanwhile: one message with a file, then messages with rows so far, and
// last the table or what is wrong with the file.

import type { Table, TableChoices } from '../../../../tables/src/reading.ts';
import { faultOf, type TableFault } from '../../../../tables/src/table-fault.ts';
import { readTableFile } from '../../lib/table-file.ts';

export interface TableRequest {
  readonly file: Blob;
  readonly choices: TableChoices;
}

export type TableMessage =
  | { readonly rows: number }
  | { readonly table: Table }
  /** Undefined: the file could not be read at all. */
  | { readonly fault: TableFault | undefined };

const answer = (message: TableMessage) => postMessage(message);

/** Milliseconds between numbers: each is drawn by the page. */
const OFTEN = 150;

addEventListener('message', ({ data }: MessageEvent<TableRequest>) => {
  let sentAt = 0;
  const send = (rows: number) => {
    if (performance.now() - sentAt < OFTEN) return;
    sentAt = performance.now();
    answer({ rows });
  };
  readTableFile(data.file, data.choices, send).then(
    (table) => answer({ table }),
    (error: unknown) => answer({ fault: faultOf(error) }),
  );
});

// A file of this device as a table (packages/tables), read in pieces: the memory is that of a piece and of the facts.

import { LIMITS } from '@workspace-records/client';
import { readTable, type Table, type TableChoices } from '../../../tables/src/reading.ts';
import { type TableFault, tableFault } from '../../../tables/src/table-fault.ts';
import type { PlainKey } from './messages/index.ts';

/** The bounds of the service. */
const BOUNDS = { columns: LIMITS.importColumns, cells: 16_384, length: 8 * 1024 * 1024 };

/** `onRows` is called now and then with the rows so far. Errors: a fault (table-fault.ts). */
export function readTableFile(
  file: Blob,
  choices: TableChoices = {},
  onRows: (rows: number) => void = () => undefined,
): Promise<Table> {
  if (file.size > LIMITS.sentFileBytes) return Promise.reject(tableFault('large'));
  const options = { bounds: BOUNDS, today: new Date(), onRows };
  return readTable(() => piecesOf(file), choices, options);
}

async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Endings of the files that can be read, for a field of a file. */
export const FILE_TYPES =
  '.csv,.tsv,.txt,.xlsx,.xlsm,.json,.jsonl,.ndjson,.vcf,.ldif,.ldi,text/csv,text/tab-separated-values,text/plain';

/** The fault of a file, and what to do. */
export const FAULT_TEXTS: Readonly<Record<TableFault['fault'], PlainKey>> = {
  quote: 'import.faultQuote',
  quotes: 'import.faultQuotes',
  cells: 'import.faultColumns',
  length: 'import.faultQuote',
  columns: 'import.faultColumns',
  encoding: 'import.faultEncoding',
  empty: 'import.faultEmpty',
  large: 'import.faultLarge',
  sheet: 'import.faultSheet',
  workbook: 'import.faultSpreadsheet',
  old_workbook: 'import.faultOldSpreadsheet',
  open_document: 'import.faultOpenDocument',
  document: 'import.faultDocument',
  json: 'import.faultJson',
  cards: 'import.faultCards',
  ldif: 'import.faultLdif',
  calendar: 'import.faultCalendar',
  page: 'import.faultPage',
  binary: 'import.faultBinary',
};

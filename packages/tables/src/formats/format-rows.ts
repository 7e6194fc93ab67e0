// Files that are tables in another form than text with delimiters: rows of texts, some at a time, with the names of the
// tables in the file. Each reader is loaded when a file needs it.

import type { CsvRow } from '../csv-parser.ts';
import type { Encoding } from '../encoding-names.ts';

export const FORMATS = ['workbook', 'json', 'cards', 'ldif'] as const;
export type Format = (typeof FORMATS)[number];

export interface FormatChoices {
  readonly encoding: Encoding;
  /** The table of the file: the sheet of a workbook, the list of a JSON object. */
  readonly sheet?: string | undefined;
  /** The most columns. */
  readonly columns: number;
}

/** Content of a file that its rows do not have. */
export interface LeftOut {
  readonly name: string;
  readonly count: number;
}

/** Rows in their order; the first one has the headings. */
export interface FormatBatch {
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** The tables of the file, and the one that is read. */
  readonly sheets: readonly string[];
  readonly sheet?: string;
  readonly rows: readonly Pick<CsvRow, 'cells' | 'line'>[];
}

/** Opens the table of a file: here, or in a thread of its own. */
export type OpenFormat = (
  format: Format,
  bytes: AsyncIterable<Uint8Array>,
  choices: FormatChoices,
) => AsyncIterable<FormatBatch>;

export const BATCH_ROWS = 500;

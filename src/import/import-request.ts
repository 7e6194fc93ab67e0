// The request of an import, and what it reports of single rows.

import type { WriteContext } from '../flow/records/write-group.ts';
import type { Kept } from '../plan/write/write-operation.ts';
import type { Rehearsal } from './file-rehearsal.ts';
import type { ImportReport, Ledger } from './import-report.ts';
import type { ImportPlan } from './mapping/compile-mapping.ts';
import type { RowProblem, SourceFile, SourceRow } from './rows/read-rows.ts';
import type { EmptiedValue } from './rows/row-problems.ts';
import type { SpreadsheetMarks } from './spreadsheet-marks.ts';
import type { RowWrite, WriteBatch } from './write-rows.ts';

export interface Rejection {
  readonly row: SourceRow;
  /** The problems with the value of the cell. */
  readonly problems: readonly (RowProblem & { readonly example: string | undefined })[];
}

export interface ImportRequest {
  /** Writes as an administrator, without a key. */
  readonly context: WriteContext;
  readonly file: SourceFile;
  readonly plan: ImportPlan;
  /** The memory of a dry run, which checks everything and writes nothing. */
  readonly rehearsal?: Rehearsal | undefined;
  /** The part of existing records that is kept. */
  readonly kept: Kept;
  readonly onReject: (rejection: Rejection) => void;
  /** Called for a value that names nothing or does not fit, without which its row was written. */
  readonly onEmptied?: (emptied: EmptiedValue) => void;
  /** Called in a dry run for a row with the match values of an earlier one. */
  readonly onDouble?: (double: DoubleRow) => void;
  /** Counts values in a dry run that a spreadsheet may have changed. */
  readonly marks?: SpreadsheetMarks | undefined;
  /** Called with the number of rows that are done. */
  readonly onProgress: (done: number, report: ImportReport) => void;
  /** Undefined: nothing is kept of what is done, as in a dry run. */
  readonly ledger?: Ledger | undefined;
  /** Undefined: all rows go the way of all writes. */
  readonly bulk?: BulkWriting | undefined;
}

export interface DoubleRow {
  readonly line: number;
  readonly first_line: number;
  /** The match values. */
  readonly value: string;
}

/** Another way for rows that make a record. */
export interface BulkWriting {
  /** Rows of a batch. */
  readonly most: number;
  /** False for rows that may change a record. */
  makesRecord(write: RowWrite): boolean;
  readonly write: WriteBatch;
  /** Awaited before rows that go the way of all writes. */
  readonly beforeOthers: () => Promise<void>;
}

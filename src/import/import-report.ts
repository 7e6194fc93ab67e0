// The outcome of an import's rows: the counts, and their storage for the attempt that continues.

import type { ImportedLine } from '../control/jobs/import-rows.ts';
import type { NotesOf, WriteOutcome } from '../flow/records/write-group.ts';
import type { FileSummary, SourceRow } from './rows/read-rows.ts';

export interface ImportReport {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows whose record was there, when only new ones are imported. */
  readonly skipped: number;
  readonly rejected: number;
  /** Rows without any value, or left out by the mapping, which make no record. */
  readonly blank: number;
  /** Rows with another status than their record has, which keeps its own. */
  readonly status_kept: number;
  /** Rows of a dry run with the match values of an earlier row. */
  readonly doubles?: number;
}

export type RunningReport = { -readonly [Count in keyof ImportReport]: ImportReport[Count] };

/** Content that is in no row, in words: `3 comments`. */
export function leftOutText(leftOut: FileSummary['leftOut']): string {
  return leftOut.map(({ name, count }) => `${count} ${name}`).join(', ');
}

/** The progress of earlier attempts, and the place for that of this one. */
export interface Ledger {
  readonly imported: readonly ImportedLine[];
  readonly rejected: readonly number[];
  /** Statements for the transaction that writes these lines. */
  note(lines: readonly ImportedLine[], completed: readonly number[]): ReturnType<NotesOf>;
  /** Store the rejections that were reported since the last time. */
  store(): Promise<void>;
}

/** Facts of a row that is written. */
interface Noted {
  readonly row: Pick<SourceRow, 'line'>;
  /** Written without some of its references. */
  readonly isOpen: boolean;
  /** Completes a record that was counted before. */
  readonly isCompletion: boolean;
}

/** Rows of one transaction are noted in it. */
export function notesIn(ledger: Ledger): (writes: readonly Noted[]) => NotesOf {
  return (writes) => (outcomes) => {
    const lines: ImportedLine[] = [];
    const completed: number[] = [];
    for (const [index, { row, isOpen, isCompletion }] of writes.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) continue;
      const { line } = row;
      if (isCompletion) completed.push(line);
      else lines.push({ line, ...noted(outcome, isOpen) });
    }
    return ledger.note(lines, completed);
  };
}

function noted(outcome: WriteOutcome, isOpen: boolean) {
  const { id, kept } = outcome;
  // A record that is left alone is not completed either.
  const open_id = isOpen && kept !== 'record' ? id : null;
  return { outcome: kindOf(outcome), status_kept: kept === 'status', open_id };
}

export function kindOf({
  created,
  changed,
  kept,
}: Omit<WriteOutcome, 'id'>): ImportedLine['outcome'] {
  if (created) return 'created';
  if (kept === 'record') return 'skipped';
  return changed ? 'updated' : 'unchanged';
}

const NOTHING: ImportReport = Object.freeze({
  ...{
    read: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    rejected: 0,
    blank: 0,
    status_kept: 0,
  },
});

/** The counts of the attempts before. */
export function reportOf(ledger: Ledger | undefined): RunningReport {
  const report = { ...NOTHING, rejected: ledger?.rejected.length ?? 0 };
  for (const { outcome, status_kept } of ledger?.imported ?? []) {
    report[outcome] += 1;
    if (status_kept) report.status_kept += 1;
  }
  return report;
}

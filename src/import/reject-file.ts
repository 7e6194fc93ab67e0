// The reject file: a CSV with one line for each row that was not imported: its line, the fields at
// fault, the reasons, and the row as it stood in the file.

import { closeSync, openSync, statSync, writeFileSync } from 'node:fs';
import { operatorError } from '../errors.ts';
import { csvCell, guardText } from './csv-text.ts';
import type { RowProblem } from './read-rows.ts';
import type { Rejection } from './run-import.ts';

export interface RejectFile {
  write(rejection: Rejection): void;
  close(): void;
}

/** Make the file or empty it; `sources` are files that are read, and never overwritten. */
export function openRejectFile(path: string, sources: readonly string[]): RejectFile {
  if (sources.some((source) => isSameFile(source, path))) {
    throw operatorError(`The reject file ${path} would overwrite a file that is read.`);
  }
  const file = guarded(path, () => openSync(path, 'w'));
  const write = (cells: readonly string[]) =>
    guarded(path, () => writeFileSync(file, `${cells.map(csvCell).join(',')}\n`));
  write(['line', 'field', 'reason', 'row']);
  return {
    write({ row, problems }) {
      const about = [String(row.line), fieldsOf(problems), reasonsOf(problems)];
      // The row is somebody else's text, and this file will be opened in a spreadsheet.
      write([...about, guardText(row.raw)]);
    },
    close: () => closeSync(file),
  };
}

/** The same by another name or a link. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** A disk that is full ends the import: rows that nobody is told of would be lost. */
function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw operatorError(`Cannot write the reject file ${path}: ${code}.`, error);
  }
}

/** One line about a rejected row, for the terminal. */
export function rejectionLine({ row, problems }: Rejection): string {
  const fields = fieldsOf(problems);
  return `line ${row.line}: ${fields === '' ? '' : `${fields}: `}${reasonsOf(problems)}`;
}

function fieldsOf(problems: readonly RowProblem[]): string {
  return [...new Set(problems.map(({ field }) => field))].join(', ');
}

function reasonsOf(problems: readonly RowProblem[]): string {
  return problems.map(({ reason }) => reason).join(' ');
}

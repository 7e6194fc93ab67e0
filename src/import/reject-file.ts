// The reject file: a CSV with one line for each row that was not imported: its line, the fields at
// fault, the reasons, and the row as it stood in the file.

import { closeSync, openSync, writeSync } from 'node:fs';
import { operatorError } from '../errors.ts';
import type { RowProblem } from './read-rows.ts';
import type { Rejection } from './run-import.ts';

export interface RejectFile {
  write(rejection: Rejection): void;
  close(): void;
}

/** Make the file or empty it. */
export function openRejectFile(path: string): RejectFile {
  let file: number;
  try {
    file = openSync(path, 'w');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw operatorError(`Cannot write the reject file ${path}: ${code}.`, error);
  }
  const write = (cells: readonly string[]) => writeSync(file, `${cells.map(csvCell).join(',')}\n`);
  write(['line', 'field', 'reason', 'row']);
  return {
    write({ row, problems }) {
      write([String(row.line), fieldsOf(problems), reasonsOf(problems), row.raw]);
    },
    close: () => closeSync(file),
  };
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

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

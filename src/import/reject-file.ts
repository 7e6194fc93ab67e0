// The reject file of the command: the rows that were not imported, with what was wrong (model/text/reject-text.ts). Where
// its name says another format than that of the source, a list of line, field, reason and row.

import { closeSync, openSync, statSync, writeFileSync } from 'node:fs';
import { csvCell, guardText } from '../../packages/tables/src/csv-text.ts';
import { rowPlace } from '../../packages/tables/src/formats/row-places.ts';
import { operatorError } from '../errors.ts';
import {
  fieldsOf,
  type RejectLayout,
  reasonsOf,
  rejectHeader,
  rejectLine,
} from '../model/text/reject-text.ts';
import type { Rejection } from './import-request.ts';
import { type FileSummary, formatOf, type SourceFile } from './rows/read-rows.ts';

export interface RejectFile {
  write(rejection: Rejection): void;
  close(): void;
}

interface RejectOptions {
  /** Files that are read, and never overwritten. */
  readonly sources: readonly string[];
  readonly layout: RejectLayout;
}

/** Make the file or empty it. */
export function openRejectFile(path: string, { sources, layout }: RejectOptions): RejectFile {
  if (sources.some((source) => isSameFile(source, path))) {
    throw operatorError(`The reject file ${path} would overwrite a file that is read.`);
  }
  const isLike = formatOf(path)?.kind === layout.kind;
  const file = guarded(path, () => openSync(path, 'w'));
  const write = (text: string) => guarded(path, () => writeFileSync(file, text));
  write(isLike ? rejectHeader(layout) : listLine(['line', 'field', 'reason', 'row']));
  return {
    write({ row, problems }) {
      const { line, raw, texts } = row;
      if (isLike) return write(rejectLine(layout, { line, problems, texts }));
      const about = [String(line), fieldsOf(problems), reasonsOf(problems)];
      // The row is somebody else's text, and this file will be opened in a spreadsheet.
      return write(listLine([...about, guardText(raw)]));
    },
    close: () => closeSync(file),
  };
}

/** The layout of the file that is imported. */
export function layoutOf(
  { format }: Pick<SourceFile, 'format'>,
  { columns }: Pick<FileSummary, 'columns'>,
): RejectLayout {
  if (format.kind === 'json_lines' || columns === undefined) return { kind: 'json_lines' };
  return { kind: 'csv', delimiter: format.delimiter, columns };
}

function listLine(cells: readonly string[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\n`;
}

/** The same file by another name or a link. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** A full disk ends the import: otherwise rows would be lost without a report. */
function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw operatorError(`Cannot write the reject file ${path}: ${code}.`, error);
  }
}

/** One line about a rejected row, for the terminal. */
export function rejectionLine({ row, problems }: Rejection, file: string): string {
  const fields = fieldsOf(problems);
  const { word, number } = rowPlace(file, row.line);
  return `${word} ${number}: ${fields === '' ? '' : `${fields}: `}${reasonsOf(problems)}`;
}

// Counts the cells of each row of a CSV file in its text, before a parser makes them: a row of some MB may have millions.
// A quotation mark that is misplaced may end the count of a row early or late; the parser refuses such a row.

import { LIMITS } from '../limits.ts';

export interface CellCount {
  /** False when a row has more cells than a spreadsheet can have. */
  take(text: string): boolean;
  /** The line of the last character. */
  line(): number;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts over the pieces of one file. */
export function openCellCount(delimiter: string): CellCount {
  const separator = delimiter.charCodeAt(0);
  let isQuoted = false;
  let cells = 0;
  let line = 1;
  return {
    line: () => line,
    take(text) {
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        if (code === LINE_FEED) line += 1;
        if (code === QUOTE) isQuoted = !isQuoted;
        else if (isQuoted) continue;
        else if (code === LINE_FEED) cells = 0;
        else if (code === separator) {
          cells += 1;
          if (cells >= LIMITS.importCells) return false;
        }
      }
      return true;
    },
  };
}

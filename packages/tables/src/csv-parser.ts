// A parser of CSV that takes a text in pieces and gives the rows that are complete, with the memory of one row. Lines end
// with CRLF, LF or CR. A quotation mark within a cell that does not begin with one is a character, as in other programs.

import { tableFault } from './table-fault.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  /** The first of its lines in the file, from 1. */
  readonly line: number;
  /** The text of the row without the line end. */
  readonly raw: string;
}

export interface CsvBounds {
  /** Cells of a row. */
  readonly cells: number;
  /** Characters of a row. */
  readonly length: number;
}

export interface CsvParser {
  /** Errors: a fault, with the line of the row. */
  push(text: string): readonly CsvRow[];
  /** The last row. */
  end(): readonly CsvRow[];
}

/** The byte-order mark; files that were put together have the mark of each. */
const MARK = '\uFEFF';

/** A row that is being read. */
interface State {
  readonly bounds: CsvBounds;
  readonly stop: RegExp;
  rows: CsvRow[];
  cells: string[];
  cell: string;
  raw: string;
  mode: 'start' | 'plain' | 'quoted' | 'closed';
  line: number;
  /** The first line of the row. */
  first: number;
}

export function openCsvParser(delimiter: string, bounds: CsvBounds): CsvParser {
  const mark = /[\]\\^-]/.test(delimiter) ? `\\${delimiter}` : delimiter;
  const stop = new RegExp(`[${mark}\\r\\n]`, 'g');
  const state: State = {
    ...{ bounds, stop, rows: [], cells: [], cell: '', raw: '', mode: 'start', line: 1, first: 1 },
  };
  let isAfterReturn = false;
  return {
    push(text) {
      state.rows = [];
      let at = isAfterReturn && text[0] === '\n' ? 1 : 0;
      let from = at;
      if (text !== '') isAfterReturn = false;
      while (at < text.length) {
        if (isLineEnd(state, text[at])) {
          state.raw += text.slice(from, at);
          finishRow(state);
          isAfterReturn = text[at] === '\r' && at + 1 === text.length;
          at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
          from = at;
        } else if (text[at] === MARK && at === from && state.raw === '') {
          at += 1;
          from = at;
        } else at = step(state, text, at);
      }
      state.raw += text.slice(from);
      if (state.raw.length > bounds.length) throw tableFault('length', state.first);
      return state.rows;
    },
    end() {
      state.rows = [];
      if (state.mode === 'quoted') throw tableFault('quote', state.first);
      if (state.raw !== '') finishRow(state);
      return state.rows;
    },
  };
}

function isLineEnd({ mode }: State, character: string | undefined): boolean {
  return mode !== 'quoted' && (character === '\n' || character === '\r');
}

function finishRow(state: State): void {
  finishCell(state);
  const { cells, first, raw } = state;
  if (raw !== '') state.rows.push({ cells, line: first, raw });
  state.cells = [];
  state.raw = '';
  state.line += 1;
  state.first = state.line;
}

function finishCell(state: State): void {
  state.cells.push(state.cell);
  if (state.cells.length > state.bounds.cells) throw tableFault('cells', state.line);
  state.cell = '';
  state.mode = 'start';
}

/** Takes a part of the text from `at`, and returns the place after it. */
function step(state: State, text: string, at: number): number {
  if (state.mode === 'quoted') {
    const end = text.indexOf('"', at);
    const part = end < 0 ? text.slice(at) : text.slice(at, end);
    state.cell += part;
    state.line += countLines(part);
    if (end < 0) return text.length;
    state.mode = 'closed';
    return end + 1;
  }
  if (text[at] === '"' && state.mode !== 'plain') {
    if (state.mode === 'closed') state.cell += '"';
    state.mode = 'quoted';
    return at + 1;
  }
  state.stop.lastIndex = at;
  const end = state.stop.exec(text)?.index ?? text.length;
  if (end === at) {
    finishCell(state);
    return at + 1;
  }
  const part = text.slice(at, end);
  // Spaces between a quotation mark and the delimiter are none of the value.
  if (state.mode === 'closed' && part.trim() !== '') throw tableFault('quotes', state.line);
  if (state.mode !== 'closed') {
    state.cell += part;
    state.mode = 'plain';
  }
  return end;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** All rows of a text. */
export function parseCsv(text: string, delimiter = ','): readonly CsvRow[] {
  const parser = openCsvParser(delimiter, { cells: Infinity, length: Infinity });
  return [...parser.push(text), ...parser.end()];
}

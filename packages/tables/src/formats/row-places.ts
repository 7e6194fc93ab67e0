// The number of a row as people count it: lines of text, rows of a sheet, cards and entries without a header. Pure.

export type RowWord = 'line' | 'row' | 'card' | 'entry';

export interface RowPlace {
  readonly word: RowWord;
  readonly number: number;
}

const WORDS: Readonly<Record<string, RowWord>> = {
  ...{ xlsx: 'row', xlsm: 'row', vcf: 'card', json: 'entry', ldif: 'entry', ldi: 'entry' },
};

/** The place of a row of the file with this name. */
export function rowPlace(fileName: string, line: number): RowPlace {
  const word = WORDS[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? 'line';
  return { word, number: word === 'card' || word === 'entry' ? line - 1 : line };
}

// The search rows of one text, as the service makes them, for the floor of writes.

import { lexemesOf } from '../src/model/text/search-lexemes.ts';
import { wordStarts } from '../src/model/text/search-text.ts';

export interface FloorSearchRow {
  readonly place: number;
  readonly text: string;
  readonly words: string | null;
}

/** Rows of a display value of the person 1. */
export function searchRowsOfText(source: string, value: string): readonly FloorSearchRow[] {
  const starts = wordStarts('display', value);
  const words = lexemesOf(
    starts.map(({ text }) => ({ source, text })),
    1,
  );
  return starts.map(({ place, text }) => ({ place, text, words: place === 0 ? words : null }));
}

/** Places, texts and words, as parameters of a statement. */
export function columnsOf(rows: readonly FloorSearchRow[]): readonly unknown[] {
  return [
    rows.map(({ place }) => place),
    rows.map(({ text }) => text),
    rows.map(({ words }) => words),
  ];
}

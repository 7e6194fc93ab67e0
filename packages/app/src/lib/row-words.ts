// The rows of a file in words: lines, rows of a sheet, cards, entries. Pure.

import { type RowWord, rowPlace } from '../../../tables/src/formats/row-places.ts';
import type { PlainKey, Translate } from './messages/index.ts';

export const ROW_NAMES: Readonly<Record<RowWord, PlainKey>> = {
  line: 'import.line',
  row: 'import.row',
  card: 'import.card',
  entry: 'import.entry',
};

const PLACES = {
  line: 'import.lineNumber',
  row: 'import.rowNumber',
  card: 'import.cardNumber',
  entry: 'import.entryNumber',
} as const;

export function placeText(t: Translate, fileName: string, line: number): string {
  const { word, number } = rowPlace(fileName, line);
  return t(PLACES[word], { number: String(number) });
}

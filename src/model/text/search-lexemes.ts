// The words of a record as one value, in which PostgreSQL finds records that have several words, and the conditions
// on it (D370). A lexeme has the field before the word, so that hidden fields do not match. Pure.

import { isUnspaced, lexemeOf, startsOf } from './search-text.ts';

/** A bound on one value: later words of a record are found through the rows of `_search` only. */
const LEXEMES_PER_RECORD = 2000;
/** Shorter beginnings are those of too many words to be looked up. */
const SHORTEST_BEGINNING = 3;
/** The character in front of the person to whom a record belongs; no name of a field begins so. */
const PERSON = '@';

export interface SourcedText {
  /** The source, as in `SearchedField`. */
  readonly source: string;
  /** Normalised, from one of its words on. */
  readonly text: string;
}

/** The `tsvector` of a record with these texts, whose owner is `userId`. */
export function lexemesOf(texts: readonly SourcedText[], userId: number | null): string {
  const lexemes = new Set<string>(userId === null ? [] : [quoted(`${PERSON}${userId}`)]);
  for (const { source, text } of texts) {
    if (lexemes.size === LEXEMES_PER_RECORD) break;
    const lexeme = lexemeOf(text);
    if (lexeme !== '') lexemes.add(quoted(`${source} ${lexeme}`));
  }
  return [...lexemes].join(' ');
}

/** The condition that no record meets. */
export const NOTHING = quoted(PERSON);

/** The condition that a record belongs to one of these people. */
export function ofPeople(userIds: readonly number[]): string {
  const people = userIds.map((id) => quoted(`${PERSON}${id}`));
  return people.length === 0 ? NOTHING : `(${people.join(' | ')})`;
}

/** The place of the source in a condition. */
export const SOURCE = '%';

/** The condition that a field has all these words: as whole words, or each as the beginning of one. */
export function ofText(text: string, isWhole: boolean): string {
  const lexemes = text.split(' ').flatMap(lexemesOfWord);
  const conditions = lexemes.map(({ text: own, isBegun }) => {
    const sign = isBegun || !isWhole ? ':*' : '';
    return `${quoted(`${SOURCE} ${own}`)}${sign}`;
  });
  return conditions.join(' & ');
}

/** Whether a record is looked up by the beginning of this word. */
export function isLongEnough(word: string): boolean {
  return lexemeOf(word) !== word || [...word].length >= SHORTEST_BEGINNING;
}

interface Lexeme {
  readonly text: string;
  /** A lexeme of the record begins with it. */
  readonly isBegun: boolean;
}

/** A word of a script without spaces is found by every two characters that follow each other in it. */
function lexemesOfWord(word: string): readonly Lexeme[] {
  let covered = 0;
  return startsOf(word).flatMap((start): readonly Lexeme[] => {
    const text = lexemeOf(word.slice(start));
    const end = start + text.length;
    if (end <= covered) return [];
    covered = end;
    return [{ text, isBegun: isUnspaced(text) && [...text].length === 1 }];
  });
}

/** Neither words nor names of fields have quotation marks or backslashes. */
function quoted(text: string): string {
  return `'${text}'`;
}

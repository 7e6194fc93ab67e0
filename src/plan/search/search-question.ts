// The values of one search: everything in which two searches of a caller differ (D371). Pure.

import { isLongEnough, ofText } from '../../model/text/search-lexemes.ts';
import { endOfWord, parseSpellings } from '../../model/text/search-spellings.ts';
import { asWord, canBeMeant, parseSearchTerms } from '../../model/text/search-text.ts';

/** The types of the values in the statement. */
export const SEARCH_VALUES = Object.freeze({
  /** Normalised, as one phrase. */
  phrase: 'text',
  /** The terms that other values are compared with, whole and as beginnings. */
  wholes: 'text[]',
  starts: 'text[]',
  words: 'text[]',
  /** The first texts that begin with another word. */
  ends: 'text[]',
  /** Whether the word may be one with a typo. */
  typos: 'boolean[]',
  /** The condition for each word that a field has it whole, or has a word that begins with it. */
  fits: 'text[]',
  begins: 'text[]',
  /** Whether records are looked up by this beginning. */
  long: 'boolean[]',
  /** Alternatives of the word at a place, the ends of their ranges, and when a field has them. */
  spelt: 'integer[]',
  lows: 'text[]',
  highs: 'text[]',
  spellings: 'text[]',
  page: 'bigint',
} as const);

export type SearchValueName = keyof typeof SEARCH_VALUES;
export type SearchValueType = (typeof SEARCH_VALUES)[SearchValueName];
export type SearchValues = Readonly<Record<SearchValueName, unknown>>;

/** Undefined when the text has no word to search for. */
export function searchValues(text: string, limit: number): SearchValues | undefined {
  const { phrase, phones, words } = parseSearchTerms(text);
  if (phrase === '') return undefined;
  const spellings = parseSpellings(words);
  return {
    phrase,
    wholes: [...new Set([phrase, ...phones])],
    starts: [...new Set([asWord(phrase), ...phones])],
    words,
    ends: words.map(endOfWord),
    typos: words.map(canBeMeant),
    fits: words.map((word) => ofText(word, true)),
    begins: words.map((word) => ofText(word, false)),
    long: words.map(isLongEnough),
    spelt: spellings.map(({ place }) => place),
    lows: spellings.map((spelling) => spelling.text),
    highs: spellings.map((spelling) => endOfWord(spelling.text)),
    spellings: spellings.map((spelling) => ofText(spelling.text, true)),
    page: limit,
  };
}

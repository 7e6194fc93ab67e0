// Alternative spellings of a word in the index, computed without any look-up: a
// space too many, a space missing, and a wrong character in a script without spaces (D175). Pure.

import { isUnspaced } from './search-text.ts';

/**
 * The highest code point: appended to a prefix it is an upper bound of all texts with this
 * prefix.
 */
const LAST = '\u{10ffff}';
/** Parts of words shorter than this are parts of too many. */
const SHORTEST_PART = 2;
/** The length of the longest word that is checked for a missing space. */
const LONGEST_SPLIT = 24;

/** A text that may replace the word at this place, from 1. */
export interface Spelling {
  readonly place: number;
  readonly text: string;
}

/** Where the texts end that have this as a whole word. */
export function endOfWord(word: string): string {
  return `${word}${isUnspaced(word) ? LAST : '!'}`;
}

/** All of them, in the order of the words. */
export function parseSpellings(words: readonly string[]): readonly Spelling[] {
  return words.flatMap((word, index) => {
    const [before, after] = [words[index - 1], words[index + 1]];
    const joined = [
      ...(before === undefined ? [] : [`${before}${word}`]),
      ...(after === undefined ? [] : [`${word}${after}`]),
    ];
    const texts = [...joined, ...(isUnspaced(word) ? halvesOf(word) : splitsOf(word))];
    return texts.map((text) => ({ place: index + 1, text }));
  });
}

/** The halves of a word: with one wrong character, one half is right. */
function halvesOf(word: string): readonly string[] {
  const characters = [...word];
  const middle = Math.ceil(characters.length / 2);
  if (characters.length < 2 * SHORTEST_PART) return [];
  return [characters.slice(0, middle), characters.slice(-middle)].map((half) => half.join(''));
}

/** Two words that were typed as one. */
function splitsOf(word: string): readonly string[] {
  const characters = [...word];
  const count = characters.length - 2 * SHORTEST_PART + 1;
  if (count < 1 || characters.length > LONGEST_SPLIT) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = index + SHORTEST_PART;
    return `${characters.slice(0, at).join('')} ${characters.slice(at).join('')}`;
  });
}
